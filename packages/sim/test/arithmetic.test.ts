/**
 * Law: a world starts only where every operation is rounded once, to nearest, ties to even.
 * Goal: each expected result of the self-test follows from its operands in BigInt alone; the
 * self-test passes here; and it refuses engines that fuse, keep wider registers, flush small
 * numbers, estimate roots or quotients, or lose the sign of zero.
 */
import { assertExactArithmetic } from '@orrery/sim'
import { expect, it } from 'vitest'
import { CASES } from '../src/arithmetic-cases.ts'
import { ARITHMETIC, type Arithmetic } from '../src/arithmetic.ts'
import {
  EXTENDED,
  type Format,
  type Rational,
  SINGLE,
  exactly,
  over,
  plus,
  root,
  times,
  toDouble,
} from './exact-rounding.ts'

it('expects what exact arithmetic gives', () => {
  const exact = { ...ARITHMETIC, ...exactArithmetic() }
  expect(() => assertExactArithmetic(exact)).not.toThrow()
  const cases = Object.values(CASES).flatMap((rows) => rows.flatMap((row) => row.split(', ')))
  expect(cases.length).toBeGreaterThan(400)
})

it('passes on this engine', () => {
  expect(() => assertExactArithmetic()).not.toThrow()
})

const small = (x: number): number => (Math.abs(x) >= 2 ** -1022 ? x : x < 0 ? -0 : 0)
const fused = (a: number, b: number, c: number): number =>
  [a, b, c].every(Number.isFinite)
    ? toDouble(plus(times(exactly(a), exactly(b)), exactly(c)), false)
    : a * b + c

const wrongEngines: Readonly<Record<string, Partial<Arithmetic>>> = {
  'a fused multiply-add': { productPlus: fused },
  'a fused multiply-subtract': { minusProduct: (a, b, c) => fused(-b, c, a) },
  'a contracted sum of squares': { sumOfSquares: (a, b) => fused(a, a, b * b) },
  'sums in wide registers': pick(exactArithmetic(EXTENDED), 'sum'),
  'differences in wide registers': pick(exactArithmetic(EXTENDED), 'difference'),
  'products in wide registers': pick(exactArithmetic(EXTENDED), 'product'),
  'quotients in wide registers': pick(exactArithmetic(EXTENDED), 'quotient'),
  'roots in wide registers': pick(exactArithmetic(EXTENDED), 'root'),
  'a wide range between two operations': {
    productOver: (a, b, c) => toDouble(over(times(exactly(a), exactly(b)), exactly(c)), false),
  },
  'small sums flushed to zero': { sum: (a, b) => small(a + b) },
  'small products flushed to zero': { product: (a, b) => small(a * b) },
  'small quotients flushed to zero': { quotient: (a, b) => small(a / b) },
  'small operands read as zero': { root: (a) => Math.sqrt(small(a)) },
  'a reciprocal for a quotient': { quotient: (a, b) => a * (1 / b) },
  'a root by one step of Newton': {
    root: (a) => {
      const guess = Math.fround(Math.sqrt(a))
      return guess > 0 && guess < Infinity ? 0.5 * (guess + a / guess) : Math.sqrt(a)
    },
  },
  'a root by power': { root: (a) => a ** 0.5 },
  'zeros without sign': { truncated: (a) => Math.trunc(a) + 0 },
  'no order of zeros': { lesser: (a, b) => (a < b ? a : b) },
  'singles cut off': { single: (a) => new Float32Array(Float64Array.of(a))[0] * (1 + 2 ** -30) },
  'products of 32 bits through doubles': { lowProduct: (a, b) => (a * b) | 0 },
  'a remainder by division': { remainder: (a, b) => a - b * Math.trunc(a / b) },
}

it.each(Object.entries(wrongEngines))('refuses %s', (_, wrong) => {
  const [name] = Object.keys(wrong)
  expect(() => assertExactArithmetic({ ...ARITHMETIC, ...wrong })).toThrow(
    expect.objectContaining({ code: 'ERR_ARITHMETIC', message: expect.stringContaining(name) }),
  )
})

function pick(arithmetic: Partial<Arithmetic>, name: keyof Arithmetic): Partial<Arithmetic> {
  return { [name]: arithmetic[name]! }
}

/** Every operation in BigInt, rounded to the format given before it is rounded to a double. */
function exactArithmetic(...before: readonly Format[]): Partial<Arithmetic> {
  const negative = (x: number): boolean => x < 0 || Object.is(x, -0)
  const round = (value: Rational, zeroIsNegative: boolean): number =>
    toDouble(value, zeroIsNegative, ...before)
  const sum = (a: number, b: number): number =>
    Number.isFinite(a) && Number.isFinite(b)
      ? round(plus(exactly(a), exactly(b)), negative(a) && negative(b))
      : Number.isFinite(a)
        ? b
        : a
  const product = (a: number, b: number): number => {
    const sign = negative(a) !== negative(b)
    if (Number.isFinite(a) && Number.isFinite(b)) return round(times(exactly(a), exactly(b)), sign)
    return sign ? -Infinity : Infinity
  }
  const quotient = (a: number, b: number): number => {
    const sign = negative(a) !== negative(b)
    if (!Number.isFinite(b)) return sign ? -0 : 0
    if (!Number.isFinite(a) || b === 0) return sign ? -Infinity : Infinity
    return round(over(exactly(a), exactly(b)), sign)
  }
  const whole = (a: number, { numerator, denominator }: Rational): number =>
    round({ numerator: numerator / denominator, denominator: 1n }, negative(a))
  return {
    root: (a) => (a > 0 && a < Infinity ? round(root(exactly(a)), false) : a),
    sum,
    difference: (a, b) => sum(a, -b),
    product,
    quotient,
    remainder: (a, b) => {
      if (!Number.isFinite(b)) return a
      const [x, y] = [exactly(a), exactly(b)]
      return round(
        {
          numerator: (x.numerator * y.denominator) % (y.numerator * x.denominator),
          denominator: x.denominator * y.denominator,
        },
        negative(a),
      )
    },
    productPlus: (a, b, c) => sum(product(a, b), c),
    minusProduct: (a, b, c) => sum(a, -product(b, c)),
    sumOfSquares: (a, b) => sum(product(a, a), product(b, b)),
    productOver: (a, b, c) => quotient(product(a, b), c),
    single: (a) => toDouble(exactly(a), negative(a), SINGLE),
    truncated: (a) => whole(a, exactly(a)),
    floor: (a) => {
      const below = whole(a, exactly(a))
      return below > a ? sum(below, -1) : below
    },
    lowProduct: (a, b) =>
      Number(BigInt.asIntN(32, BigInt(whole(a, exactly(a))) * BigInt(whole(b, exactly(b))))),
  }
}
