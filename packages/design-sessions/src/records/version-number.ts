/** Digits of each number in a sort key; a version number has 20 characters at most. */
const DIGITS = 20

const NUMBERS_MIN = 3

// Separators by their order in ASCII: identifiers end below any character they hold, and a
// pre-release (-) comes before its release (/), which comes before one with more numbers (0-9).
const END = '!'
const PRE_RELEASE = '-'
const RELEASE = '/'
const NO_NUMBER = '~'

const NUMBER = /^v?(\d+(?:\.\d+)*)(?:-([\da-z.-]+))?(?:\+[\da-z.-]*)?$/i

/**
 * A text whose byte order is that of version numbers: 2.0.0, 10.0.0-rc.2, 10.0.0-rc.10, 10.0.0;
 * other texts come last.
 *
 * @source semver.org 2.0.0, section 11
 */
export function sortKey(number: string): string {
  const [, numbers, preRelease] = NUMBER.exec(number.trim()) ?? []
  if (numbers === undefined) return NO_NUMBER + number
  const parts = numbers.split('.')
  while (parts.length < NUMBERS_MIN) parts.push('0')
  const release = parts.map(padded).join('')
  if (preRelease === undefined) return release + RELEASE
  const identifiers = preRelease.split('.').map((part) => identifierKey(part) + END)
  return release + PRE_RELEASE + identifiers.join('')
}

/** Numeric identifiers sort before others. */
function identifierKey(identifier: string): string {
  return /^\d+$/.test(identifier) ? `0${padded(identifier)}` : `1${identifier}`
}

function padded(digits: string): string {
  return digits.padStart(DIGITS, '0')
}

/** The minor version after the highest; 0.1.0 without any. */
export function nextMinor(numbers: readonly string[]): string {
  let highest: readonly bigint[] = [0n, 0n]
  for (const number of numbers) {
    const [, release] = NUMBER.exec(number.trim()) ?? []
    const [major, minor = 0n] = release?.split('.').map(BigInt) ?? [0n]
    if (major > highest[0] || (major === highest[0] && minor > highest[1])) highest = [major, minor]
  }
  return `${highest[0]}.${highest[1] + 1n}.0`
}
