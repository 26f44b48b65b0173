// Goal: a start continues the world as it was last journalled, to the bit, and refuses what it
// cannot continue. Method: the game without a network on a real database, broken off, and stored
// rows changed by hand between two starts; ships fly on this thread, and once in another.
import { createPool, inside } from '@orrery/engine/testing'
import { PHYSICS } from '@orrery/sim'
import { audit, claimSystems, eras, settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recoverUniverse } from '../../src/world/recovery.ts'
import {
  type TestGame,
  type TestGameConfig,
  callingThread,
  latePool,
  openGameDatabase,
  openTestGame,
  until,
} from '../game-fixture.ts'

const LOGGER = { info: () => undefined, error: () => undefined, fatal: () => undefined }

const { database, empty } = await openGameDatabase()
const { sql } = database

/** Ten seconds of game time. */
const TICK = { tickRate: 10, timeScale: 100 }

let game: TestGame

beforeEach(async () => {
  await empty()
  await settings(sql).save(TICK)
  await restart()
})

afterEach(() => game.crash())

/** Five minutes of a ship that turns, burns and is renamed three times; then the crash. */
async function flownAndCrashed(): Promise<Awaited<ReturnType<TestGame['engine']['image']>>> {
  const { engine, journalWriter } = game
  const shipId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  await engine.execute({ kind: 'create_ship', shipId, name: 'Ida' })
  await game.fly(1)
  engine.control(shipId, { pointing: 'prograde', thrustLevel: 0.5 })
  for (const name of ['First', 'Second', 'Third']) {
    await game.fly(1)
    await engine.execute({ kind: 'rename_ship', shipId, name })
  }
  await game.fly(26)
  // A digest is kept with a clock that is past it, so the last tick must have none.
  const { digests } = game
  for (let known = -1; known < digests.length;) {
    known = digests.length
    await game.fly(1)
  }
  await journalWriter.durable()
  const image = await engine.image()
  await game.crash()
  return image
}

async function restart(changes: Partial<TestGameConfig> = {}): Promise<void> {
  game = await openTestGame(database, { createPool: callingThread, ...changes })
}

/** What a start is refused with. */
async function refusedStart(): Promise<unknown> {
  return restart().then(
    () => 'nothing',
    (error: unknown) => error,
  )
}

test('a world that breaks off comes back as it was journalled, to the bit', async () => {
  const { lattice: start } = (await game.records.snapshots.list())[0]
  const before = await flownAndCrashed()
  const { events, digests } = game
  expect(events.map(({ eventType }) => eventType)).toEqual(['started', 'completed'])
  expect(digests.length).toBeGreaterThan(2)
  await restart({ createPool: latePool })
  expect(game.opened.header).toEqual(before.header)
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  // Their ticks are those of the clocks that stay, one each second.
  const known = events.map((event) => ({ ...event, tick: expect.any(Number) }))
  expect(game.recoveredEvents).toEqual(known)
  expect(game.replay).toEqual({ digests: digests.length, mismatches: 0 })
  expect(game.log).toEqual([
    [
      'info',
      'world recovered',
      {
        snapshot: 1,
        era: 1,
        commands: 5,
        game_seconds: (before.header.worlds[0].index - start) / 64,
        digests: digests.length,
        duration_ms: Math.round(game.caughtUpMs),
      },
    ],
  ])
  expect(game.caughtUpMs).toBeGreaterThan(0)
  expect(await eras(sql).list()).toMatchObject([{ era: 1, reason: 'new', snapshotId: 1 }])
  const { tick } = game.engine.status()
  await game.fly(3)
  expect(game.engine.status()).toMatchObject({ tick: tick + 3, ships: 1 })
})

test('a clean stop leaves nothing to fly again', async () => {
  await game.fly(3)
  await game.keeper.stop()
  const { tick } = game.engine.status()
  await restart()
  const details = { snapshot: 2, commands: 0, game_seconds: 0, digests: 0 }
  expect(game.log).toMatchObject([['info', 'world recovered', details]])
  expect(game.engine.status().tick).toBe(tick)
})

test('what an older physics has journalled is refused, what it has stored is not', async () => {
  const olderPhysics = async (): Promise<void> => {
    await sql`update snapshot set physics = physics - 1`
  }
  const refusal = { name: 'RecoveryError', code: 'ERR_RECOVERY' }
  await game.fly(3)
  await game.keeper.stop()
  await olderPhysics()
  await restart()
  await game.fly(1)
  await game.journalWriter.durable()
  await game.crash()
  await restart()
  expect(game.log, 'its journal goes on from a world of its own').toMatchObject([
    ['info', 'world recovered', { snapshot: 3, game_seconds: 10 }],
  ])
  await game.fly(1)
  await game.journalWriter.durable()
  await game.crash()
  await olderPhysics()
  const error = await refusedStart()
  expect(error, 'time without commands').toMatchObject(refusal)
  expect(String(error)).toContain(`was written by a release with physics ${PHYSICS - 1}`)
  await sql`update snapshot set physics = physics + 1`
  await restart()
  await game.accountChanges.createPlayer('Ida', 'password')
  await game.keeper.snapshot()
  await game.engine.execute({ kind: 'maneuver_logging', level: 'verbose' })
  await game.crash()
  await olderPhysics()
  expect(await refusedStart(), 'commands without time').toMatchObject(refusal)
})

test('a world of a newer physics is refused, also where an older one is stored', async () => {
  await game.keeper.snapshot()
  await game.crash()
  await sql`update snapshot set physics = physics + 1 where id = (select max(id) from snapshot)`
  const error = await refusedStart()
  expect(error).toMatchObject({ name: 'RecoveryError', code: 'ERR_RECOVERY_NEWER' })
  expect(String(error)).toContain(`physics ${PHYSICS + 1}, this one has ${PHYSICS}`)
})

test('a stored world that is damaged or does not open gives way to an older one', async () => {
  await game.keeper.snapshot()
  await game.fly(1)
  await game.keeper.snapshot()
  const before = await flownAndCrashed()
  await sql`update snapshot set checksum = 'x' || substr(checksum, 2) where id = 3`
  await sql`update snapshot set header = '{}' where id = 2`
  await restart()
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  expect(game.log).toMatchObject([
    ['error', 'a stored world is unusable; taking an older one', { snapshot: 3 }],
    ['error', 'a stored world does not open', { snapshot: 2 }],
    ['info', 'world recovered', { snapshot: 1 }],
  ])
  for (const [, , details] of game.log.slice(0, 2)) {
    expect(details).toMatchObject({ reason: expect.stringMatching(/\w/) })
  }
  await game.crash()
  await sql`update snapshot set header = '{}'`
  expect(await refusedStart()).toMatchObject({
    code: 'ERR_RECOVERY',
    message: 'No stored world of era 1 opens (snapshots: 3, 2, 1)',
  })
})

test('no world is opened whose journal is no longer there', async () => {
  const { snapshots } = game.records
  await game.fly(1)
  const [first, admin] = [1, (await game.keeper.snapshot()).id]
  await game.keeper.stop()
  const [{ id: begin }] = await snapshots.list()
  await sql`update era set snapshot_id = ${begin}`
  await sql`update snapshot set header = '{}' where id = ${begin}`
  expect(await refusedStart()).toMatchObject({
    message: `No stored world of era 1 opens (snapshots: ${begin})`,
  })
  expect((await snapshots.list()).map(({ id }) => id)).toEqual([begin, admin, first])
})

test('a digest that differs is logged, and the world continues in a new era', async () => {
  expect(game.replay, 'a new world').toBeUndefined()
  const before = await flownAndCrashed()
  const [{ lattice, digest }] = await sql`
    update digest set digest = ${'0'.repeat(32)}
    where system = 'sol' and lattice = (select min(lattice) from digest)
    returning lattice::float8, digest`
  await restart()
  expect(game.opened.header).toEqual(before.header)
  expect(game.replay?.mismatches).toBe(1)
  const [, fatal, ...more] = game.log
  expect(fatal).toEqual([
    'fatal',
    'the world did not come out as it was kept',
    {
      era: 1,
      system: 'sol',
      index: lattice,
      kept: digest,
      found: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ])
  expect(more).toEqual([])
  expect(game.records.kept.settings.era).toBe(2)
  expect(await eras(sql).list()).toMatchObject([
    { era: 1, reason: 'new', snapshotId: 1 },
    { era: 2, reason: 'mismatch', snapshotId: 2 },
  ])
  expect(await audit(sql).list({ limit: 1 })).toMatchObject([
    { actor: null, action: 'digest_mismatch', detail: { era: 1, digests: 1, next_era: 2 } },
  ])
  expect(game.caughtUpMs, 'the next start has nothing to fly again').toBe(0)
  await game.crash()
  await restart()
  expect(game.log).toMatchObject([['info', 'world recovered', { snapshot: 2, commands: 0 }]])
  expect(game.opened.header).toEqual(before.header)
})

test('an era without a stored world is new, unless it has commands', async () => {
  const { snapshots, journal } = game.records
  const recover = (era: number): Promise<unknown> =>
    recoverUniverse({
      clock: game.clock,
      snapshots,
      journal,
      era,
      firstId: 0,
      shipsMax: 256,
      createPool: () => expect.unreachable(),
      onManeuver: () => undefined,
      logger: LOGGER,
    })
  expect(await recover(8)).toBeUndefined()
  await game.engine.execute({ kind: 'maneuver_logging', level: 'verbose' })
  await sql`update clock set era = 8`
  expect(await recover(8)).toBeUndefined()
  await sql`update journal set era = 8`
  await expect(recover(8)).rejects.toMatchObject({
    code: 'ERR_RECOVERY',
    message: 'No stored world of era 8 opens (snapshots: none)',
  })
})

test('threads end when the journal cannot be replayed', async () => {
  await flownAndCrashed()
  await sql`update journal set command = '{"kind":"unknown"}' 
    where sequence = (select max(sequence) from journal)`
  const { snapshots, journal } = game.records
  const closings: unknown[] = []
  const recovery = recoverUniverse({
    clock: game.clock,
    snapshots,
    journal,
    era: 1,
    firstId: 0,
    shipsMax: 256,
    createPool: (universe) => {
      const pool = createPool(inside(universe), 1, () => undefined)
      closings.push(vi.spyOn(pool, 'close'))
      return pool
    },
    onManeuver: () => undefined,
    logger: LOGGER,
  })
  await expect(recovery).rejects.toMatchObject({ code: 'ERR_REPLAY' })
  expect(closings).toHaveLength(1)
  expect(closings[0]).toHaveBeenCalledOnce()
})

test('each system goes on from its newest snapshot, also one that another owner took', async () => {
  const { engine, journalWriter, keeper, records } = game
  const [first, lost] = engine.universe.worlds.map(({ state }) => state.system.id)
  const shipId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  await engine.execute({ kind: 'create_ship', shipId, name: 'Ida' })
  await engine.execute({ kind: 'transfer_ship', shipId, systemId: lost })
  await game.fly(3)
  await journalWriter.durable()
  await claimSystems(sql, { systemIds: [lost] })
  await game.fly(1)
  await journalWriter.durable()
  expect(journalWriter.metrics().stopped).toMatchObject([{ systemId: lost }])
  await engine.pause()
  keeper.start()
  await game.clock.advance(60_000)
  await until(async () => (await records.snapshots.list()).length === 2)
  const [{ sequences, id }] = await records.snapshots.list()
  expect(sequences).toHaveProperty([first])
  expect(sequences, 'the system that was taken is left out').not.toHaveProperty([lost])
  expect(await keeper.list('all'), 'what lacks a system is not offered').toMatchObject([{ id: 1 }])
  expect(await keeper.restore(id)).toBeUndefined()
  await engine.resume()
  await game.fly(2)
  await journalWriter.durable()
  const image = await engine.image()
  await game.crash()
  await restart()
  expect(game.opened.header).toEqual(image.header)
  expect(Buffer.compare(game.opened.bytes, image.bytes)).toBe(0)
  expect(game.errors).toEqual([])
})
