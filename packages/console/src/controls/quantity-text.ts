/** Quantities as an operator reads them. */

/** A count, with spaces between thousands. */
export function countText(value: number): string {
  return value.toLocaleString('en').replaceAll(',', '\u{202f}')
}

/** A share as a percentage. */
export function shareText(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes in the largest unit that leaves more than one. */
export function byteText(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < UNITS.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`
}

const STEPS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** A duration in its two largest units [s]. */
export function durationText(seconds: number): string {
  let rest = Math.round(seconds)
  const parts: string[] = []
  for (const [unit, length] of STEPS) {
    const count = Math.floor(rest / length)
    rest -= count * length
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`)
  }
  return parts.join(' ') || '0 s'
}

/** [m] */
export const AU: number = 149_597_870_700

/** Four digits of a number, without an exponent. */
function digitsText(value: number): string {
  const text = value.toLocaleString('en', { maximumSignificantDigits: 4 })
  return text.replaceAll(',', '\u{202f}').replace('-', '−')
}

/** A length [m] in the unit that people use for it. */
export function lengthText(metres: number): string {
  const size = Math.abs(metres)
  if (size >= 0.1 * AU) return `${digitsText(metres / AU)} au`
  if (size >= 1e9) return `${digitsText(metres / 1e9)} million km`
  return size >= 1000 ? `${digitsText(metres / 1000)} km` : `${digitsText(metres)} m`
}

/** A speed [m/s]. */
export function speedText(speed: number): string {
  return speed >= 1000 ? `${digitsText(speed / 1000)} km/s` : `${digitsText(speed)} m/s`
}
