/**
 * Law: an attitude follows from its own axes to rounding, above all after a half turn, where w
 * vanishes, also about an axis on which other components vanish.
 */
import { expect, it } from 'vitest'
import { alignedQuaternion } from '../../src/math/quaternion.ts'
import { bodyAxes, dice } from '../hull.ts'

const SEED = 5_417

it(`follows from its axes within two last bits, seed ${SEED}`, () => {
  const { direction } = dice(SEED)
  const few = [-1, 0, 1]
  const grid = few.flatMap((w) =>
    few.flatMap((x) => few.flatMap((y) => few.map((z) => [w, x, y, z]))),
  )
  const lattice = grid
    .filter((q) => q.some((value) => value !== 0))
    .map((q) => q.map((value) => value / Math.hypot(...q)))
  const halfTurns = Array.from({ length: 500 }, () => [0, ...direction(3)])
  const others = Array.from({ length: 500 }, () => direction(4))
  const out = new Float64Array(4)
  for (const q of [...lattice, ...halfTurns, ...others]) {
    const [ahead, , up] = bodyAxes(q).map((axis) => Float64Array.from(axis))
    alignedQuaternion(out, 0, ahead, up)
    const sign = Math.sign(out.reduce((sum, value, i) => sum + value * q[i], 0))
    const miss = Math.hypot(...out.map((value, i) => value - sign * q[i]))
    expect(miss, `of ${q.join()}`).toBeLessThan(1e-15)
  }
})
