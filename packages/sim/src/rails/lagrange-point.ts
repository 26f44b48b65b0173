import { cross, dot } from '../math/triple.ts'
import type { StateVector } from '../math/state-vector.ts'

/** The points by their numbers: 1 between the two bodies, 4 ahead of the secondary, 5 behind. */
export type LagrangeNumber = 1 | 2 | 3 | 4 | 5

/** Halvings of (0, 1): enough for the last bit of a root that is not below 1e-3. */
const HALVINGS = 64

/** Height of an equilateral triangle over its side: √3 / 2. */
const HEIGHT = 0.8660254037844386

/**
 * Place of a collinear point on the line from the primary (0) through the secondary (1), in
 * the circular restricted three-body problem.
 *
 * @param mu  share of the secondary in the mass of the pair, 0 to 1, without either end
 * @source Szebehely, Theory of Orbits, 1967, section 4.4
 */
export function collinearRatio(mu: number, point: 1 | 2 | 3): number {
  const rest = 1 - mu
  if (point === 3) return -quinticRoot(2 + mu, 1 + 2 * mu, -rest, -2 * rest, -rest)
  if (point === 1) return 1 - quinticRoot(mu - 3, 3 - 2 * mu, -mu, 2 * mu, -mu)
  return 1 + quinticRoot(3 - mu, 3 - 2 * mu, -mu, -2 * mu, -mu)
}

/** The root in (0, 1) of x⁵ + a x⁴ + b x³ + c x² + d x + e, which is negative at 0 only. */
function quinticRoot(a: number, b: number, c: number, d: number, e: number): number {
  let low = 0
  let high = 1
  for (let i = 0; i < HALVINGS; i++) {
    const x = 0.5 * (low + high)
    if (((((x + a) * x + b) * x + c) * x + d) * x + e < 0) low = x
    else high = x
  }
  return high
}

/** How the secondary of a pair moves about its primary at one moment, as triples. */
export interface PairMotion extends StateVector {
  /** specific angular momentum (0-2) [m²/s] and its rate (3-5) [m²/s²] */
  readonly momentum: Float64Array
}

/**
 * State of a Lagrange point relative to the primary. The pair's separation sets the scale, the
 * plane of its motion the plane; the velocity is that of a point which keeps its place in both
 * as they turn and stretch.
 *
 * @param mu  share of the secondary in the mass of the pair
 */
export function lagrangeState(
  out: StateVector,
  pair: PairMotion,
  mu: number,
  point: LagrangeNumber,
): void {
  if (point <= 3) {
    const { r, v } = pair
    const ratio = collinearRatio(mu, point as 1 | 2 | 3)
    for (let axis = 0; axis < 3; axis++) {
      out.r[axis] = ratio * r[axis]
      out.v[axis] = ratio * v[axis]
    }
    return
  }
  triangularState(out, pair, point === 4 ? HEIGHT : -HEIGHT)
}

// The unit normal of the pair's plane, its rate, and what that adds to the height.
const normal = new Float64Array(3)
const normalRate = new Float64Array(3)
const tilt = new Float64Array(3)

function triangularState(out: StateVector, { r, v, momentum }: PairMotion, height: number): void {
  const length = Math.sqrt(dot(momentum, 0, momentum, 0))
  for (let i = 0; i < 3; i++) normal[i] = momentum[i] / length
  const along = dot(normal, 0, momentum, 3)
  for (let i = 0; i < 3; i++) normalRate[i] = (momentum[3 + i] - along * normal[i]) / length
  cross(out.r, 0, normal, 0, r, 0)
  cross(out.v, 0, normal, 0, v, 0)
  cross(tilt, 0, normalRate, 0, r, 0)
  for (let i = 0; i < 3; i++) {
    out.r[i] = 0.5 * r[i] + height * out.r[i]
    out.v[i] = 0.5 * v[i] + height * (out.v[i] + tilt[i])
  }
}
