/**
 * Law: an order ends, or is refused before it burns, on orbits that do not last too: those that
 * leave the sphere of influence, or end in the ground.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import type { ManeuverOrder } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type PlacedState, solFlight } from './sol-flight.ts'

const DAY = 86_400

/** On a conic over a body's equator, some seconds of arc from its periapsis. */
function onConic(name: string, height: number, e: number, anomaly: number): PlacedState {
  const { gm, radius } = solSystem.bodies[bodyIndex(solSystem, name)]
  const p = (radius + height) * (1 + e)
  const [cosine, sine] = [Math.cos(anomaly), Math.sin(anomaly)]
  const r = p / (1 + e * cosine)
  const speed = Math.sqrt(gm / p)
  return {
    body: name,
    position: [r * cosine, r * sine, 0],
    velocity: [-speed * sine, speed * (e + cosine), 0],
  }
}

const circularize: ManeuverOrder = { maneuver: 'circularize', timeout: 20 * DAY, params: [] }
const raise: ManeuverOrder = { ...circularize, maneuver: 'set_orbit', params: [9e6, 0, -2] }
// Its burn takes minutes, in which the ship is slower.
const turn: ManeuverOrder = { ...raise, params: [0, -1, Math.cos(1.2), Math.sin(1.2)] }
const escape: ManeuverOrder = { ...circularize, maneuver: 'escape' }
const phobos: ManeuverOrder = {
  ...circularize,
  maneuver: 'transfer',
  timeout: 1000 * DAY,
  body: bodyIndex(solSystem, 'Phobos'),
}
const moon = { ...phobos, body: bodyIndex(solSystem, 'Moon') }

type Case = [name: string, from: PlacedState, order: ManeuverOrder, end: string, burns: boolean]

/** Those that end after days. */
const LONG: readonly Case[] = [
  ['escape on the way out', onConic('Earth', 420e3, 0.999, 0.6), escape, 'completed', false],
  ['escape before the periapsis', onConic('Earth', 420e3, 0.999, -0.6), escape, 'completed', true],
  [
    'escape from a climb that falls back',
    onConic('Earth', -3e6, 0.7, 2.5),
    escape,
    'completed',
    true,
  ],
]

const BRIEF: readonly Case[] = [
  ['escape in a fall', onConic('Earth', -3e6, 0.7, -2.5), escape, 'failed', false],
  ['a circle on the way out', onConic('Earth', 420e3, 0.999, 0.6), circularize, 'completed', true],
  ['a circle far out', onConic('Earth', 420e3, 0.999, 2.9), circularize, 'completed', true],
  ['an orbit on the way out', onConic('Earth', 420e3, 0.999, 2), raise, 'completed', true],
  ['an orbit on the way in', onConic('Earth', 420e3, 0.999, -2), raise, 'completed', true],
  ['an orbit before an impact', onConic('Earth', -1e6, 0.3, 1.7), raise, 'completed', true],
  ['a plane turned far out', onConic('Europa', 2.8e6, 0, 0), turn, 'completed', true],
  ['Phobos from the Earth', onConic('Earth', 420e3, 0, 0), phobos, 'failed', false],
  ['the Moon at 100 m', onConic('Earth', 420e3, 0, 0), { ...moon, params: [100] }, 'failed', false],
  ['the Moon before an impact', onConic('Earth', -1e6, 0.3, 1.7), moon, 'failed', false],
]

const cases = byTier({ gate: BRIEF, night: [...LONG, ...BRIEF] })

const flight = solFlight()
const ships = new Map(
  cases.map(([name, from, order]) => {
    const ship = flight.add(name, from)
    flight.order(ship, order)
    return [name, ship]
  }),
)

it.each(cases)('%s', async (name, from, order, outcome, burns) => {
  const { shipId, slot } = ships.get(name)!
  const find = () =>
    flight.events.find((event) => {
      return event.shipId === shipId && /completed|failed/.test(event.eventType)
    })
  for (let flown = 0; flown < 16 * DAY && !find(); flown += 4096) await flight.fly(4096)
  expect(find()?.eventType).toBe(outcome)
  const { ship, state } = flight.world
  expect(state.ships.fuel[slot] < ship.fuelCapacity).toBe(burns)
  const body = bodyIndex(solSystem, from.body)
  const hasEscaped = order === escape && outcome === 'completed'
  expect(state.ships.reference[slot]).toBe(hasEscaped ? solSystem.bodies[body].parent : body)
})

it('does not follow a ship into the ground', async () => {
  const target = flight.add('falling', onConic('Earth', -1e6, 0.3, 1.7))
  const ship = flight.add('follower', onConic('Earth', 420e3, 0, 1))
  const order = { ...circularize, maneuver: 'rendezvous', ship: target.number } as const
  flight.order(ship, order)
  expect(await flight.flyToEnd(ship, 3600)).toMatchObject({ eventType: 'failed' })
  expect(flight.world.state.ships.fuel[ship.slot]).toBe(flight.world.ship.fuelCapacity)
})
