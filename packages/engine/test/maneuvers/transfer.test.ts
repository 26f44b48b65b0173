/**
 * Law: a transfer ends captured in a low circular orbit of its target, from a planet to its moon
 * and, at night, back, for at most 1.1 times the Δv of impulses; what cannot be reached fails for
 * its reason.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { QUANTA_PER_SECOND, bodyState, createStateVector, segmentState } from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { maneuverView } from '../../src/views/maneuver-view.ts'
import { osculatingOrbit } from '../../src/views/orbit.ts'
import { type SolFlight, solFlight } from './sol-flight.ts'

const DAY = 86_400
const DISTANCE = 384_400_000
const HEIGHT = 0.08

const bodyOf = (name: string): (typeof solSystem.bodies)[number] =>
  solSystem.bodies[bodyIndex(solSystem, name)]

function lowOrbit(name: string): Parameters<SolFlight['add']>[1] {
  const { gm, radius } = bodyOf(name)
  const r = radius * (1 + HEIGHT)
  const speed = Math.sqrt(gm / r)
  return { body: name, position: [r, 0, 0], velocity: [0, speed * 0.92, speed * Math.sqrt(0.1536)] }
}

/** Δv of an impulse between a low orbit and a speed far away. */
function impulse(name: string, excess: number): number {
  const { gm, radius } = bodyOf(name)
  const r = radius * (1 + HEIGHT)
  return Math.sqrt(excess ** 2 + (2 * gm) / r) - Math.sqrt(gm / r)
}

/** Of Hohmann's orbit between the Earth and the Moon, in their plane. */
function optimum(): number {
  const { gm, radius } = bodyOf('Earth')
  const low = radius * (1 + HEIGHT)
  const high = Math.sqrt((2 * gm * low) / (DISTANCE * (DISTANCE + low)))
  const begin = Math.sqrt((2 * gm * DISTANCE) / (low * (DISTANCE + low))) - Math.sqrt(gm / low)
  return begin + impulse('Moon', Math.sqrt(gm / DISTANCE) - high)
}

/** Of a ship about the Earth or the Moon, between the two. */
function expectPresentDistance(
  { world }: SolFlight,
  slot: number,
  to: string,
  distance: number | null | undefined,
): void {
  const { ephemeris, ships } = world.state
  const target = createStateVector()
  bodyState(target, ephemeris, bodyIndex(solSystem, to), ships.reference[slot], world.index, 0)
  const relative = createStateVector()
  segmentState(relative, ships, slot, world.ship, world.index, 0)
  const way = target.r.map((value, axis) => value - relative.r[axis])
  expect(distance).toBeCloseTo(Math.hypot(...way), 2)
}

describe('a transfer', () => {
  const flight = solFlight()
  const { state, ship: hull } = flight.world
  const { ships } = state

  const there = ['Earth', 'Moon'] as const
  const back = ['Moon', 'Earth'] as const
  it.each(byTier({ gate: [there], night: [there, back] }))(
    'from the %s to the %s is captured',
    async (from, to) => {
      const { slot, ...ship } = flight.add(from, lowOrbit(from))
      const order = { maneuver: 'transfer', body: bodyIndex(solSystem, to), params: [] } as const
      flight.order({ slot, ...ship }, { ...order, timeout: 40 * DAY })
      await flight.fly(1024)
      const plan = maneuverView(flight.world, { slot, ...ship }, 0)
      expectPresentDistance(flight, slot, to, plan?.distance)
      const end = await flight.flyToEnd({ slot, ...ship }, 40 * DAY)
      expect(end).toMatchObject({ eventType: 'completed', referenceBody: to })
      expect(plan?.nextBurnAt).toBeGreaterThan(flight.world.index - 40 * DAY * QUANTA_PER_SECOND)
      expect(plan?.nextBurnAt).toBeLessThan(plan?.expectedEnd ?? NaN)
      const missed = (end!.index - (plan?.expectedEnd ?? NaN)) / QUANTA_PER_SECOND
      expect(Math.abs(missed)).toBeLessThan(DAY)
      expect((plan?.expectedDeltaV ?? NaN) / optimum()).toBeCloseTo(1, 0)
      const [r, v] = [ships.position, ships.velocity].map((column) => {
        return [column[3 * slot], column[3 * slot + 1], column[3 * slot + 2]] as const
      })
      const orbit = osculatingOrbit(r, v, bodyOf(to))
      expect(orbit.eccentricity).toBeLessThan(0.02)
      expect(orbit.periapsisAltitude / bodyOf(to).radius).toBeGreaterThan(HEIGHT - 0.01)
      expect((orbit.apoapsisAltitude ?? Infinity) / bodyOf(to).radius).toBeLessThan(HEIGHT + 0.01)
      const mass = (fuel: number): number => hull.dryMass + fuel
      const ratio = mass(hull.fuelCapacity) / mass(ships.fuel[slot])
      expect((hull.exhaustVelocity * Math.log(ratio)) / optimum()).toBeLessThan(1.1)
    },
  )

  it.each([
    { to: 'Phobos', fuel: 10_000, days: 40, reason: /reached/ },
    { to: 'Moon', fuel: 2000, days: 40, reason: /fuel/ },
    { to: 'Moon', fuel: 10_000, days: 1, reason: /time/i },
  ])('to $to with $fuel kg of fuel in $days days fails', async ({ to, fuel, days, reason }) => {
    const ship = flight.add(`${to} ${fuel} ${days}`, lowOrbit(to === 'Moon' ? 'Earth' : 'Mars'))
    ships.fuel[ship.slot] = fuel
    const order = { maneuver: 'transfer', body: bodyIndex(solSystem, to), params: [] } as const
    flight.order(ship, { ...order, timeout: days * DAY })
    const end = await flight.flyToEnd(ship, 600)
    expect(end).toMatchObject({ eventType: 'failed', statusText: expect.stringMatching(reason) })
    expect(ships.fuel[ship.slot]).toBe(fuel)
  })
})
