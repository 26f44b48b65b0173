/**
 * Law: one order leads to a station of the same body from a circle in any plane, of another body,
 * and to a gate in another orbit about the Sun, within the fuel of a full tank, at the time and for
 * the Δv that were predicted. It leaves when it says, and what cannot be is refused before a burn
 * with what it would take.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import { QUANTA_PER_SECOND, SOONEST } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { predictionTask } from '../../src/prediction/request.ts'
import { flownAhead } from '../../src/prediction/trajectory.ts'
import { maneuverView } from '../../src/views/maneuver-view.ts'
import { universeOf } from '../globe.ts'
import { orderTo, randomCircle, spentDeltaV, stockedSol } from './stocked-sol.ts'

const DAY = 86_400

const random = createChance(testSeed('voyage'))

interface Voyage {
  readonly from: string
  readonly to: string
  readonly ships: number
  readonly days: number
  /** when it leaves */
  readonly params?: readonly number[]
}

/** As soon as the fuel allows. */
const SOON = { params: [0, SOONEST] }

it.each<Voyage>(
  byTier({
    gate: [
      { from: 'Earth', to: 'Earth Station', ships: 2, days: 5 },
      { from: 'spawn', to: 'Moon Gate', ships: 2, days: 3, ...SOON },
    ],
    night: [
      { from: 'spawn', to: 'Moon Gate', ships: 24, days: 3, ...SOON },
      { from: 'spawn', to: 'Moon Gate L5', ships: 24, days: 3, ...SOON },
      { from: 'Earth', to: 'Earth Station', ships: 100, days: 8, ...SOON },
      { from: 'Earth', to: 'Earth Station', ships: 200, days: 8 },
      { from: 'Moon', to: 'Earth Station', ships: 8, days: 40 },
      { from: 'Earth', to: 'Moon Station', ships: 8, days: 40 },
      { from: 'Earth', to: 'Sol Gate', ships: 2, days: 1200 },
      { from: 'Earth', to: 'Sol Gate L5', ships: 2, days: 1200 },
      { from: 'Moon', to: 'Sol Gate', ships: 2, days: 1200 },
      { from: 'Moon', to: 'Sol Gate L5', ships: 2, days: 1200 },
    ],
  }),
)('$ships ships from $from come to $to', async (voyage) => {
  const { from, to, ships, days, params } = voyage
  const flight = stockedSol()
  const maneuver = orderTo(to, 2 * days * DAY, params)
  const left = new Map(
    Array.from({ length: ships }, (_, i) => {
      const heights = from === 'Earth' ? ([3e5, 2e6] as const) : ([1e5, 5e5] as const)
      const place = from === 'spawn' ? undefined : randomCircle(random, from, heights)
      const ship = flight.add(`ship-${i}`, place)
      const orders = [{ after: 0, control: { maneuver } }]
      const request = { shipId: ship.shipId, seconds: 600, orders, toEnd: true }
      const predicted = flownAhead(predictionTask(universeOf(flight.world), request))
      flight.order(ship, maneuver)
      return [ship.shipId, { ship, predicted }]
    }),
  )
  let seen = 0
  for (let day = 0; day < days && left.size > 0; day += 0.25) {
    await flight.fly(0.25 * DAY)
    for (const { eventType, index, shipId, statusText } of flight.events.slice(seen)) {
      if (eventType !== 'completed' && eventType !== 'failed') continue
      expect([shipId, eventType, statusText]).toEqual([shipId, 'completed', null])
      const { ship, predicted } = left.get(shipId)!
      const end = predicted.marks.find(({ kind }) => kind === 'maneuver_completed')
      expect([shipId, index]).toEqual([shipId, end?.index])
      expect(spentDeltaV(flight, ship.slot)).toBeCloseTo(predicted.deltaV, 6)
      expect(predicted.deltaV).toBeLessThan(9700)
      left.delete(shipId)
    }
    seen = flight.events.length
  }
  expect([...left.keys()]).toEqual([])
})

it('meets a station after a turn far out where the cheapest arc was none', async () => {
  const flight = stockedSol()
  const ship = flight.add('turned', {
    body: 'Earth',
    position: [4171043.652047799, 1359350.6613969062, 5269732.5992886685],
    velocity: [1005.199278038809, 7087.785993929083, -2623.9503401482907],
  })
  flight.order(ship, orderTo('Earth Station', 16 * DAY))
  await flight.fly(4 * DAY)
  const end = flight.events.find(({ eventType }) => /^(?:completed|failed)$/.test(eventType))
  expect(end).toMatchObject({ eventType: 'completed', statusText: null })
  expect(spentDeltaV(flight, ship.slot)).toBeLessThan(7000)
})

it('leaves when the order says, or says what it would take', async () => {
  const flight = stockedSol()
  const { world } = flight
  const begin = world.index
  const date = begin + 5 * DAY * QUANTA_PER_SECOND
  const orders: Readonly<Record<string, readonly number[]>> = {
    cheapest: [],
    soonest: [0, SOONEST],
    dated: [0, 0, date, DAY],
    hurried: [0, 0, 0, 2 * DAY],
    poor: [0, 0, 0, 0, 3000],
  }
  const body = bodyIndex(solSystem, 'Moon')
  const ships = Object.entries(orders).map(([name, params]) => {
    const ship = flight.add(name)
    flight.order(ship, { maneuver: 'transfer', body, timeout: 60 * DAY, params })
    return ship
  })
  await flight.fly(1024)
  const days = ships.map((ship) => {
    const burnAt = maneuverView(world, ship, 0)?.nextBurnAt ?? NaN
    return (burnAt - begin) / QUANTA_PER_SECOND / DAY
  })
  const [cheapest, soonest, dated, hurried] = days
  expect(soonest).toBeLessThan(0.5)
  expect(cheapest).toBeGreaterThan(soonest)
  expect(dated).toBeGreaterThanOrEqual(5)
  expect(dated).toBeLessThan(6.1)
  expect(hurried).toBeLessThan(2.1)
  const poor = flight.events.find(({ eventType }) => eventType === 'failed')
  expect(poor).toMatchObject({
    shipId: 'poor',
    statusText: expect.stringMatching(/takes [34]\.\d\d km/),
  })
  expect(spentDeltaV(flight, ships[4].slot)).toBe(0)
})

/** Where orbits have no room. */
const ROOMLESS = new Set(['Phobos', 'Deimos', 'Mimas', 'Enceladus', 'Miranda'])

it('flies from low orbit to each body, or says before a burn what it takes', async () => {
  const flight = stockedSol()
  const names = byTier({
    gate: ['Mars', 'Ceres', 'Callisto', 'Pluto', 'Phobos'],
    night: solSystem.bodies.map(({ name }) => name).filter((name) => name !== 'Earth'),
  })
  // Not in the year in which Mars is near.
  const params = new Map([['Mars', [0, 0, 0, 100 * DAY]]])
  const ships = names.map((name) => {
    const ship = flight.add(name)
    const to = { maneuver: 'transfer', body: bodyIndex(solSystem, name) } as const
    flight.order(ship, { ...to, timeout: 3650 * DAY, params: params.get(name) ?? [] })
    return ship
  })
  await flight.fly(1536)
  const failed = new Map(
    flight.events
      .filter(({ eventType }) => eventType === 'failed')
      .map(({ shipId, statusText }) => [shipId, statusText ?? '']),
  )
  for (const ship of ships) {
    const deltaV = maneuverView(flight.world, ship, 0)?.expectedDeltaV ?? 0
    const said = failed.get(ship.shipId) ?? (deltaV > 3000 ? 'flies' : 'says nothing')
    const wanted = ROOMLESS.has(ship.shipId)
      ? /reached$/
      : /^flies$|: it takes [\d.]+ km\/s, .* days$/
    expect(said).toMatch(wanted)
    expect(spentDeltaV(flight, ship.slot)).toBe(0)
  }
})
