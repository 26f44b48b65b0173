// Law: the cost of a flight of several legs has a row for each; one leg is the whole flight.
import { expect, test } from 'vitest'
import type { Cost } from '../../src/forecast/preview.ts'
import { costRows } from '../../src/order-forms/cost-rows.ts'

const toMoon = { from: 'Earth', to: 'Moon', deltaV: 3900, seconds: 5 * 86_400 }
const toGate = { from: 'Moon', to: undefined, deltaV: 60, seconds: 6 * 86_400 }
const cost = { deltaV: 3960, fuel: 900, seconds: 6 * 86_400, end: 'completed', reason: undefined }

test('legs are listed where there are several', () => {
  const rows = (legs: Cost['legs']): string[][] =>
    costRows({ ...cost, legs } as Cost).filter(([name]) => name.includes(' to '))
  expect(rows([toMoon])).toEqual([])
  expect(rows([toMoon, toGate])).toEqual([
    ['Earth to Moon', '3.900 km/s, in 5.000 days'],
    ['Moon to the target', '60.00 m/s, in 6.000 days'],
  ])
})
