// Goal: texts of quantities keep their widths and mean what they say. Method: values around each
// change of unit, read back as numbers.
import { afterEach, expect, test } from 'vitest'
import {
  angleText,
  countdownText,
  distanceText,
  durationText,
  numberText,
  speedText,
  units,
} from '../../src/quantities/quantities.ts'

const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  km: 1000,
  'million km': 1e9,
  au: 149_597_870_700,
  ft: 0.3048,
  nmi: 1852,
  'million nmi': 1.852e9,
  'm/s': 1,
  'km/s': 1000,
  kn: 1852 / 3600,
}

afterEach(() => {
  units.value = 'metric'
})

/** How far a text is from its value, in the last digit that it must have. */
function fault(text: string, value: number): number {
  const [digits, ...words] = text.split(' ')
  const shown = Number(digits.replaceAll(',', '').replace('−', '-'))
  const wanted = value / UNITS[words.join(' ')]
  return Math.abs(shown - wanted) / Math.max(0.001, 0.001 * Math.abs(wanted))
}

test.each(['metric', 'nautical'] as const)(
  '%s texts have four digits, or three decimals',
  (unit) => {
    units.value = unit
    for (let exponent = 0; exponent < 13; exponent += 0.05) {
      for (const value of [10 ** exponent, -(10 ** exponent)]) {
        expect(fault(distanceText(value), value)).toBeLessThan(0.501)
        expect(fault(speedText(value), value)).toBeLessThan(0.501)
      }
    }
  },
)

test('a text is as long before a value is rounded up as after', () => {
  expect(numberText(9.999_4)).toBe('9.999')
  expect(numberText(9.999_6)).toBe('10.00')
  expect(numberText(999.94)).toBe('999.9')
  expect(numberText(999.96)).toBe('1,000')
  expect(distanceText(999.96)).toBe('1.000 km')
  expect(speedText(999.96)).toBe('1.000 km/s')
  expect(distanceText(-0.0004)).toBe('0.000 m')
})

test('times count down in hours, minutes and seconds, then in days', () => {
  expect(countdownText(59.9)).toBe('00:00:59')
  expect(countdownText(-3725)).toBe('−01:02:05')
  expect(countdownText(359_999)).toBe('99:59:59')
  expect(countdownText(360_000)).toBe('4.167 days')
  expect(durationText(45)).toBe('45.00 s')
})

test('angles are in degrees', () => {
  expect(angleText(Math.PI)).toBe('180.0°')
  expect(angleText(-0.1)).toBe('−5.73°')
})
