import { TURN_PARTS, circlePoint } from '../math/circle.ts'
import { cross, dot } from '../math/triple.ts'
import type { StateVector } from '../math/state-vector.ts'
import { ELEMENTS, SLOW_ELEMENTS, equinoctialElements, gaussRates } from '../orbits/equinoctial.ts'

/** The orbit that a Q-law steers to. */
export interface QLawGoal {
  /** a [m], f, g, h, k */
  readonly elements: Float64Array
  /** share of each element in Q, 0 for one that is free */
  readonly weights: Float64Array
  /** distance from the centre that the periapsis must not fall below [m] */
  readonly periapsisMin: number
}

/** What a Q-law steers by at one moment. */
export interface Steering {
  /** unit vector of the thrust, of zeros on the goal */
  readonly direction: Float64Array
  /** a, f, g, h, k minus those of the goal, a as a share of the goal's */
  readonly errors: Float64Array
  /** how fast thrust lowers Q here, as a share of the best place of the orbit: 0 to 1 */
  effectivity: number
  /** the same above the worst place */
  relativeEffectivity: number
}

export function createSteering(): Steering {
  return {
    direction: new Float64Array(3),
    errors: new Float64Array(SLOW_ELEMENTS),
    effectivity: 0,
    relativeEffectivity: 0,
  }
}

/** Places of the orbit at which the extremes are sought. */
const PLACES = 64

// Their unit vectors.
const circle = new Float64Array(2 * PLACES)
for (let i = 0; i < PLACES; i++) {
  circlePoint(circle.subarray(2 * i), (TURN_PARTS / PLACES) * i)
}

const elements = new Float64Array(ELEMENTS)
const gradient = new Float64Array(SLOW_ELEMENTS)
const rates = new Float64Array(3 * SLOW_ELEMENTS)
const rate = new Float64Array(3)
const up = new Float64Array(3)
const along = new Float64Array(3)

/**
 * The thrust direction that lowers the proximity quotient Q of a bound orbit fastest, and how
 * effective thrust is there. Q is the square of a bound on the time to the goal, so neither
 * depends on the acceleration.
 *
 * @source Petropoulos 2005, AAS 05-283; in equinoctial elements: Varga & Perez 2016, AAS 16-323
 */
export function steer(out: Steering, state: StateVector, gm: number, goal: QLawGoal): void {
  equinoctialElements(elements, state, gm)
  for (let i = 0; i < SLOW_ELEMENTS; i++) out.errors[i] = elements[i] - goal.elements[i]
  out.errors[0] /= goal.elements[0]
  differentiate(goal)
  let best = 0
  let worst = Infinity
  for (let i = 0; i < 2 * PLACES; i += 2) {
    const descent = steepest(circle[i], circle[i + 1], gm)
    best = Math.max(best, descent)
    worst = Math.min(worst, descent)
  }
  const here = steepest(elements[5], elements[6], gm)
  // The extremes lie between the places of the table.
  best = Math.max(best, here)
  worst = Math.min(worst, here)
  out.effectivity = best > 0 ? here / best : 0
  out.relativeEffectivity = best > worst ? (here - worst) / (best - worst) : 0
  toInertial(out.direction, state, here)
}

/** How fast unit thrust lowers Q at most at one longitude; `rate` is then that descent's vector. */
function steepest(cosine: number, sine: number, gm: number): number {
  gaussRates(rates, elements, cosine, sine, gm)
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0
    for (let i = 0; i < SLOW_ELEMENTS; i++) sum += gradient[i] * rates[3 * i + axis]
    rate[axis] = sum
  }
  return Math.sqrt(dot(rate, 0, rate, 0))
}

/** out = the direction against `rate`, from radial, transverse and normal to inertial axes. */
function toInertial(out: Float64Array, { r, v }: StateVector, descent: number): void {
  if (!(descent > 0)) {
    out.fill(0)
    return
  }
  cross(up, 0, r, 0, v, 0)
  cross(along, 0, up, 0, r, 0)
  const radial = rate[0] / Math.sqrt(dot(r, 0, r, 0))
  const transverse = rate[1] / Math.sqrt(dot(along, 0, along, 0))
  const normal = rate[2] / Math.sqrt(dot(up, 0, up, 0))
  for (let i = 0; i < 3; i++) {
    out[i] = -(radial * r[i] + transverse * along[i] + normal * up[i]) / descent
  }
}

/** Half the span of a central difference, as a share of a and in f to k. */
const SPAN = 1e-6

/** `gradient` = that of Q by the elements. */
function differentiate(goal: QLawGoal): void {
  for (let i = 0; i < SLOW_ELEMENTS; i++) {
    const value = elements[i]
    const span = i === 0 ? SPAN * value : SPAN
    elements[i] = value + span
    const above = quotient(goal)
    elements[i] = value - span
    gradient[i] = (above - quotient(goal)) / (2 * span)
    elements[i] = value
  }
}

/** Steepness of the wall at the least periapsis, and its weight. */
const WALL = 100

/** Q of `elements`, up to a factor. */
function quotient({ elements: goal, weights, periapsisMin }: QLawGoal): number {
  const [a, f, g, h, k] = elements
  const e2 = f * f + g * g
  const e = Math.sqrt(e2)
  const p = a * (1 - e2)
  const s2 = 1 + h * h + k * k
  const far = (a - goal[0]) / (3 * goal[0])
  const scaled = Math.sqrt(1 + far * far * far * far)
  // Each distance over the greatest rate of its element in one revolution, times √(p / GM).
  const da = ((a - goal[0]) * p) / (2 * a * a * (1 + e))
  const df = 0.5 * (f - goal[1])
  const dg = 0.5 * (g - goal[2])
  const dh = (2 * (h - goal[3]) * (Math.sqrt(1 - g * g) + f)) / s2
  const dk = (2 * (k - goal[4]) * (Math.sqrt(1 - f * f) + g)) / s2
  const sum =
    weights[0] * scaled * da * da +
    weights[1] * df * df +
    weights[2] * dg * dg +
    weights[3] * dh * dh +
    weights[4] * dk * dk
  return ((1 + wall(WALL * (1 - (a * (1 - e)) / periapsisMin))) * sum) / p
}

/** Close to eˣ, zero below x = -1024, never falling. */
function wall(x: number): number {
  let power = Math.max(0, 1 + x / 1024)
  for (let i = 0; i < 10; i++) power *= power
  return power
}
