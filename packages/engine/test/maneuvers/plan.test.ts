/**
 * Law: burns of a plan begin and end at the lattice indices that follow from the order, to the
 * quantum; each spends the asked Δv within 1e-9 m/s, within 1e-6 rad of the asked direction, which
 * is that of the frame on the way without the burn. What is predicted is flown to the bit, also
 * over a restart in the middle. Where the hull or the fuel is not ready, no burn begins.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { createGameClock, createReplay, restoreWorld, worldImage } from '@orrery/engine/testing'
import {
  type BurnNode,
  IDLE,
  type ManeuverOrder,
  NODE,
  PLANNED,
  PLAN_NODE_DOUBLES,
  QUANTA_PER_SECOND,
  RECORD_DOUBLES,
  SHIP_COLUMNS,
  bodyState,
  createStateVector,
  segmentState,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { acceptControl } from '../../src/world/intake.ts'
import { maneuverView } from '../../src/views/maneuver-view.ts'
import { predictionTask } from '../../src/prediction/request.ts'
import { flownAhead } from '../../src/prediction/trajectory.ts'
import type { ManeuverEvent } from '../../src/world/maneuver.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { completeNear } from '../../src/world/world.ts'
import { universeOf } from '../globe.ts'
import { randomPlan } from './random-plans.ts'
import { type PlacedState, type SolFlight, solFlight } from './sol-flight.ts'

const PLANS = byTier({ gate: 10, night: 200 })
const EARTH = bodyIndex(solSystem, 'Earth')
const FAST = Math.sqrt(solSystem.bodies[EARTH].gm / 8e6)
const ORBIT: PlacedState = {
  body: 'Earth',
  position: [8e6, 0, 0],
  velocity: [0, 0.8 * FAST, 0.6 * FAST],
}

function plan(nodes: readonly BurnNode[]): ManeuverOrder {
  return { maneuver: 'plan', timeout: 1e6, params: [], nodes }
}

type Vector = readonly [number, number, number]

/** A burn that begins so many seconds after an index. */
function burnAt(index: number, seconds: number, vector: Vector = [0, 0, 10]): BurnNode {
  return { ...startAt(index, seconds), frame: 'inertial', vector }
}

function startAt(index: number, seconds: number) {
  return { index: index + QUANTA_PER_SECOND * seconds, anchor: 'start', throttle: 1 } as const
}

const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
]
const scaled = ([x, y, z]: Vector, by: number): Vector => [by * x, by * y, by * z]
const unit = (v: Vector): Vector => scaled(v, 1 / Math.hypot(...v))
const triple = ([x, y, z]: Float64Array): Vector => [x, y, z]

/** Unit vector of the nose on inertial axes. */
function noseOf({ world }: SolFlight, slot: number): Vector {
  const [w, x, y, z] = world.state.ships.attitude.subarray(4 * slot, 4 * slot + 4)
  return [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
}

function eventsOf({ events }: SolFlight, { shipId }: RosterEntry): ManeuverEvent[] {
  return events.filter((event) => event.shipId === shipId && event.eventType !== 'sample')
}

/** The axes of each frame for a ship at the published index. */
function axesOf({ world }: SolFlight, { slot }: RosterEntry, center = EARTH) {
  const at = createStateVector()
  segmentState(at, world.state.ships, slot, world.ship, world.index, 0)
  const body = createStateVector()
  if (center !== EARTH) bodyState(body, world.state.ephemeris, EARTH, center, world.index, 0)
  const r = triple(at.r.map((x, i) => x + body.r[i]))
  const v = triple(at.v.map((x, i) => x + body.v[i]))
  const normal = unit(cross(r, v))
  return {
    inertial: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    prograde: [unit(v), normal, unit(cross(v, normal))],
    radial: [unit(r), unit(cross(normal, r)), normal],
  } satisfies Record<string, Vector[]>
}

const FRAMES = [
  { throttle: 1, anchor: 'start', frame: 'inertial', vector: [30, -40, 120] },
  { throttle: 0.1, anchor: 'center', frame: 'prograde', vector: [5, -2, 1] },
  { throttle: 1, anchor: 'start', frame: 'radial', vector: [-1, 0.5, 3] },
  { throttle: 0.3, anchor: 'start', frame: 'prograde', vector: [1, 0, 0.1], body: 0 },
] as const

it('burns from index to index, as much as is asked, along the axes of its frame', async () => {
  const flight = solFlight()
  const { ship, state, index: start } = flight.world
  const twin = flight.add('twin', ORBIT)
  const index = start + 400 * QUANTA_PER_SECOND + 37
  const ships = FRAMES.map((burn, i) => {
    const entry = flight.add(`ship ${i}`, ORBIT)
    flight.order(entry, plan([{ index, ...burn }]))
    return entry
  })
  await flight.fly((index - start) / QUANTA_PER_SECOND)
  const noses = ships.map(({ slot }) => noseOf(flight, slot))
  const frames = FRAMES.map((burn) => {
    return axesOf(flight, twin, 'body' in burn ? burn.body : EARTH)[burn.frame]
  })
  await flight.fly(200)
  for (const [i, { vector, throttle, anchor }] of FRAMES.entries()) {
    const [x, y, z] = frames[i].map((axis, j) => scaled(axis, vector[j]))
    const asked: Vector = [x[0] + y[0] + z[0], x[1] + y[1] + z[1], x[2] + y[2] + z[2]]
    const size = Math.hypot(...vector)
    expect(Math.hypot(...cross(noses[i], asked)) / size, `burn ${i}`).toBeLessThan(1e-6)
    expect(Math.hypot(...asked), `burn ${i}`).toBeCloseTo(size, 9)
    const full = ship.dryMass + ship.fuelCapacity
    const flow = (throttle * ship.thrustMax) / ship.exhaustVelocity
    const seconds = (full * (1 - Math.exp(-size / ship.exhaustVelocity))) / flow
    const quanta = Math.ceil(seconds * QUANTA_PER_SECOND)
    const begin = anchor === 'start' ? index : index - Math.floor(quanta / 2)
    const events = eventsOf(flight, ships[i])
    const ignition = events.find(({ phase }) => phase === 'burning')
    expect(ignition?.index, `burn ${i}`).toBe(begin)
    expect(events.at(-1)).toMatchObject({ eventType: 'completed', index: begin + quanta })
    const after = ship.dryMass + state.ships.fuel[ships[i].slot]
    const spent = ship.exhaustVelocity * Math.log(full / after)
    expect(Math.abs(spent - size), `burn ${i}`).toBeLessThan(1e-9)
  }
})

it('holds a pointing for a Δv or a duration, and goes on at once in the same one', async () => {
  const flight = solFlight()
  const { ship, state, index: start } = flight.world
  const entry = flight.add('pointed', ORBIT)
  const nodes: BurnNode[] = [
    { ...startAt(start, 150), pointing: 'radial_in', seconds: 20 },
    { ...startAt(start, 170), pointing: 'radial_in', deltaV: 8, throttle: 0.5 },
  ]
  flight.order(entry, plan(nodes))
  await flight.fly(160)
  const [down] = axesOf(flight, entry).radial
  expect(Math.hypot(...cross(noseOf(flight, entry.slot), down))).toBeLessThan(1e-3)
  await flight.fly(40)
  const flow = ship.thrustMax / ship.exhaustVelocity
  const first = ship.dryMass + ship.fuelCapacity - 20 * flow
  const second = first * Math.exp(-8 / ship.exhaustVelocity)
  expect(ship.dryMass + state.ships.fuel[entry.slot]).toBeCloseTo(second, 9)
  const quanta = Math.ceil(((first - second) / (0.5 * flow)) * QUANTA_PER_SECOND)
  const end = start + 170 * QUANTA_PER_SECOND + quanta
  expect(eventsOf(flight, entry).at(-1)).toMatchObject({ eventType: 'completed', index: end })
})

it('shows the next burn and the Δv of all, and ends between two by its pilot', async () => {
  const flight = solFlight()
  const { world } = flight
  const start = world.index
  const entry = flight.add('aborted', ORBIT)
  flight.order(entry, plan([burnAt(start, 150), burnAt(start, 500), burnAt(start, 900)]))
  await flight.fly(200)
  const view = maneuverView(world, entry, 0)
  expect(view).toMatchObject({ type: 'plan', phase: 'waiting' })
  // Of the last one, within a quantum of a second.
  expect(view?.expectedEnd).toBe(start + 901 * QUANTA_PER_SECOND)
  expect(view?.expectedDeltaV).toBeCloseTo(30, 9)
  await flight.fly(120)
  const turning = maneuverView(world, entry, 0)
  expect(turning).toMatchObject({ phase: 'turning', nextBurnAt: start + 500 * QUANTA_PER_SECOND })
  expect(turning?.deltaV).toBeCloseTo(10, 9)
  const { activity, burnNodes, fuel } = world.state.ships
  const row = burnNodes.subarray(
    PLAN_NODE_DOUBLES * entry.slot,
    PLAN_NODE_DOUBLES * (entry.slot + 1),
  )
  expect([activity[entry.slot], row[NODE.throttle]]).toEqual([PLANNED, 1])
  const left = fuel[entry.slot]
  acceptControl(world.intake, entry, { pointing: 'rest', abort: true }, world.index, world.settled)
  await flight.fly(600)
  expect(eventsOf(flight, entry).at(-1)).toMatchObject({ eventType: 'aborted' })
  expect([activity[entry.slot], fuel[entry.slot]]).toEqual([IDLE, left])
  expect(row.every((value) => value === 0)).toBe(true)
})

it.each([
  {
    what: 'in the past',
    nodes: (start: number) => [burnAt(start, -1)],
    reason: /does not point/,
    burns: 0,
  },
  {
    what: 'before the hull has turned',
    nodes: (start: number) => [burnAt(start, 2)],
    reason: /does not point/,
    burns: 0,
  },
  {
    what: 'over the one before',
    nodes: (start: number) => [burnAt(start, 150), burnAt(start, 150.5, [0, 10, 0])],
    reason: /does not point/,
    burns: 1,
  },
  {
    what: 'of no size',
    nodes: (start: number) => [burnAt(start, 250, [0, 0, 1e-200])],
    reason: /cannot be reached/,
    burns: 0,
  },
  {
    what: 'beyond the fuel',
    nodes: (start: number) => [burnAt(start, 150), burnAt(start, 400, [0, 0, 9725])],
    reason: /fuel/,
    burns: 0,
  },
])('fails without a burn $what', async ({ nodes, reason, burns }) => {
  const flight = solFlight()
  const entry = flight.add('failed', ORBIT)
  flight.order(entry, plan(nodes(flight.world.index)))
  const end = await flight.flyToEnd(entry, 600)
  expect(end).toMatchObject({ eventType: 'failed', statusText: expect.stringMatching(reason) })
  const { ship, state } = flight.world
  const spent = Math.log(
    (ship.dryMass + ship.fuelCapacity) / (ship.dryMass + state.ships.fuel[entry.slot]),
  )
  expect(ship.exhaustVelocity * spent).toBeCloseTo(10 * burns, 9)
})

const HOURS = 3

it(`flies ${PLANS} random plans as they are predicted, over a restart too`, async () => {
  const chance = createChance(40)
  const flight = solFlight()
  const { world } = flight
  const now = world.index
  const seconds = HOURS * 3600
  completeNear(world, now + (seconds + 3600) * QUANTA_PER_SECOND)
  const ships = Array.from({ length: PLANS }, (_, i) => {
    const entry = flight.add(`planned ${i}`, randomOrbit(chance.share))
    const nodes = randomPlan(chance, world.ship, world.ship.fuelCapacity, now + 64)
    return { entry, control: { maneuver: plan(nodes) }, burns: nodes.length }
  })
  const predictions = ships.map(({ entry, control }) => {
    const orders = [{ after: 0, control }]
    const request = { shipId: entry.shipId, seconds, orders }
    return flownAhead(structuredClone(predictionTask(universeOf(world), request)))
  })
  for (const { entry, control } of ships) flight.order(entry, control.maneuver)
  await flight.fly(seconds / 3)
  const image = structuredClone(worldImage(world, createGameClock(world.index), 0))
  const { world: restored } = restoreWorld(image, world.setup)
  expect(image.header.timed).toBeGreaterThan(0)
  await createReplay({ world: restored, pool: undefined }).flyTo(now + seconds * 64, 0)
  await flight.fly((2 * seconds) / 3)
  for (const [i, { entry, burns }] of ships.entries()) {
    const { legs, marks, fuel, to } = predictions[i]
    expect(to).toBe(world.index)
    const at = createStateVector()
    segmentState(at, world.state.ships, entry.slot, world.ship, world.index, 0)
    const record = legs.at(-1)!.records.subarray(-RECORD_DOUBLES)
    expect([...record], `plan ${i}`).toEqual([to, ...at.r, ...at.v])
    expect(fuel, `plan ${i}`).toBe(world.state.ships.fuel[entry.slot])
    const begins = marks.filter(({ kind }) => kind === 'burn_begin').map(({ index }) => index)
    const ignitions = eventsOf(flight, entry).filter(
      ({ phase, fromPhase }) => phase === 'burning' && fromPhase !== 'burning',
    )
    expect(ignitions.map(({ index }) => index)).toEqual(begins)
    expect(begins.length, `plan ${i}`).toBe(burns)
    expect(eventsOf(flight, entry).at(-1)?.eventType, `plan ${i}`).toBe('completed')
    for (const { name, components } of SHIP_COLUMNS) {
      if (name === 'hullStep' || name === 'hullRow') continue
      const values = (from: typeof world) =>
        from.state.ships[name].slice(entry.slot * components, (entry.slot + 1) * components)
      expect(values(restored), `${name} of plan ${i}`).toEqual(values(world))
    }
  }
})

function randomOrbit(share: () => number): PlacedState {
  const [body, radius] = (
    [
      ['Earth', 8e6],
      ['Earth', 4e7],
      ['Moon', 3e6],
      ['Mars', 6e6],
    ] as const
  )[Math.floor(4 * share())]
  const speed = Math.sqrt(solSystem.bodies[bodyIndex(solSystem, body)].gm / radius)
  const [turn, tilt] = [6.28 * share(), 3 * share()]
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  const forward = [-s * Math.cos(tilt), c * Math.cos(tilt), Math.sin(tilt)]
  return {
    body,
    position: [radius * c, radius * s, 0],
    velocity: forward.map((part) => (1 + 0.2 * share()) * speed * part),
  }
}
