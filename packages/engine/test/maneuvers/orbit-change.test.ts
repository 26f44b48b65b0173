/**
 * Law: circularize ends with an eccentricity of at most 1e-3; set_orbit within 0.01 % of the mean
 * semi-major axis and 0.05° of the inclination; both for at most 1.1 times the Δv of impulses. What
 * cannot be reached fails for its reason, engine off.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import {
  type Conic,
  QUANTA_PER_SECOND,
  conicOf,
  createConic,
  createStateVector,
  meanAxis,
  meanState,
} from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { maneuverView } from '../../src/views/maneuver-view.ts'
import { pilotView } from '../../src/views/ship-view.ts'
import { type SolFlight, solFlight } from './sol-flight.ts'

const earth = solSystem.bodies[bodyIndex(solSystem, 'Earth')]
const LOW = 6.871e6
const DAY = 86_400
const DEGREE = Math.PI / 180

const speed = (r: number, a: number): number => Math.sqrt(earth.gm * (2 / r - 1 / a))

/** At the periapsis, over the equator: the Earth's pole is the z axis. */
function lowOrbit(inclination: number, e: number): Parameters<SolFlight['add']>[1] {
  const fast = Math.sqrt((earth.gm * (1 + e)) / LOW)
  return {
    body: 'Earth',
    position: [LOW, 0, 0],
    velocity: [0, fast * Math.cos(inclination), fast * Math.sin(inclination)],
  }
}

/** The mean orbit of a ship. */
function orbitOf({ world }: SolFlight, slot: number): Conic {
  const { position, velocity } = world.state.ships
  const conic = createConic()
  const state = createStateVector()
  state.r.set(position.subarray(3 * slot, 3 * slot + 3))
  state.v.set(velocity.subarray(3 * slot, 3 * slot + 3))
  meanState(state, state, earth)
  conicOf(conic, state, earth.gm)
  return { ...conic, a: meanAxis(conic, earth) }
}

function spent({ world }: SolFlight, slot: number): number {
  const { dryMass, fuelCapacity, exhaustVelocity } = world.ship
  const after = dryMass + world.state.ships.fuel[slot]
  return exhaustVelocity * Math.log((dryMass + fuelCapacity) / after)
}

const flight = solFlight()

it('makes a circle of an ellipse at its far end', async () => {
  const ship = flight.add('circle', lowOrbit(0.5, 0.2))
  flight.order(ship, { maneuver: 'circularize', timeout: DAY, params: [] })
  // The begin of the burn is known once its size is.
  await flight.fly(200)
  const view = maneuverView(flight.world, ship, 0)
  expect(view).toMatchObject({ phase: 'waiting', distance: null, expectedDeltaV: null })
  const end = await flight.flyToEnd(ship, DAY)
  expect(end).toMatchObject({ eventType: 'completed' })
  const burn = flight.events.find(({ phase }) => phase === 'burning')
  expect(Math.abs(burn!.index - (view?.nextBurnAt ?? NaN))).toBeLessThan(2 * QUANTA_PER_SECOND)
  const middle = (burn!.index + end!.index) / 2
  expect(Math.abs((view?.expectedEnd ?? NaN) - middle)).toBeLessThan(60 * QUANTA_PER_SECOND)
  expect(pilotView(flight.world, ship, 0)).toMatchObject({
    maneuver: null,
    lastManeuver: { type: 'circularize', outcome: 'completed', reason: null, endedAt: end?.index },
  })
  expect(orbitOf(flight, ship.slot).e).toBeLessThan(1e-3)
  const far = LOW * 1.5
  const optimum = Math.sqrt(earth.gm / far) - speed(far, (LOW + far) / 2)
  expect(spent(flight, ship.slot) / optimum).toBeLessThan(1.1)
})

describe('sets an orbit', () => {
  it.each([
    { name: 'higher', a: 42_164_000, inclination: undefined },
    { name: 'lower', a: 6_571_000, inclination: undefined },
    { name: 'turned', a: 6_871_000, inclination: 38 * DEGREE },
    { name: 'higher and turned', a: 20_000_000, inclination: 10 * DEGREE },
  ])('$name', async ({ name, a, inclination }) => {
    const ship = flight.add(name, lowOrbit(28 * DEGREE, 0))
    const turn =
      inclination === undefined ? [-2, 0] : [Math.cos(inclination), Math.sin(inclination)]
    flight.order(ship, { maneuver: 'set_orbit', timeout: 3 * DAY, params: [a, 0, ...turn] })
    expect(await flight.flyToEnd(ship, 3 * DAY)).toMatchObject({ eventType: 'completed' })
    const orbit = orbitOf(flight, ship.slot)
    expect(Math.abs(orbit.a / a - 1)).toBeLessThan(1e-4)
    const tilt = Math.acos(orbit.normal[2])
    const off = inclination === undefined ? 0 : tilt - inclination
    expect(Math.abs(off)).toBeLessThan(0.05 * DEGREE)
    const optimum = impulses(LOW, a, inclination === undefined ? 0 : inclination - 28 * DEGREE)
    expect(spent(flight, ship.slot)).toBeLessThan(1.1 * optimum)
  })
})

/** Δv of two impulses between circles that share the turn of the plane in the best way. */
function impulses(from: number, to: number, turn: number): number {
  const a = (from + to) / 2
  const costs = Array.from({ length: 1001 }, (_, k) => {
    const first = (turn * k) / 1000
    const side = (u: number, w: number, angle: number): number =>
      Math.sqrt(Math.max(0, u * u + w * w - 2 * u * w * Math.cos(angle)))
    const begin = side(speed(from, from), speed(from, a), first)
    return begin + side(speed(to, a), speed(to, to), turn - first)
  })
  return Math.min(...costs)
}

it.each([
  { reason: 'out_of_fuel', text: /fuel/, params: [LOW, 0, -1, 0] },
  { reason: 'unreachable', text: /reached/, params: [6_000_000, 0, -2, 0] },
  { reason: 'unreachable', text: /reached/, params: [2e9, 0, -2, 0] },
])('refuses $params, with the reason $reason', async ({ reason, text, params }) => {
  const ship = flight.add(`refused ${params[0]}`, lowOrbit(28 * DEGREE, 0))
  flight.order(ship, { maneuver: 'set_orbit', timeout: DAY, params })
  const end = await flight.flyToEnd(ship, DAY)
  expect(end).toMatchObject({ eventType: 'failed', statusText: expect.stringMatching(text) })
  expect(spent(flight, ship.slot)).toBe(0)
  const last = { type: 'set_orbit', outcome: 'failed', phase: 'planning', reason }
  expect(flight.world.maneuvers.ended.get(ship.number)).toMatchObject(last)
  flight.order(ship, { maneuver: 'escape', timeout: DAY, params: [] })
  await flight.fly(2)
  expect(flight.world.maneuvers.ended.has(ship.number)).toBe(false)
})
