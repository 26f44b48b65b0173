// Law: the collinear points stand where gravity and the turning of the pair balance, the others
// at the tips of equilateral triangles. Method: ratios against points computed to 30 digits, and
// the balance itself for pairs from a grain to equals.
import {
  type LagrangeNumber,
  type StateVector,
  collinearRatio,
  createStateVector,
  lagrangeState,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'

/**
 * Distances from the barycentre over the separation, x of L1, L2 and L3, by mass ratio.
 *
 * @source circular restricted three-body problem solved to 30 digits for GM of DE431
 */
const PAIRS = [
  [
    'Sun|Earth+Moon',
    3.0404234038200613e-6,
    0.9899859823429344,
    1.0100752000225464,
    -1.0000012668430849,
  ],
  ['Sun|Earth', 3.0034805939929923e-6, 0.9900265938713562, 1.0100341164215967, -1.0000012514502474],
  ['Earth|Moon', 0.012150584269940354, 0.8369151323643023, 1.1556821602923406, -1.0050626452521088],
  [
    'Sun|Jupiter',
    0.0009536838895767622,
    0.9323701350935764,
    1.0688259411746992,
    -1.000397368240155,
  ],
  ['Sun|Mars', 3.227154876045164e-7, 0.9952513269049232, 1.0047631066801581, -1.0000001344647864],
  [
    'Saturn|Titan',
    0.0002366392843312958,
    0.9574961752035155,
    1.0432564194222267,
    -1.0000985997010845,
  ],
] as const

/** Acceleration in the turning frame at x from the barycentre, in units of the pair. */
function imbalance(mu: number, x: number): number {
  const one = x + mu
  const two = x + mu - 1
  return x - ((1 - mu) * one) / Math.abs(one) ** 3 - (mu * two) / Math.abs(two) ** 3
}

describe('collinear points', () => {
  test.each(PAIRS)('of %s stand within 1e-15 of the reference', (_, mu, l1, l2, l3) => {
    const misses = ([1, 2, 3] as const).map((point, i) =>
      Math.abs(collinearRatio(mu, point) - mu - [l1, l2, l3][i]),
    )
    expect(Math.max(...misses)).toBeLessThan(1e-15)
  })

  test('balance for any mass of the secondary', () => {
    for (const mu of [1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.46, 0.5, 0.9]) {
      for (const point of [1, 2, 3] as const) {
        const x = collinearRatio(mu, point) - mu
        const step = 1e-13 * Math.max(1, 1 / Math.cbrt(mu))
        // It changes sign within a few last bits of the point.
        const before = imbalance(mu, x - step)
        const after = imbalance(mu, x + step)
        expect(before * after, `L${point} at ${mu}`).toBeLessThan(0)
      }
    }
  })
})

describe('triangular points', () => {
  const pair = {
    r: Float64Array.of(3e8, -1e8, 5e7),
    v: Float64Array.of(300, 900, -50),
    momentum: new Float64Array(6),
  }
  // As r × v and r × a, with a pull that tilts the plane.
  const a = [-2e-3, 7e-4, -4e-4]
  pair.momentum.set([...cross(pair.r, pair.v), ...cross(pair.r, a)])
  const state = (point: LagrangeNumber): StateVector => {
    const out = createStateVector()
    lagrangeState(out, pair, 0.012, point)
    return out
  }
  const length = (x: number, y: number, z: number): number => Math.hypot(x, y, z)
  const separation = length(...(pair.r as unknown as [number, number, number]))

  test.each([4, 5] as const)(
    'L%i is as far from both as they are apart, in their plane',
    (point) => {
      const { r } = state(point)
      const [x, y, z] = r
      const [px, py, pz] = pair.r
      expect(length(x, y, z) / separation).toBeCloseTo(1, 14)
      expect(length(x - px, y - py, z - pz) / separation).toBeCloseTo(1, 14)
      const [vx, vy, vz] = pair.v
      const normal = [py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx]
      const above =
        (x * normal[0] + y * normal[1] + z * normal[2]) / length(normal[0], normal[1], normal[2])
      expect(Math.abs(above) / separation).toBeLessThan(1e-15)
      // Ahead is where the motion goes.
      const ahead = x * vx + y * vy + z * vz - 0.5 * (px * vx + py * vy + pz * vz)
      expect(Math.sign(ahead)).toBe(point === 4 ? 1 : -1)
    },
  )

  test('keep their distances as the pair stretches: both separations grow alike', () => {
    const growth = (r: Float64Array, v: Float64Array): number =>
      (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / length(r[0], r[1], r[2])
    const expected = growth(pair.r, pair.v)
    for (const point of [4, 5] as const) {
      const { r, v } = state(point)
      expect(growth(r, v)).toBeCloseTo(expected, 10)
      expect(
        growth(
          r.map((x, i) => x - pair.r[i]),
          v.map((x, i) => x - pair.v[i]),
        ),
      ).toBeCloseTo(expected, 10)
    }
  })

  test.each([4, 5] as const)('L%i moves as its positions do while the plane tilts', (point) => {
    const seconds = 10
    const positionAfter = (t: number): Float64Array => {
      const r = pair.r.map((x, i) => x + t * (pair.v[i] + 0.5 * t * a[i]))
      const v = pair.v.map((x, i) => x + t * a[i])
      const momentum = Float64Array.of(...cross(r, v), ...cross(r, a))
      const out = createStateVector()
      lagrangeState(out, { r, v, momentum }, 0.012, point)
      return out.r
    }
    const [after, before] = [positionAfter(seconds), positionAfter(-seconds)]
    const { v } = state(point)
    const miss = v.map((speed, i) => speed - (after[i] - before[i]) / (2 * seconds))
    expect(Math.hypot(...miss) / Math.hypot(...v)).toBeLessThan(1e-6)
  })
})

function cross(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [1, 2, 0].map((j, i) => a[j] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[j])
}
