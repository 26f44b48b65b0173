/** An exact number: numerator over a positive denominator. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Bits of a significand, and the exponents that bound its last bit and its first. */
export interface Format {
  readonly bits: number
  readonly lowest: number
  readonly highest: number
}

export const DOUBLE: Format = { bits: 53, lowest: -1074, highest: 1024 }
export const SINGLE: Format = { bits: 24, lowest: -149, highest: 128 }
/** What the floating-point unit of old x86 keeps in its registers. */
export const EXTENDED: Format = { bits: 64, lowest: -16_445, highest: 16_384 }

/** A finite double, exactly. */
export function exactly(x: number): Rational {
  const word = new BigUint64Array(Float64Array.of(x).buffer)[0]
  const field = Number((word >> 52n) & 0x7ffn)
  const fraction = word & 0xf_ffff_ffff_ffffn
  const significand = field === 0 ? fraction : fraction + (1n << 52n)
  return scaled(word >> 63n ? -significand : significand, Math.max(field, 1) - 1075)
}

/**
 * A value rounded to a double, nearest and ties to even, in BigInt alone. A zero takes the sign
 * given, which an exact number does not have.
 *
 * @param before  formats that it is rounded to first
 */
export function toDouble(
  value: Rational,
  zeroIsNegative: boolean,
  ...before: readonly Format[]
): number {
  const negative = value.numerator < 0n || (value.numerator === 0n && zeroIsNegative)
  let size: Rational | undefined = {
    numerator: negative ? -value.numerator : value.numerator,
    denominator: value.denominator,
  }
  for (const format of before) {
    const kept: Kept | undefined = size && rounded(size, format)
    size = kept && scaled(kept.significand, kept.exponent)
  }
  const kept = size && rounded(size, DOUBLE)
  const word = kept ? (BigInt(kept.exponent + 1074) << 52n) + kept.significand : 0x7ffn << 52n
  const signed = negative ? word + (1n << 63n) : word
  return new Float64Array(BigUint64Array.of(signed).buffer)[0]
}

/** The square root of x ≥ 0, exact or between two numbers of 600 bits that are its neighbours. */
export function root({ numerator, denominator }: Rational): Rational {
  const square = (numerator << 2400n) / denominator
  const whole = integerRoot(square)
  const exact = whole * whole * denominator === numerator << 2400n
  return scaled(2n * whole + (exact ? 0n : 1n), -1201)
}

export function plus(a: Rational, b: Rational): Rational {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

export function times(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator }
}

export function over(a: Rational, b: Rational): Rational {
  const sign = b.numerator < 0n ? -1n : 1n
  return times(a, { numerator: sign * b.denominator, denominator: sign * b.numerator })
}

interface Kept {
  readonly significand: bigint
  readonly exponent: number
}

/** The nearest number of a format to a value ≥ 0; undefined where it overflows. */
function rounded({ numerator, denominator }: Rational, format: Format): Kept | undefined {
  const { bits, lowest, highest } = format
  if (numerator === 0n) return { significand: 0n, exponent: lowest }
  const estimate = bitLength(numerator) - bitLength(denominator) - bits
  const fits = quotient(numerator, denominator, estimate).whole < 1n << BigInt(bits)
  const exponent = Math.max(lowest, fits ? estimate : estimate + 1)
  const { whole, rest, unit } = quotient(numerator, denominator, exponent)
  const up = 2n * rest > unit || (2n * rest === unit && whole % 2n === 1n)
  const significand = up ? whole + 1n : whole
  if (bitLength(significand) + exponent > highest) return undefined
  return { significand, exponent }
}

/** n / (d 2^e) as a whole part, and a rest in units. */
function quotient(
  n: bigint,
  d: bigint,
  exponent: number,
): { whole: bigint; rest: bigint; unit: bigint } {
  const top = exponent < 0 ? n << BigInt(-exponent) : n
  const unit = exponent < 0 ? d : d << BigInt(exponent)
  return { whole: top / unit, rest: top % unit, unit }
}

function scaled(significand: bigint, exponent: number): Rational {
  return exponent < 0
    ? { numerator: significand, denominator: 1n << BigInt(-exponent) }
    : { numerator: significand << BigInt(exponent), denominator: 1n }
}

function integerRoot(n: bigint): bigint {
  if (n < 2n) return n
  let guess = 1n << BigInt(Math.ceil(bitLength(n) / 2))
  for (;;) {
    const next = (guess + n / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

function bitLength(n: bigint): number {
  return n.toString(2).length
}
