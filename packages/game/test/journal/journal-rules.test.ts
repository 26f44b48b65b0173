// Goal: no command that was acted on is skipped, reordered or acknowledged too early, and no clock
// is ahead of one. Method: a writer on a simulated clock, before a scripted database.
import type { HandOff } from '@orrery/engine/testing'
import { Ownership } from '@orrery/store'
import { expect, test } from 'vitest'
import { journalFixture, openFixture, sequences, state, upTo } from './journal-fixture.ts'

/** Of a ship that leaves Sol at index 1000. */
function handOff(fuel: number): HandOff {
  return {
    shipId: 'ida',
    name: 'Ida',
    from: 'sol',
    to: 'alpha',
    index: 1000,
    debugged: false,
    ship: {
      referenceBody: 'Earth',
      position: [7e6, 0, 0],
      positionLow: [0, 0, 0],
      velocity: [0, 7500, 0],
      velocityLow: [0, 0, 0],
      attitude: [1, 0, 0, 0],
      angularMomentum: [0, 0, 0],
      wheelMomentum: [0, 0, 0],
      fuel,
    },
  }
}

test('all that comes while a batch is written is the next one', async () => {
  const { clock, writer, attempts, durable, give } = await openFixture()
  const first = give()
  await clock.advance(0)
  expect(await state(first)).toBe('pending')
  const others = [give(), give(), give()]
  await clock.advance(5)
  expect(await state(first)).toBe('done')
  expect(sequences(durable)).toEqual([[1]])
  expect(await state(others[0])).toBe('pending')
  await clock.advance(5)
  expect(await Promise.all(others.map(state))).toEqual(['done', 'done', 'done'])
  expect(sequences(durable)).toEqual([[1], [2, 3, 4]])
  expect(attempts.map(([ms]) => ms)).toEqual([10, 15])
  const lags = { lagRows: 0, lagSeconds: 0 }
  expect(writer.metrics()).toMatchObject({ rows: 4, batches: 3, ...lags, lastBatchMs: 5 })
})

test('a row is written with its place, its actor and the published clock', async () => {
  const { clock, world, durable, give } = await openFixture()
  const actor = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  void give({ index: 1004, actor })
  world.index = 1001
  await clock.advance(5)
  const command = { kind: 'remove_ship', shipId: '1' }
  expect(durable).toEqual([
    {
      era: 5,
      owner: expect.any(Ownership),
      rows: [{ systemId: 'sol', sequence: 1, lattice: 1004, actor, command }],
      clock: {
        lattice: 1001,
        remainder: ['0', '1'],
        tick: 15,
        tickRate: 1,
        timeScale: 1,
        paused: false,
      },
      sequences: { sol: 1 },
      replaced: { sol: 0 },
      digests: [],
      departures: [],
      arrivals: [],
      alongside: [],
    },
  ])
})

test('a batch of two thousand leaves the rest for later, and its clock is not ahead', async () => {
  const { clock, world, durable, give } = await openFixture()
  void give()
  await clock.advance(0)
  for (const sequence of upTo(4500, 1)) {
    world.index = 1000 + sequence
    void give()
  }
  world.index = 9000
  await clock.advance(20)
  expect(sequences(durable)).toEqual([[1], upTo(2001, 1), upTo(4001, 2001), upTo(4500, 4001)])
  const clocks = durable.map((batch) => [batch.sequences['sol'], batch.clock.lattice])
  expect(clocks).toEqual([
    [1, 1000],
    [2001, 3001],
    [4001, 5001],
    [4500, 9000],
  ])
})

test('the clock is written at the start, then each second in which something changed', async () => {
  const { clock, world, writer, durable } = journalFixture()
  writer.start()
  await clock.advance(10)
  expect(durable.map((batch) => batch.clock.lattice)).toEqual([1000])
  expect(writer.durableIndex()).toBe(1000)
  await clock.advance(5000)
  expect(durable).toHaveLength(1)
  for (let i = 0; i < 40; i++) {
    world.index += 16
    await clock.advance(250)
  }
  expect(durable).toHaveLength(11)
  world.paused = true
  await clock.advance(10_000)
  expect(durable).toHaveLength(12)
  expect(durable[11].clock).toMatchObject({ lattice: 1640, paused: true })
  expect(durable[11].sequences).toEqual({ sol: 0 })
  expect(writer.durableIndex()).toBe(1640)
})

test('a clock that moves while a batch is written waits for its second', async () => {
  const { clock, world, durable, give } = await openFixture()
  void give()
  await clock.advance(0)
  world.index = 1064
  await clock.advance(999)
  expect(durable.map((batch) => batch.clock.lattice)).toEqual([1000])
  await clock.advance(6)
  expect(durable.map((batch) => batch.clock.lattice)).toEqual([1000, 1064])
})

test('of the clocks within a second the last stays, in each era', async () => {
  const { clock, world, durable, give } = await openFixture()
  for (const era of [5, 6]) {
    world.era = era
    for (let i = 0; i < 6; i++) {
      void give()
      await clock.advance(400)
    }
  }
  const replaced = durable.filter(({ rows }) => rows.length > 0).map((batch) => batch.replaced)
  const numbers = replaced.map((systems) => systems?.['sol'])
  expect(numbers).toEqual([0, 1, 2, undefined, 4, 5, undefined, 7, 8, undefined, 10, 11])
})

test('a digest goes with the first clock that has passed the tick it came in', async () => {
  const { clock, world, writer, durable, give } = await openFixture()
  writer.digest({ systemId: 'sol', index: 4096, digest: 'ab' })
  void give()
  await clock.advance(5)
  expect(durable[0].digests).toEqual([])
  world.index = 9000
  void give()
  await clock.advance(5)
  expect(durable[1].digests).toEqual([{ systemId: 'sol', lattice: 4096, digest: 'ab' }])
  void give()
  await clock.advance(5)
  expect(durable[2].digests).toEqual([])
})

test('a hand-off comes with its departure, and is marked by its arrival', async () => {
  const { clock, durable, give } = await openFixture()
  const [first, second] = [1, 2].map((fuel) => handOff(fuel))
  for (const rows of [
    [{ departure: first }],
    [{ arrival: first }, { departure: second }],
    [{ arrival: second }],
    [{ departure: first }, { arrival: first }, { departure: second }, { arrival: second }],
  ]) {
    for (const row of rows) void give(row)
    await clock.advance(5)
  }
  const key = { systemId: 'sol', lattice: 1000, shipId: 'ida' }
  const [a, b] = [first, second].map((ship) => ({ ...key, ship: JSON.stringify(ship) }))
  expect(durable.map(({ departures, arrivals }) => ({ departures, arrivals }))).toEqual([
    { departures: [{ ...a, state: 'departed' }], arrivals: [] },
    { departures: [{ ...b, state: 'departed' }], arrivals: [] },
    { departures: [], arrivals: [{ ...key, state: 'returned' }] },
    { departures: [{ ...b, state: 'returned' }], arrivals: [] },
  ])
})

test('a command is read once, in its turn, when its batch is formed', async () => {
  const { clock, database, sealed, attempts, give } = await openFixture()
  void give()
  await clock.advance(0)
  void give()
  void give()
  await clock.advance(4)
  expect(sealed).toEqual([1])
  database.error = new Error('away')
  await clock.advance(400)
  expect(attempts.length).toBeGreaterThan(2)
  database.error = undefined
  await clock.advance(2000)
  expect(sealed).toEqual([1, 2, 3])
})

test('what is refused alongside rejects its own command, and that stays kept', async () => {
  const { clock, writer, database, durable, give } = await openFixture()
  const alongside = [() => Promise.resolve(), () => Promise.resolve()]
  const taken = new Error('the name is taken')
  database.refused = new Map([[1, taken]])
  const answers = [
    give(),
    give({ alongside: alongside[0] }),
    give(),
    give({ alongside: alongside[1] }),
  ]
  const kept = writer.durable({ sol: 4 })
  await clock.advance(5)
  expect(await Promise.all(answers.map(state))).toEqual(['done', 'done', 'done', taken])
  expect(durable[0].alongside).toEqual(alongside)
  expect(sequences(durable)).toEqual([[1, 2, 3, 4]])
  expect(await state(kept)).toBe('done')
})

test('durable resolves for a sequence, or for all rows and the present clock', async () => {
  const { clock, world, writer, durable, give } = await openFixture()
  expect(await state(writer.durable({ sol: 90 }))).toBe('done')
  void give()
  await clock.advance(0)
  void give()
  world.index = 2000
  const [first, second, all] = [
    writer.durable({ sol: 1 }),
    writer.durable({ sol: 90 }),
    writer.durable(),
  ]
  await clock.advance(5)
  expect(await Promise.all([first, second, all].map(state))).toEqual(['done', 'pending', 'pending'])
  await clock.advance(5)
  expect(await Promise.all([second, all].map(state))).toEqual(['done', 'done'])
  expect(writer.durableIndex()).toBe(2000)
  world.index = 3000
  const clockOnly = writer.durable()
  await clock.advance(5)
  expect(await state(clockOnly)).toBe('done')
  expect(writer.durableIndex()).toBe(3000)
  const nothingNew = writer.durable()
  await clock.advance(0)
  expect(await state(nothingNew)).toBe('done')
  expect(durable).toHaveLength(3)
})

test('an index is not durable while a command at it is not', async () => {
  const { clock, world, writer, give } = await openFixture()
  expect(writer.durableIndex()).toBe(1000)
  void give({ index: 1004 })
  expect(writer.durableIndex()).toBe(1000)
  void give()
  expect(writer.durableIndex()).toBe(999)
  await clock.advance(0)
  expect(writer.durableIndex(), 'on its way').toBe(999)
  world.index = 1064
  void give()
  await clock.advance(5)
  expect(writer.durableIndex(), 'the clock of the batch').toBe(1000)
  await clock.advance(5)
  expect(writer.durableIndex()).toBe(1064)
})

test('commands of two eras never share a batch, and each era has its own clock', async () => {
  const { clock, world, writer, durable, give } = await openFixture()
  void give()
  await clock.advance(0)
  world.index = 1064
  void give()
  writer.digest({ systemId: 'sol', index: 900, digest: 'old' })
  Object.assign(world, { era: 6, index: 10, sequence: 50 })
  expect(writer.durableIndex()).toBe(-Infinity)
  void give()
  await clock.advance(15)
  const found = durable.map(({ era, rows, clock: { lattice }, digests }) => ({
    era,
    sequences: rows.map(({ sequence }) => sequence),
    lattice,
    digests,
  }))
  expect(found).toEqual([
    { era: 5, sequences: [1], lattice: 1000, digests: [] },
    { era: 5, sequences: [2], lattice: 1064, digests: [] },
    { era: 6, sequences: [51], lattice: 10, digests: [] },
  ])
  expect([writer.durableIndex(5), writer.durableIndex()]).toEqual([1064, 10])
})

test('the clock of an era that has just begun is not written for the one before', async () => {
  const { clock, world, durable, give } = await openFixture()
  void give()
  Object.assign(world, { era: 6, index: 10, sequence: 0 })
  await clock.advance(2000)
  const found = durable.map((batch) => [batch.era, batch.clock.lattice, batch.sequences['sol']])
  expect(found).toEqual([
    [5, 1000, 1],
    [6, 10, 0],
  ])
})

test('at rest nothing is written nor admitted, and all before is durable', async () => {
  const { clock, world, writer, attempts, durable, give } = await openFixture()
  void give()
  const { promise: work, resolve: end } = Promise.withResolvers<void>()
  let before = 0
  const rest = writer.atRest(async () => {
    before = durable.length
    await work
    return 'replaced'
  })
  expect(() => writer.admit()).toThrow(expect.objectContaining({ code: 'ERR_JOURNAL_AT_REST' }))
  await clock.advance(5)
  expect(before).toBe(1)
  const late = give()
  world.index = 1064
  const durableAlready = writer.durable()
  await clock.advance(5000)
  expect(attempts).toHaveLength(1)
  expect(await state(durableAlready)).toBe('done')
  Object.assign(world, { era: 6, index: 10, sequence: 0 })
  end()
  expect(await rest).toBe('replaced')
  await clock.advance(10)
  writer.admit()
  await clock.advance(1000)
  expect(durable.slice(1).map(({ era, rows }) => [era, rows.length])).toEqual([
    [5, 1],
    [6, 0],
  ])
  expect(await state(late)).toBe('ERR_JOURNAL_UNKNOWN')
})

test('after a rest the clock of the new world is written at once', async () => {
  const { clock, world, writer, durable } = await openFixture()
  const { promise: work, resolve: end } = Promise.withResolvers<void>()
  const rest = writer.atRest(() => work)
  await clock.advance(10)
  Object.assign(world, { era: 6, index: 10, sequence: 0 })
  end()
  await rest
  await clock.advance(10)
  expect(durable.map((batch) => [batch.era, batch.clock.lattice])).toEqual([[6, 10]])
})

test('a defect after a write ends the process, and is no other owner of the world', async () => {
  const { clock, database, notices, give } = await openFixture()
  // An outcome that names what was never asked for.
  database.refused = new Map([[7, new Error('refused')]])
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  try {
    const rejected = new Promise((resolve) => process.once('unhandledRejection', resolve))
    void give()
    await clock.advance(5)
    expect(await rejected).toBeInstanceOf(TypeError)
  } finally {
    for (const listener of listeners) process.on('unhandledRejection', listener)
  }
  expect(notices.map(([, what]) => what)).not.toContain('fenced')
})
