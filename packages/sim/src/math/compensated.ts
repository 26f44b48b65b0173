/**
 * Adds scale · rate to every element of a compensated vector: the true value is high + low, and
 * what the addition rounds away is kept in `low`.
 *
 * @source Kahan 1965, Comm. ACM 8, 40
 */
export function addScaled(
  high: Float64Array,
  low: Float64Array,
  rate: Float64Array,
  scale: number,
): void {
  for (let i = 0; i < high.length; i++) {
    const before = high[i]
    const change = scale * rate[i] + low[i]
    const after = before + change
    low[i] = change - (after - before)
    high[i] = after
  }
}

/** The same with a compensated rate, whose low part counts too. */
export function addScaledPair(
  high: Float64Array,
  low: Float64Array,
  rate: Float64Array,
  rateLow: Float64Array,
  scale: number,
): void {
  for (let i = 0; i < high.length; i++) {
    const before = high[i]
    const change = scale * rate[i] + (scale * rateLow[i] + low[i])
    const after = before + change
    low[i] = change - (after - before)
    high[i] = after
  }
}

/**
 * Adds to one element of a compensated vector by the exact two-sum, whichever of the two is larger.
 *
 * @param change  what to add, the element's own low part included
 * @source Knuth, The Art of Computer Programming, vol. 2, 4.2.2, theorem B
 */
export function addExactly(high: Float64Array, low: Float64Array, i: number, change: number): void {
  const before = high[i]
  const sum = before + change
  const part = sum - before
  high[i] = sum
  low[i] = before - (sum - part) + (change - part)
}
