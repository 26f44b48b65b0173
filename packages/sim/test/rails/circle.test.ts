// Law: a point of the circle by arithmetic alone is the true one to the last bit or two, and
// quarters of a turn are exact. Method: angles all round, against the platform's sine and cosine,
// which are right to a last bit on any machine that runs tests.
import { TURN_PARTS } from '@orrery/sim'
import { expect, test } from 'vitest'
import { circlePoint } from '../../src/math/circle.ts'

const out = new Float64Array(2)
const point = (parts: number): [number, number] => {
  circlePoint(out, parts)
  return [out[0] + 0, out[1] + 0]
}

test('quarters are exact, and so are mirrored angles', () => {
  const quarter = TURN_PARTS / 4
  expect([0, 1, 2, 3].map((k) => point(k * quarter))).toEqual([
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ])
  const [cosine, sine] = point(123_456_789_012_345)
  expect(point(TURN_PARTS - 123_456_789_012_345)).toEqual([cosine, -sine])
})

test('any angle is within 3e-16 of the true point', () => {
  let worst = 0
  for (let k = 0; k < 20_000; k++) {
    const parts = Math.floor((k * 0.618_033_988_749_895 * TURN_PARTS) % TURN_PARTS)
    // Reduced before it is rounded: a whole turn in radians has lost bits.
    const eighth = Math.round(parts / (TURN_PARTS / 8))
    const rest = (parts - eighth * (TURN_PARTS / 8)) * ((2 * Math.PI) / TURN_PARTS)
    const base = (eighth * Math.PI) / 4
    const [cosine, sine] = point(parts)
    worst = Math.max(worst, Math.abs(cosine - Math.cos(base + rest)))
    worst = Math.max(worst, Math.abs(sine - Math.sin(base + rest)))
    expect(Math.abs(cosine * cosine + sine * sine - 1)).toBeLessThan(5e-16)
  }
  // The comparison's own angle is rounded to 4.4e-16 at worst, near a whole turn.
  expect(worst).toBeLessThan(3e-16 + 4.5e-16)
})
