/**
 * Law: an order ends as it should, or is refused before it burns, and when its prediction says.
 * Method: orders of all kinds by seed, from random orbits of all bodies; those still under way at
 * the end of the flight show nothing. What burns in vain is what no flight ahead shows either.
 */
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { flyOrders, lineOf } from './flown-orders.ts'
import { ORDER_KINDS } from './random-flight-orders.ts'

// By day only the first is predicted: a dock, which ends within hours.
const { batches, every, size, days, predictedOneIn } = byTier({
  gate: {
    batches: 1,
    every: ORDER_KINDS.toReversed(),
    size: ORDER_KINDS.length,
    days: 0.5,
    predictedOneIn: ORDER_KINDS.length,
  },
  night: { batches: 8, every: ORDER_KINDS, size: 250, days: 120, predictedOneIn: 10 },
})

const random = createChance(testSeed('orders'))

it.each(Array.from({ length: batches }, (_, i) => i))('batch %d', async () => {
  const kinds = Array.from({ length: size }, (_, i) => every[i % every.length])
  const flown = await flyOrders(random.branch(), kinds, days, predictedOneIn)
  expect(flown).toHaveLength(size)
  expect(flown.filter(({ outcome }) => outcome === 'burnt').map(lineOf)).toEqual([])
  const predicted = flown.flatMap(({ ends }) => (ends ? [ends] : []))
  expect(predicted.map(([end]) => end)).toEqual(predicted.map(([, end]) => end))
  expect(predicted).not.toEqual([])
  expect(new Set(flown.map(({ outcome }) => outcome))).toContain('completed')
})
