/**
 * Law: a star system is taken in from its image and the commands since, or let go, between two
 * ticks, and no bit of it or of the others differs from those of a twin that flew all of them all
 * the time. Method: two engines on one simulated clock, under the same orders.
 */
import {
  type CommandJournal,
  type KeptRow,
  type SystemDigest,
  type Universe,
  createGameClock,
  createReplay,
  restoreWorld,
  withWorld,
  withoutWorld,
  worldImage,
  worldNamed,
} from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { pair } from '../busy-world.ts'
import { callingThread } from '../globe.ts'
import { livelySystems } from '../objects/two-systems.ts'
import { testEngine } from '../test-engine.ts'

interface Flown {
  readonly engine: ReturnType<typeof testEngine>['engine']
  readonly digests: SystemDigest[]
  readonly rows: KeptRow[]
  advance(this: void, seconds: number): Promise<void>
}

function flown(universe: Universe): Flown {
  const digests: SystemDigest[] = []
  const rows: KeptRow[] = []
  const journal: CommandJournal = {
    admit: () => undefined,
    keep: (row) => {
      if (row.systemId !== 'pair') return Promise.resolve()
      rows.push({ sequence: row.sequence, index: row.index, command: row.seal() })
      return Promise.resolve()
    },
  }
  const { engine, clock } = testEngine({
    universe,
    journal,
    timeScale: 10,
    onDigest: (digest) => digests.push(digest),
  })
  return { engine, digests, rows, advance: (seconds) => clock.advance(1000 * seconds) }
}

function keysOf(digests: readonly SystemDigest[], systemId: string): string[] {
  return digests.flatMap((one) => (one.systemId === systemId ? `${one.index} ${one.digest}` : []))
}

it('a system that is let go and taken in again has the bits of one that stayed', async () => {
  const [twin, own] = [flown(livelySystems()), flown(livelySystems())]
  const both = async (act: (one: Flown) => unknown): Promise<void> => {
    await act(twin)
    await act(own)
  }
  const steer = (shipId: string, thrustLevel: number) => (one: Flown) =>
    one.engine.control(shipId, { thrustLevel, pointing: 'prograde' })
  const { engine, digests } = own
  await both(steer('ship-0', 0.5))
  await both(steer('ship-3', 0.25))
  await both((one) => one.advance(8))
  const before = worldNamed(engine.universe, 'pair')
  const image = worldImage(before, createGameClock(before.index), engine.status().tick)
  await both(steer('ship-7', 0.75))
  await both((one) => one.advance(3))

  const alone = withoutWorld(engine.universe, 'pair')
  const letGo = engine.regroup({ universe: alone, pool: callingThread(...alone.worlds) })
  await both((one) => one.advance(1))
  await letGo
  expect(await engine.ship('ship-3')).toBeUndefined()
  steer('ship-3', 0)(twin)
  await both((one) => one.advance(12))

  const { world } = restoreWorld(image, { system: pair(), shipsMax: 1024 })
  const replay = createReplay({
    world,
    pool: undefined,
    onDigest: (digest) => digests.push(digest),
  })
  const rows = twin.rows.filter(({ sequence }) => sequence > image.header.sequence)
  for (const row of rows) await replay.apply(row)
  // Two ticks behind the others.
  await replay.flyTo(engine.universe.worlds[0].index - 128, 0)
  const joined = withWorld(engine.universe, world)
  const takenIn = engine.regroup({ universe: joined, pool: callingThread(...joined.worlds) })
  await both((one) => one.advance(8))
  await takenIn
  await both(steer('ship-3', 0.5))
  await both((one) => one.advance(8))

  for (const systemId of ['alone', 'pair']) {
    const [theirs, ours] = [twin, own].map((one) => {
      const made = worldNamed(one.engine.universe, systemId)
      return worldImage(made, createGameClock(made.index), 0)
    })
    expect(ours.header).toEqual(theirs.header)
    expect(Buffer.compare(ours.bytes, theirs.bytes)).toBe(0)
  }
  // The first digest of a restored world is one that begins after its image.
  const since = ({ index }: SystemDigest): boolean => index > image.header.index
  const known = keysOf(twin.digests.filter(since), 'pair')
  expect(keysOf(digests.filter(since), 'pair')).toEqual(known)
  expect(known.length).toBeGreaterThan(3)
})

it('a system that is ahead of the others is not taken in', async () => {
  const { engine, advance } = flown(livelySystems())
  const alone = withoutWorld(engine.universe, 'pair')
  const pairWorld = worldNamed(engine.universe, 'pair')
  const without = engine.regroup({ universe: alone, pool: callingThread(...alone.worlds) })
  await advance(1)
  await without
  pairWorld.index = alone.worlds[0].index + 64
  const ahead = withWorld(alone, pairWorld)
  const refused = engine.regroup({ universe: ahead, pool: callingThread(...ahead.worlds) })
  const outcome = refused.catch((error: unknown) => error)
  await advance(1)
  expect(await outcome).toMatchObject({ code: 'ERR_REPLAY' })
  expect(engine.universe.worlds).toHaveLength(1)
})
