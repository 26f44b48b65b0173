/**
 * Law: an order that would fail after burns fails before its first one, by a row of the journal,
 * and no other order ends by that. Goal: a dock at the Moon that is known to miss after seven days,
 * and one at Neptune whose fuel ends on the way; what is burnt, replaced, good, or without room is
 * left alone.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import {
  type CommandRow,
  type Engine,
  type ManeuverEvent,
  type ShipNotice,
  type World,
  type WorldCommand,
  applyCommand,
  createGameClock,
  createReplay,
  worldImage,
} from '@orrery/engine/testing'
import type { ManeuverOrder } from '@orrery/sim'
import type { SimulatedClock } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { createPreflight } from '../../src/prediction/preflight.ts'
import { callingThread } from '../globe.ts'
import { type PlacedState, type SolFlight, solFlight } from '../maneuvers/sol-flight.ts'
import { testEngine } from '../test-engine.ts'

const DAY = 86_400

const FAR: PlacedState = {
  body: 'Moon',
  position: [-2_650_150.8554563494, 20_639_431.907452766, 13_097_933.059066057],
  velocity: [264.18822111755907, 380.370076874475, 278.9418272180601],
}
const NEAR_NEPTUNE: PlacedState = {
  body: 'Neptune',
  position: [19_637_779.75610953, 46_947_297.334245875, -1_320_670.718776434],
  velocity: [-5868.224348965215, 2697.3990545132347, 9659.199033323574],
}
const dockAt = (stationId: string): ManeuverOrder => {
  return { maneuver: 'dock', stationId, timeout: 3e7, params: [] }
}
const DOOMED = dockAt('Moon')
const GOOD: ManeuverOrder = { maneuver: 'circularize', timeout: 3e7, params: [] }

function flightNear(body = 'Moon'): SolFlight {
  const flight = solFlight()
  const altitude = 0.08 * solSystem.bodies[bodyIndex(solSystem, body)].radius
  const station = { stationId: body, name: body, parentBody: body }
  const placement = { kind: 'orbit', altitude } as const
  applyCommand(flight.world, { kind: 'create_station', ...station, placement })
  return flight
}

/** A world that ticks, with everything that comes out of it. */
interface Life {
  readonly engine: Engine
  readonly clock: SimulatedClock
  readonly world: World
  readonly rows: CommandRow[]
  readonly maneuvers: ManeuverEvent[]
  readonly notices: ShipNotice[]
}

function lifeOf(flight: SolFlight, ships: readonly string[], place = FAR): Life {
  const { world } = flight
  for (const name of ships) flight.add(name, place)
  const rows: CommandRow[] = []
  const maneuvers: ManeuverEvent[] = []
  const notices: ShipNotice[] = []
  const { engine, clock } = testEngine({
    world,
    pool: callingThread(world),
    gameClock: createGameClock(world.index),
    journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
    onManeuver: (event) => void maneuvers.push(event),
    onEvent: (notice) => void notices.push(notice),
  })
  return { engine, clock, world, rows, maneuvers, notices }
}

const unexpected = (error: unknown): void => expect.fail(String(error))

const IN_VAIN = [
  [FAR, 'unreachable', 'would fail in 8 days: the target cannot be reached'],
  [NEAR_NEPTUNE, 'out_of_fuel', 'would fail in 5.31 hours: the fuel does not suffice'],
] as const

it.each(IN_VAIN)('fails before its first burn, %#', async (place, reason, why) => {
  const { body } = place
  const maneuver = dockAt(body)
  const alone = flightNear(body)
  const ship = alone.add('one', place)
  alone.order(ship, maneuver)
  const flown = await alone.flyToEnd(ship, 8 * DAY)
  expect(flown?.eventType).toBe('failed')
  expect(alone.world.state.ships.fuel[ship.slot]).toBeLessThan(9990)

  const life = lifeOf(flightNear(body), ['one'], place)
  const { engine, clock, world, rows, maneuvers, notices } = life
  const preflight = createPreflight(engine, unexpected)
  engine.control('one', { maneuver })
  await clock.advance(1000)
  const since = maneuvers.find(({ eventType }) => eventType === 'started')!.index
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toEqual({ good: 0, ended: 1, late: 0, unknown: 0, noRoom: 0 })
  const endsAt = flown!.index
  const command = rows.at(-1)!.seal()
  expect(command).toEqual({ kind: 'fail_maneuver', shipId: 'one', since, reason, endsAt })
  const statusText = `Flown ahead, it ${why}`
  expect(maneuvers.at(-1)).toMatchObject({ eventType: 'failed', index: world.index, statusText })
  const note = { type: 'dock', reason, statusText }
  expect(notices.at(-1)).toMatchObject({ kind: 'maneuver_failed', shipId: 'one', maneuver: note })
  const view = await engine.ship('one')
  expect(view).toMatchObject({ fuel: 10_000, maneuver: null, thrustLevel: 0 })
  expect(view?.lastManeuver).toMatchObject({ outcome: 'failed', reason, statusText })
  preflight.stop()
  await clock.advance(30_000)
  await engine.pause()

  const again = flightNear(body)
  again.add('one', place)
  const replayed: ManeuverEvent[] = []
  const onManeuver = (event: ManeuverEvent): void => void replayed.push({ ...event, tick: 0 })
  const replay = createReplay({ world: again.world, pool: undefined, onManeuver })
  for (const row of rows) {
    const { index, sequence } = row
    await replay.apply({ index, sequence, command: JSON.parse(JSON.stringify(row.seal())) })
  }
  await replay.flyTo(world.index, 0)
  expect(replayed).toEqual(maneuvers.map((event) => ({ ...event, tick: 0 })))
  const imageOf = (one: World) => worldImage(one, createGameClock(one.index), 0)
  expect(imageOf(again.world)).toEqual(imageOf(world))
  await engine.stop()
})

it('leaves alone an order that ends as it should', async () => {
  const { engine, clock, rows } = lifeOf(flightNear(), ['one'])
  const preflight = createPreflight(engine, unexpected)
  engine.control('one', { maneuver: GOOD })
  await clock.advance(1000)
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toMatchObject({ good: 1, ended: 0 })
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toMatchObject({ good: 1 })
  expect(rows).toHaveLength(1)
  preflight.stop()
  await engine.stop()
})

const BETWEEN: Readonly<Record<string, (life: Life) => Promise<unknown>>> = {
  replaced: async ({ engine, clock }) => {
    engine.control('one', { maneuver: GOOD })
    await clock.advance(1000)
  },
  aborted: async ({ engine, clock }) => {
    engine.control('one', { pointing: 'rest', abort: true })
    await clock.advance(1000)
  },
  removed: ({ engine }) => engine.execute({ kind: 'remove_ship', shipId: 'one' }),
  burnt: async ({ engine, clock }) => {
    engine.hurryTo(engine.status().gameTimeMs + 6.9 * 1000 * DAY)
    await clock.advance(70_000)
    expect((await engine.ship('one'))?.fuel).toBeLessThan(9999)
  },
}

it.each(Object.entries(BETWEEN))('does nothing about one that is %s by then', async (_, act) => {
  const life = lifeOf(flightNear(), ['one'])
  const { engine, clock, maneuvers } = life
  const commanded = {
    universe: engine.universe,
    whenSettled: <Result>(read: () => Result) => engine.whenSettled(read),
    execute: async (command: WorldCommand) => {
      await act(life)
      return engine.execute(command)
    },
  }
  const preflight = createPreflight(commanded, unexpected)
  engine.control('one', { maneuver: DOOMED })
  await clock.advance(1000)
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toMatchObject({ ended: 0, late: 1 })
  expect(maneuvers.map(({ eventType }) => eventType)).not.toContain('failed')
  preflight.stop()
  await engine.stop()
})

it('leaves alone what rules of the pilot change, and what follows another pilot', async () => {
  const { engine, clock, world } = lifeOf(flightNear(), ['ruled', 'led', 'leader'])
  const preflight = createPreflight(engine, unexpected)
  const condition = { kind: 'time', above: world.index + 64 * DAY } as const
  const rule = { ruleId: 'r', name: 'Look', source: '{}', once: true, armed: true, condition }
  await engine.execute({ kind: 'create_rule', shipId: 'ruled', rule })
  engine.control('ruled', { maneuver: DOOMED })
  const ship = engine.shipNumber('led', 'leader')
  engine.control('led', { maneuver: { ...GOOD, maneuver: 'rendezvous', ship } })
  engine.control('leader', { thrustLevel: 0.1 })
  await clock.advance(1000)
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toEqual({ good: 0, ended: 0, late: 0, unknown: 2, noRoom: 0 })
  preflight.stop()
  await engine.stop()
})

it('leaves a star system to its owner, and takes it up once it owns it', async () => {
  const { engine, clock, world } = lifeOf(flightNear(), ['one'])
  const preflight = createPreflight(engine, unexpected)
  engine.control('one', { maneuver: DOOMED })
  await clock.advance(1000)
  world.isFollowed = true
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toMatchObject({ ended: 0, late: 0 })
  world.isFollowed = false
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toMatchObject({ ended: 1 })
  preflight.stop()
  await engine.stop()
})

it('flies what is far once more, when nothing else waits', async () => {
  const { engine, clock } = lifeOf(flightNear(), ['far', 'one'])
  const preflight = createPreflight(engine, unexpected, { firstMs: 0 })
  for (const shipId of ['far', 'one']) engine.control(shipId, { maneuver: DOOMED })
  await clock.advance(1000)
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toEqual({ good: 0, ended: 2, late: 0, unknown: 0, noRoom: 0 })
  preflight.stop()
  await engine.stop()
})

it('counts what finds no room', async () => {
  const ships = ['a', 'b', 'c', 'd']
  const { engine, clock } = lifeOf(flightNear(), ships)
  const preflight = createPreflight(engine, unexpected, { waitingMax: 3 })
  for (const shipId of ships) engine.control(shipId, { maneuver: GOOD })
  await clock.advance(1000)
  await preflight.look()
  await preflight.settled()
  expect(preflight.counts).toEqual({ good: 3, ended: 0, late: 0, unknown: 0, noRoom: 1 })
  preflight.stop()
  await engine.stop()
})
