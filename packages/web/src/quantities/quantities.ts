/** Quantities as people read them: four digits each, so that widths stay. */
import { type Signal, signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import { LANGUAGE } from '../languages/language.ts'

/** Nautical: feet, nautical miles and knots. */
export type Units = 'metric' | 'nautical'

/** Of all texts; a component that shows one follows it. */
export const units: Signal<Units> = signal('metric')

const AU = 149_597_870_700
const NAUTICAL_MILE = 1852
const FOOT = 0.3048
const KNOT = NAUTICAL_MILE / 3600
const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const YEAR = 365.25 * DAY
const STANDARD_GRAVITY = 9.806_65

/** With 0 to 3 decimals. */
const FORMATS = [0, 1, 2, 3].map((digits) => {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return new Intl.NumberFormat(LANGUAGE, decimals)
})

/** Four significant digits, three decimals at most; all digits of a larger number. */
export function numberText(value: number): string {
  const size = Math.abs(value)
  // What rounds up to the next power of ten has its digits.
  const decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0
  return `${value <= -0.0005 ? '−' : ''}${FORMATS[decimals].format(size)}`
}

export function distanceText(metres: number): string {
  const size = Math.abs(metres)
  if (size >= 0.1 * AU) return say('{n} au', { n: numberText(metres / AU) })
  if (units.value === 'nautical') {
    if (size < NAUTICAL_MILE) return `${numberText(metres / FOOT)} ft`
    if (size < 1e9) return `${numberText(metres / NAUTICAL_MILE)} nmi`
    return say('{n} million nmi', { n: numberText(metres / NAUTICAL_MILE / 1e6) })
  }
  if (size < 999.95) return `${numberText(metres)} m`
  if (size < 1e9) return `${numberText(metres / 1000)} km`
  return say('{n} million km', { n: numberText(metres / 1e9) })
}

export function speedText(metresPerSecond: number): string {
  if (units.value === 'nautical') return `${numberText(metresPerSecond / KNOT)} kn`
  return Math.abs(metresPerSecond) < 999.95
    ? `${numberText(metresPerSecond)} m/s`
    : `${numberText(metresPerSecond / 1000)} km/s`
}

/** Acceleration [m/s²] in multiples of standard gravity. */
export function accelerationText(metresPerSecond2: number): string {
  return `${numberText(metresPerSecond2 / STANDARD_GRAVITY)} g`
}

export function durationText(seconds: number): string {
  const size = Math.abs(seconds)
  if (size < 2 * MINUTE) return `${numberText(seconds)} s`
  if (size < 2 * HOUR) return `${numberText(seconds / MINUTE)} min`
  if (size < 2 * DAY) return `${numberText(seconds / HOUR)} h`
  if (size < 2 * YEAR) return say('{n} days', { n: numberText(seconds / DAY) })
  return say('{n} years', { n: numberText(seconds / YEAR) })
}

/** Time until something happens: hours, minutes and seconds, or days. */
export function countdownText(seconds: number): string {
  if (!(Math.abs(seconds) < 100 * HOUR)) return durationText(seconds)
  const whole = Math.floor(Math.abs(seconds))
  const [hours, minutes, rest] = [whole / HOUR, (whole / MINUTE) % 60, whole % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  )
  return `${seconds < 0 ? '−' : ''}${hours}:${minutes}:${rest}`
}

/** @param radians  shown in degrees */
export function angleText(radians: number): string {
  const degrees = Math.abs((radians * 180) / Math.PI)
  const sign = radians < 0 && degrees >= 0.005 ? '−' : ''
  return `${sign}${FORMATS[degrees < 9.995 ? 2 : 1].format(degrees)}°`
}

export function kilogramsText(kilograms: number): string {
  return `${numberText(kilograms)} kg`
}

/** Mass [kg] from a gravitational parameter [m³/s²]. */
export function massText(gm: number): string {
  const [digits, exponent] = (gm / 6.674_3e-11).toExponential(2).split('e+')
  return `${FORMATS[2].format(Number(digits))} × 10${superscript(exponent)} kg`
}

function superscript(digits: string): string {
  return digits.replaceAll(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])
}

/** @param fraction  from 0 to 1 */
export function percentText(fraction: number): string {
  const decimals = fraction > 0.01 && fraction < 0.99 ? 0 : 1
  return `${FORMATS[decimals].format(100 * fraction)} %`
}

export function dateText(ms: number): string {
  const text = new Date(ms).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)} UTC`
}

/** How fast game time runs. */
export function paceText(scale: number): string {
  if (scale === 0) return say('paused')
  if (Math.abs(scale - 1) < 0.06) return say('real time')
  const pace = scale.toLocaleString(LANGUAGE, { maximumSignificantDigits: 4 })
  return say('{pace} × real time', { pace })
}
