/**
 * A number as the unevaluated sum of two doubles, about 32 digits. For ledgers and invariants:
 * cold code, so values are plain pairs.
 *
 * @source Dekker 1971, Numer. Math. 18, 224; Hida, Li & Bailey 2001, Quad-double arithmetic
 */
export type DoubleDouble = readonly [high: number, low: number]

/** 2^27 + 1 splits a double into two halves of 26 bits, whose products are exact. */
const SPLITTER = 134217729

/** a + b, exactly. */
export function twoSum(a: number, b: number): DoubleDouble {
  const sum = a + b
  const part = sum - a
  return [sum, a - (sum - part) + (b - part)]
}

/** a · b, exactly; operands below 2^996 in magnitude, product above 2^-969 or zero. */
export function twoProduct(a: number, b: number): DoubleDouble {
  const product = a * b
  const splitA = SPLITTER * a
  const highA = splitA - (splitA - a)
  const lowA = a - highA
  const splitB = SPLITTER * b
  const highB = splitB - (splitB - b)
  const lowB = b - highB
  return [product, highA * highB - product + highA * lowB + lowA * highB + lowA * lowB]
}

export function sum(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const [high, error] = twoSum(a[0], b[0])
  const [low, rest] = twoSum(a[1], b[1])
  const [middle, carry] = twoSum(high, error + low)
  return twoSum(middle, carry + rest)
}

export function difference(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  return sum(a, [-b[0], -b[1]])
}

export function product(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const [high, low] = twoProduct(a[0], b[0])
  return twoSum(high, low + (a[0] * b[1] + a[1] * b[0]))
}

/** a / b by one Newton correction of the quotient of the high parts. */
export function quotient(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const first = a[0] / b[0]
  const rest = difference(a, product(b, [first, 0]))
  return twoSum(first, rest[0] / b[0])
}

/** √a for positive a, by one Newton correction of the root of the high part. */
export function squareRoot(a: DoubleDouble): DoubleDouble {
  const first = Math.sqrt(a[0])
  const rest = difference(a, twoProduct(first, first))
  return twoSum(first, rest[0] / (2 * first))
}

/** Adds one double to the double-double at `ledger[at]`, `ledger[at + 1]`, in place. */
export function book(ledger: Float64Array, at: number, value: number): void {
  const high = ledger[at]
  const total = high + value
  const part = total - high
  const error = high - (total - part) + (value - part) + ledger[at + 1]
  const normal = total + error
  ledger[at] = normal
  ledger[at + 1] = error - (normal - total)
}
