// Goal: texts of quantities keep their widths and mean what they say. Method: values around each
// change of unit, read back as numbers.
import { afterEach, expect, test } from 'vitest'
import {
  accelerationText,
  angleText,
  countdownText,
  dateText,
  distanceText,
  durationText,
  kilogramsText,
  massText,
  numberText,
  paceText,
  percentText,
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
  expect(numberText(-0.000_51)).toBe('−0.001')
  expect(numberText(9.999_4)).toBe('9.999')
  expect(numberText(9.999_6)).toBe('10.00')
  expect(numberText(999.94)).toBe('999.9')
  expect(numberText(999.96)).toBe('1,000')
  expect(distanceText(999.96)).toBe('1.000 km')
  expect(speedText(999.96)).toBe('1.000 km/s')
  expect([speedText(999.95), distanceText(999.95)]).toEqual(['1.000 km/s', '1.000 km'])
  expect(distanceText(-0.0004)).toBe('0.000 m')
})

test('times count down in hours, minutes and seconds, then in days', () => {
  expect(countdownText(0)).toBe('00:00:00')
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

test('other quantities have their units', () => {
  expect(angleText(-0.000_08)).toBe('0.00°')
  expect(angleText(-0.0001)).toBe('−0.01°')
  expect(angleText(Math.PI / 18)).toBe('10.0°')
  expect(accelerationText(19.6133)).toBe('2.000 g')
  expect(kilogramsText(1234)).toBe('1,234 kg')
  expect(massText(3.986_004e14)).toBe('5.97 × 10²⁴ kg')
  expect([0, 0.001, 0.01, 0.011, 0.5, 0.989, 0.99, 0.999, 1].map(percentText)).toEqual([
    '0.0 %',
    '0.1 %',
    '1.0 %',
    '1 %',
    '50 %',
    '99 %',
    '99.0 %',
    '99.9 %',
    '100.0 %',
  ])
  expect(dateText(0)).toBe('1970-01-01 00:00:00 UTC')
  expect([0, 0.95, 1.05, 0.5, 1.5, 12_345].map(paceText)).toEqual([
    'paused',
    'real time',
    'real time',
    '0.5 × real time',
    '1.5 × real time',
    '12,350 × real time',
  ])
})

test.each([
  [119.9, '119.9 s'],
  [120, '2.000 min'],
  [7199, '120.0 min'],
  [7200, '2.000 h'],
  [172_799, '48.00 h'],
  [172_800, '2.000 days'],
  [-172_800, '−2.000 days'],
  [731 * 86_400, '2.001 years'],
])('%d s are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test('a distance changes its unit at a nautical mile, a million km and a tenth of an au', () => {
  expect(distanceText(1e9)).toBe('1.000 million km')
  expect(distanceText(-1e9)).toBe('−1.000 million km')
  expect(distanceText(14_959_787_070)).toBe('0.100 au')
  units.value = 'nautical'
  expect(distanceText(1852)).toBe('1.000 nmi')
  expect(distanceText(1851)).toBe('6,073 ft')
  expect(distanceText(1e9)).toBe('0.540 million nmi')
})
