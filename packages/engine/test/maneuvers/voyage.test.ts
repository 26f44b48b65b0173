/**
 * Law: one order leads to a station of the same body from a circle in any plane, of another body,
 * and to a gate in another orbit about the Sun, within the fuel of a full tank.
 */
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { orderTo, randomCircle, spentDeltaV, stockedSol } from './stocked-sol.ts'

const DAY = 86_400

const random = createChance(testSeed('voyage'))

interface Voyage {
  readonly from: string
  readonly to: string
  readonly ships: number
  readonly days: number
}

it.each<Voyage>(
  byTier({
    gate: [{ from: 'Earth', to: 'Earth Station', ships: 2, days: 5 }],
    night: [
      { from: 'Earth', to: 'Earth Station', ships: 200, days: 8 },
      { from: 'Moon', to: 'Earth Station', ships: 8, days: 40 },
      { from: 'Earth', to: 'Moon Station', ships: 8, days: 40 },
      { from: 'Earth', to: 'Sol Gate', ships: 2, days: 900 },
      { from: 'Earth', to: 'Sol Gate L5', ships: 2, days: 900 },
    ],
  }),
)('$ships ships from random circles about $from come to $to', async ({ from, to, ships, days }) => {
  const flight = stockedSol()
  const left = new Map(
    Array.from({ length: ships }, (_, i) => {
      const place = randomCircle(random, from, from === 'Earth' ? [3e5, 2e6] : [1e5, 5e5])
      const ship = flight.add(`ship-${i}`, place)
      flight.order(ship, orderTo(to, 2 * days * DAY))
      return [ship.shipId, ship]
    }),
  )
  let seen = 0
  for (let day = 0; day < days && left.size > 0; day += 0.25) {
    await flight.fly(0.25 * DAY)
    for (const { eventType, shipId, statusText } of flight.events.slice(seen)) {
      if (eventType !== 'completed' && eventType !== 'failed') continue
      expect([shipId, eventType, statusText]).toEqual([shipId, 'completed', null])
      expect(spentDeltaV(flight, left.get(shipId)!.slot)).toBeLessThan(9700)
      left.delete(shipId)
    }
    seen = flight.events.length
  }
  expect([...left.keys()]).toEqual([])
})
