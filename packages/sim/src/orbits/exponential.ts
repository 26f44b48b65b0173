/** ln 2 in two parts; the first has so few bits that whole multiples of it are exact. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const LN2 = LN2_HIGH + LN2_LOW

/** 2^(2^i) for i = 0 to 9. */
const POWERS = powers()

function powers(): Float64Array {
  const table = new Float64Array(10).fill(2)
  for (let i = 1; i < table.length; i++) table[i] = table[i - 1] * table[i - 1]
  return table
}

/** Terms of the exponential's series: what follows is below 1e-18 for half of ln 2. */
const TERMS = 15

/** e^x within 2e-16 of its value: 0 below -708, infinite above 709. */
export function exponential(x: number): number {
  if (x < -708) return 0
  if (x > 709) return Infinity
  const doublings = Math.floor(x / LN2 + 0.5)
  const rest = x - doublings * LN2_HIGH - doublings * LN2_LOW
  let result = 1
  for (let k = TERMS; k > 0; k--) result = 1 + (rest / k) * result
  let left = Math.abs(doublings)
  for (let i = 0; left > 0; i++) {
    const half = Math.floor(0.5 * left)
    if (left > 2 * half) result = doublings > 0 ? result * POWERS[i] : result / POWERS[i]
    left = half
  }
  return result
}

/** Square root of ½: mantissas lie between it and its reciprocal. */
const ROOT_HALF = Math.sqrt(0.5)

/** Last odd power of the logarithm's series. */
const LOGARITHM_POWER = 23

/** Natural logarithm of a normal positive number, within 2e-16 or a last bit. */
export function logarithm(x: number): number {
  let mantissa = x
  let doublings = 0
  for (let i = 9, weight = 512; i >= 0; i--, weight *= 0.5) {
    if (mantissa >= POWERS[i]) {
      mantissa /= POWERS[i]
      doublings += weight
    } else if (mantissa * POWERS[i] < 2) {
      mantissa *= POWERS[i]
      doublings -= weight
    }
  }
  if (mantissa * ROOT_HALF > 1) {
    mantissa *= 0.5
    doublings++
  }
  const ratio = (mantissa - 1) / (mantissa + 1)
  const square = ratio * ratio
  let series = 1 / LOGARITHM_POWER
  for (let k = LOGARITHM_POWER - 2; k > 0; k -= 2) series = 1 / k + square * series
  return doublings * LN2_HIGH + (doublings * LN2_LOW + 2 * ratio * series)
}
