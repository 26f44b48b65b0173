/** Law: a ship is drawn at the size of its class, and as a courier where that is not known. */
import { expect, it } from 'vitest'
import { shipScale } from '../../src/craft/ship-scale.ts'
import { COURIER_RADIUS } from '../../src/craft/courier-model.ts'

const ship = { number: 1, id: 'a', name: 'Ida' }
const classes = [
  { name: 'courier', radius: COURIER_RADIUS },
  { name: 'tug', radius: 2 * COURIER_RADIUS },
]

it.each([
  ['courier', 1],
  ['tug', 2],
  ['lost', 1],
] as const)('a %s is drawn %d times as large', (shipClass, scale) => {
  expect(shipScale({ classes }, { ...ship, shipClass })).toBe(scale)
})

it('a ship that is not known is drawn as a courier', () => {
  expect(shipScale({ classes }, undefined)).toBe(1)
})
