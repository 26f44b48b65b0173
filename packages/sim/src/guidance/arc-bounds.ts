/**
 * What arcs between two states cost at least. All of them are in one plane, and those of so many
 * revolutions have a period, and so a speed at each end, between two values. Most need no solution.
 */
import { TAU } from '../math/circle.ts'
import type { StateVector } from '../math/state-vector.ts'
import { cross, dot } from '../math/triple.ts'
import { exponential, logarithm } from '../orbits/exponential.ts'

/** More than arithmetic is off by: a share of a cost, and [m/s]. */
const SHARE = 1e-6
const SPEED = 1e-3

/** The same of a squared speed, as a share of that of escape: small speeds are differences. */
const SQUARE_SHARE = 1e-12

/** Square of the least sine of the angle between the ends: below it their plane is not sure. */
const FLAT = 1e-12

/** k to the power of 2/3: what divides the axis of an orbit with k times as many revolutions. */
const DIVISORS = Float64Array.from({ length: 64 }, (_, k) =>
  k === 0 ? 0 : exponential((2 * logarithm(k)) / 3),
)

/** One end: across the plane of arcs and in it [m/s], and twice the inverse distance [1/m]. */
interface End {
  across: number
  within: number
  inverse: number
}

const plane = new Float64Array(3)
const way = new Float64Array(3)

export class ArcBounds {
  readonly #first: End = { across: 0, within: 0, inverse: 0 }
  readonly #second: End = { across: 0, within: 0, inverse: 0 }
  #gm = 0
  /** inverse axis of one revolution in the whole time, and of the least ellipse [1/m] */
  #inverse = 0
  #inverseMost = 0

  /** Takes the states between which arcs take so many seconds. */
  begin(from: StateVector, to: StateVector, gm: number, seconds: number): void {
    cross(plane, 0, from.r, 0, to.r, 0)
    const squares = dot(from.r, 0, from.r, 0) * dot(to.r, 0, to.r, 0)
    const found = dot(plane, 0, plane, 0)
    const square = found > FLAT * squares ? found : 0
    const sum = readEnd(this.#first, from, square) + readEnd(this.#second, to, square)
    for (let axis = 0; axis < 3; axis++) way[axis] = to.r[axis] - from.r[axis]
    this.#gm = gm
    this.#inverseMost = 4 / (sum + Math.sqrt(dot(way, 0, way, 0)))
    const turn = seconds / TAU
    this.#inverse = exponential(-logarithm(gm * turn * turn) / 3)
  }

  /**
   * Δv of any arc of so many full revolutions at least [m/s]; Infinity where no arc has so many.
   *
   * @param later  what Δv at the end counts against Δv at the begin
   */
  least(revolutions: number, later: number): number {
    if (revolutions + 1 >= DIVISORS.length) return 0
    const longest = this.#inverse * DIVISORS[revolutions]
    if (longest > (1 + SHARE) * this.#inverseMost) return Infinity
    const shortest = this.#inverse * DIVISORS[revolutions + 1]
    const first = this.#change(this.#first, shortest, longest)
    const second = this.#change(this.#second, shortest, longest)
    return (1 - SHARE) * (first + later * second) - SPEED
  }

  #change({ across, within, inverse }: End, shortest: number, longest: number): number {
    const slow = speed(this.#gm * ((1 - SQUARE_SHARE) * inverse - shortest))
    // Without a full revolution arcs may be open, and of any speed.
    const fast = longest > 0 ? speed(this.#gm * ((1 + SQUARE_SHARE) * inverse - longest)) : Infinity
    const along = Math.max(0, slow - within, within - fast)
    return Math.sqrt(across * across + along * along)
  }
}

/** Of a square that may be less than 0. */
function speed(square: number): number {
  return Math.sqrt(Math.max(0, square))
}

/**
 * @param planeSquare  of the normal of the plane; 0 where that is not sure
 * @returns the distance [m]
 */
function readEnd(out: End, { r, v }: StateVector, planeSquare: number): number {
  const distance = Math.sqrt(dot(r, 0, r, 0))
  const along = dot(plane, 0, v, 0)
  const square = planeSquare > 0 ? (along * along) / planeSquare : 0
  out.across = Math.sqrt(square)
  out.within = speed(dot(v, 0, v, 0) - square)
  out.inverse = 2 / distance
  return distance
}
