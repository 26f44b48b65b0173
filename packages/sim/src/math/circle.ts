/**
 * Angles on rails are whole parts of a turn, so that they add without rounding for ever: this
 * many make one.
 */
export const TURN_PARTS = 281_474_976_710_656 // 2^48

/** 2π. */
export const TAU = 6.283185307179586

const QUARTER_PARTS = TURN_PARTS / 4

/** Powers of the series' last terms: what follows is below 3e-18 within an eighth of a turn. */
const COSINE_POWER = 16
const SINE_POWER = 17

/**
 * out = cosine and sine of an angle, within 2e-16, by arithmetic alone: the angle's whole
 * quarters turn exactly, the rest is at most an eighth of a turn and goes through the series.
 *
 * @param parts  0 up to `TURN_PARTS`; need not be whole
 */
export function circlePoint(out: Float64Array, parts: number): void {
  const quarters = Math.floor(parts / QUARTER_PARTS + 0.5)
  const angle = (parts - quarters * QUARTER_PARTS) * (TAU / TURN_PARTS)
  const square = angle * angle
  let cosine = 1
  for (let k = COSINE_POWER; k > 0; k -= 2) cosine = 1 - (square / (k * (k - 1))) * cosine
  let sine = 1
  for (let k = SINE_POWER; k > 1; k -= 2) sine = 1 - (square / (k * (k - 1))) * sine
  sine *= angle
  const swapped = quarters % 2 === 1
  const across = swapped ? sine : cosine
  const along = swapped ? cosine : sine
  out[0] = quarters === 1 || quarters === 2 ? -across : across
  out[1] = quarters === 2 || quarters === 3 ? -along : along
}
