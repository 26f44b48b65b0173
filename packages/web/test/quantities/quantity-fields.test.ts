// Laws: what is written is read back; what people write for one number is that number.
import { expect, test } from 'vitest'
import {
  QUANTITIES,
  type QuantityName,
  readQuantities,
  readQuantity,
  writeQuantity,
} from '../../src/quantities/quantity-fields.ts'

const { distance, eccentricity } = QUANTITIES

test.each(Object.keys(QUANTITIES) as QuantityName[])('%s is read as it is written', (name) => {
  const field = QUANTITIES[name]
  for (const value of [0.25, 1, 7_654.321, 4.5e9].map((units) => units * field.perUnit)) {
    const text = writeQuantity(value, field)
    expect(writeQuantity(readQuantity(text, field), field)).toBe(text)
    expect(Math.abs((readQuantity(text, field) ?? NaN) / value - 1)).toBeLessThan(5e-6)
  }
})

test('one of each unit is so much in SI', () => {
  const names = Object.keys(QUANTITIES) as QuantityName[]
  expect(names.map((name) => [name, QUANTITIES[name].unit, QUANTITIES[name].perUnit])).toEqual([
    ['semi_major_axis', 'km', 1000],
    ['eccentricity', '', 1],
    ['inclination', '°', Math.PI / 180],
    ['ascending_node', '°', Math.PI / 180],
    ['apoapsis', 'km', 1000],
    ['periapsis', 'km', 1000],
    ['altitude', 'km', 1000],
    ['distance', 'km', 1000],
    ['speed', 'm/s', 1],
    ['fuel', '%', 0.01],
    ['thrust_level', '%', 0.01],
    ['timeout', 'days', 86_400],
    ['depart_within', 'days', 86_400],
    ['delta_v_max', 'm/s', 1],
    ['delta_v', 'm/s', 1],
    ['duration', 's', 1],
  ])
})

test('each has a name of its own', () => {
  const labels = Object.values(QUANTITIES).map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
  for (const label of labels) expect(label).toMatch(/^[A-ZΔ]/)
})

test.each([
  ['6778.5', 6_778_500],
  ['6778,5', 6_778_500],
  ['6 778.5', 6_778_500],
  ['6,778.5', 6_778_500],
  ['6,778', 6_778_000],
  ['0,778', 778],
  ['1,234,567', 1_234_567_000],
  ['−2', -2000],
  ['.5', 500],
  ['1e3', 1e6],
])('%s km', (text, metres) => {
  expect(readQuantity(text, distance)).toBeCloseTo(metres, 6)
})

test('an empty field is no quantity, and words are no number', () => {
  expect(readQuantity('  ', eccentricity)).toBeUndefined()
  for (const text of ['high', '1..2', '--1', '1e', 'Infinity', '0x10']) {
    expect(readQuantity(text, eccentricity)).toBeNaN()
  }
  expect(readQuantities({ altitude: '200', timeout: '' }, ['altitude', 'timeout'])).toEqual({
    altitude: 200_000,
  })
  expect(writeQuantity(null, distance)).toBe('')
  expect(writeQuantity(0.012_345_678, eccentricity)).toBe('0.01235')
})
