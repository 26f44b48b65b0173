/**
 * Law: what is kept of a star system makes it again, to the bit. Goal: two systems that are
 * steered, paused, hurried and changed at random, with ships that go from one to the other, leave
 * rows and clock points; a replay of each from its own rows alone, from any image, also with
 * commands waiting, gives the same digests and events and ends in the same image, byte by byte, on
 * one thread as on several. Who follows the records of trajectories meanwhile knows every ship of a
 * star system and no other, whatever happens to ships: they appear and leave, go to other systems,
 * freeze, fire rules, and lose what they point at, also while time is paused.
 */
import {
  type ImageHeader,
  type KeptCommand,
  type KeptRow,
  type ManeuverEvent,
  type ShipNotice,
  type SystemDigest,
  type World,
  addShip,
  applyCommand,
  createGameClock,
  createPool,
  createReplay,
  parseKeptCommand,
  restoreUniverse,
  universeImage,
  worldImage,
} from '@orrery/engine/testing'
import { BLOCK_QUANTA, ORDERS_MAX, SHIP_COLUMNS } from '@orrery/sim'
import { testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { START_INDEX, globeWorld } from '../globe.ts'
import { SHIPS_MAX, SYSTEMS, recordedLife } from './recorded-life.ts'
import { receivedLife } from '../trajectories/received-life.ts'

const SEED = testSeed('replay')
const received = receivedLife()
const life = await recordedLife(SEED, received.follow)

interface Outcome {
  readonly seed: number
  readonly digests: readonly SystemDigest[]
  readonly notices: readonly ShipNotice[]
  readonly maneuvers: readonly ManeuverEvent[]
  readonly headers: readonly ImageHeader[]
  /** of the closing image's bytes */
  readonly bytes: string
}

/** Only the number of the tick depends on how time was cut. */
const untimed = (event: ManeuverEvent): ManeuverEvent => ({ ...event, tick: 0 })
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** In the order of systems: what happens in one has no order with what happens in another. */
const bySystem = <One extends { readonly systemId: string }>(all: readonly One[]): One[] =>
  all.toSorted((a, b) => a.systemId.localeCompare(b.systemId))
/** Without what commands alone cause. */
const byShip = (notices: readonly ShipNotice[]): ShipNotice[] =>
  notices
    .filter(({ kind }) => kind !== 'rules_dropped' && kind !== 'transferred')
    .toSorted((a, b) => a.index - b.index || a.shipId.localeCompare(b.shipId))

/** What the recorded systems have published since one of their images. */
function recordedSince(from: number): Outcome {
  const { image, ...before } = life.images[from]
  return {
    seed: SEED,
    digests: bySystem(life.digests.filter(({ index }) => index > image.header.worlds[0].index)),
    notices: byShip(life.notices.slice(before.notices)),
    maneuvers: bySystem(life.maneuvers.slice(before.maneuvers).map(untimed)),
    headers: life.end.header.worlds,
    bytes: hashOf(life.end.bytes),
  }
}

/** Makes the systems again from one of their images, one after the other. */
async function replayedSince(from: number, threads: number): Promise<Outcome> {
  const { image } = life.images[from]
  const room = { systems: SYSTEMS, shipsMax: SHIPS_MAX }
  const { universe } = restoreUniverse(structuredClone(image), room)
  const fail = (error: unknown): void => expect.fail(`SEED=${SEED}: ${String(error)}`)
  const pool = threads > 0 ? createPool(universe, threads, fail) : undefined
  const digests: SystemDigest[] = []
  const maneuvers: ManeuverEvent[] = []
  const notices: ShipNotice[] = []
  for (const [place, world] of universe.worlds.entries()) {
    const { index, sequence, system } = image.header.worlds[place]
    const replay = createReplay({
      world,
      pool,
      place,
      onDigest: (digest) => digests.push(digest),
      onManeuver: (event) => maneuvers.push(untimed(event)),
      onEvent: (notice) => notices.push(notice),
    })
    for (const { rows, clock } of life.batches) {
      if (clock.index < index) continue
      for (const row of rows) {
        if (row.systemId === system.id && row.sequence > sequence) await replay.apply(row)
      }
      await replay.flyTo(clock.index, clock.tick)
    }
  }
  await pool?.close()
  const { clock } = life.batches.at(-1)!
  const [remainder, denominator] = clock.remainder.map(BigInt)
  const end = universeImage(universe, { index: clock.index, remainder, denominator }, clock.tick)
  return {
    seed: SEED,
    digests: bySystem(digests),
    notices: byShip(notices),
    maneuvers: bySystem(maneuvers),
    headers: end.header.worlds,
    bytes: hashOf(end.bytes),
  }
}

/** Commands of a kind in a system's journal. */
function count(systemId: string, wanted: KeptCommand['kind']): number {
  const rows = life.batches.flatMap((batch) => batch.rows)
  const kinds = rows.map((row) => row.systemId === systemId && parseKeptCommand(row.command).kind)
  return kinds.filter((kind) => kind === wanted).length
}

describe('a recorded life', () => {
  it('is a full one', () => {
    const has = {
      rows: life.batches.flatMap(({ rows }) => rows).length > byTier({ gate: 300, night: 500 }),
      digests: life.digests.length > 2,
      waiting: life.images.some(({ image }) =>
        image.header.worlds.some(({ pending }) => pending > 0),
      ),
      arrivals: ['alone', 'pair'].every((systemId) => count(systemId, 'arrive_ship') > 0),
      freezes: count('pair', 'freeze_ship') > 0,
      notices: new Set(life.notices.map(({ kind }) => kind)).size > 1,
      rules: life.notices.filter(({ kind }) => kind === 'rule').length > 3,
      refusals: life.refusals.size > 3,
    }
    const all = Object.fromEntries(Object.keys(has).map((name) => [name, true]))
    expect({ seed: SEED, ...has }).toEqual({ seed: SEED, ...all })
  })

  it('is sent to clients, publication by publication', () => {
    expect(received.publications()).toBeGreaterThan(100)
    expect(received.difference()).toBeUndefined()
  })

  const whole = ['from its beginning', 0, 0] as const
  const byThreads = ['from its midst by threads', 2, 2] as const
  const more = [['by threads', 1, 2] as const, ['from its midst', 2, 0] as const]
  const ways = [whole, byThreads]
  it.each(byTier({ gate: ways, night: [...ways, ...more] }))(
    'is made again %s',
    async (_, from, threads) => {
      expect(await replayedSince(from, threads)).toEqual(recordedSince(from))
    },
  )
})

const SHIP = 'ship'

function lonely(): World {
  const world = globeWorld()
  addShip(world, SHIP, 'Nostromo')
  return world
}

const steering = (sequence: number, index: number, thrustLevel = 0.5, ship = 1): KeptRow => ({
  sequence,
  index,
  command: { kind: 'control', ship, control: { thrustLevel } },
})

/** Replays rows from the lonely ship's beginning, three blocks on. */
async function digestsOf(world: World, rows: readonly KeptRow[]): Promise<string[]> {
  const digests: string[] = []
  const onDigest = ({ digest }: SystemDigest): number => digests.push(digest)
  const replay = createReplay({ world, pool: undefined, onDigest })
  for (const row of rows) await replay.apply(row)
  await replay.flyTo(START_INDEX + 3 * BLOCK_QUANTA, 1)
  return digests
}

describe('a replay', () => {
  it('is another one where one row is changed', async () => {
    const digests = await digestsOf(lonely(), [steering(1, START_INDEX + 8)])
    expect(digests.length).toBe(2)
    expect(await digestsOf(lonely(), [steering(1, START_INDEX + 8)])).toEqual(digests)
    expect(await digestsOf(lonely(), [steering(1, START_INDEX + 8, 0.25)])).not.toEqual(digests)
    expect(await digestsOf(lonely(), [steering(1, START_INDEX + 12)])).not.toEqual(digests)
  })

  it.each<[string, KeptRow]>([
    ['comes again', steering(1, START_INDEX + 400)],
    ['leaves one out', steering(3, START_INDEX + 400)],
    ['acts in the past', steering(2, START_INDEX + 256)],
    ['acts between two boundaries', steering(2, START_INDEX + 401)],
    ['acts at no index', steering(2, NaN)],
    ['steers no ship', steering(2, START_INDEX + 400, 1, 7)],
    ['steers as no ship can', steering(2, START_INDEX + 400, 1.5)],
    ['is of no kind', { sequence: 2, index: START_INDEX + 400, command: { kind: 'wish' } }],
    [
      'was refused',
      {
        sequence: 2,
        index: START_INDEX + 400,
        command: { kind: 'create_ship', shipId: SHIP, name: 'Again' },
      },
    ],
    [
      'changes the past',
      { sequence: 2, index: START_INDEX + 255, command: { kind: 'remove_ship', shipId: SHIP } },
    ],
  ])('refuses a row that %s, by its number', async (_, row) => {
    const replay = createReplay({ world: lonely(), pool: undefined })
    await replay.apply(steering(1, START_INDEX + 8))
    await replay.flyTo(START_INDEX + 256, 1)
    await expect(replay.apply(row)).rejects.toMatchObject({
      code: 'ERR_REPLAY',
      message: expect.stringContaining(`Command ${row.sequence} `) as string,
    })
    await expect(replay.flyTo(START_INDEX, 1)).rejects.toMatchObject({ code: 'ERR_REPLAY' })
  })

  it.runIf(IS_NIGHT)('takes more commands at once than act in a tick', async () => {
    const crowd = (): World => {
      const world = globeWorld()
      while (world.roster.byId.size < world.state.slots) {
        addShip(world, `ship-${world.roster.byId.size}`, 'Ship')
      }
      return world
    }
    const ships = crowd().state.slots
    const perShip = 16
    const perBoundary = perShip * ships
    const boundaries = Math.ceil((1.1 * ORDERS_MAX) / perBoundary)
    const rows = Array.from({ length: boundaries * perBoundary }, (_, i) => {
      const boundary = Math.floor(i / perBoundary)
      const level = ((i * 31) % 97) / 97
      return steering(i + 1, START_INDEX + 4 * (boundary + 1), level, (i % ships) + 1)
    })
    const imageOf = async (clockEvery: number): Promise<Uint8Array> => {
      const world = crowd()
      const replay = createReplay({ world, pool: undefined })
      for (const [i, row] of rows.entries()) {
        await replay.apply(row)
        if ((i + 1) % clockEvery === 0) await replay.flyTo(row.index, 1)
      }
      await replay.flyTo(rows.at(-1)!.index, 1)
      return worldImage(world, createGameClock(world.index), 1).bytes
    }
    expect(Buffer.compare(await imageOf(Infinity), await imageOf(perBoundary))).toBe(0)
  })

  it('finds nothing that ships have left behind', () => {
    const world = lonely()
    addShip(world, 'other', 'Other')
    for (const shipId of [SHIP, 'other']) applyCommand(world, { kind: 'remove_ship', shipId })
    for (const { name, components } of SHIP_COLUMNS) {
      const [left, , never] = [0, 1, 2].map((slot) =>
        world.state.ships[name].slice(slot * components, (slot + 1) * components),
      )
      expect(left, `column ${name}`).toEqual(never)
    }
  })

  it('labels events with the tick that it flies to', async () => {
    const ticks: number[] = []
    const replay = createReplay({
      world: lonely(),
      pool: undefined,
      onManeuver: ({ tick }) => ticks.push(tick),
    })
    const turn = { kind: 'control', ship: 1, control: { pointing: 'prograde' } }
    await replay.apply({ sequence: 1, index: START_INDEX + 8, command: turn })
    await replay.apply({
      sequence: 2,
      index: START_INDEX + 64,
      command: { kind: 'remove_ship', shipId: SHIP },
    })
    expect(ticks).toEqual([])
    await replay.flyTo(START_INDEX + 128, 42)
    // Of the turn its start and its end, and the ship is removed.
    expect(ticks).toEqual([42, 42, 42])
  })
})
