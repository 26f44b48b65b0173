import { dot, cross } from '../math/triple.ts'
import { exponential, logarithm } from './exponential.ts'
import { stumpff } from './stumpff.ts'

/** Velocities at the two ends of an arc [m/s]. */
export interface Arc {
  readonly v1: Float64Array
  readonly v2: Float64Array
}

/** An arc of zeros, to be written into. */
export function createArc(): Arc {
  return { v1: new Float64Array(3), v2: new Float64Array(3) }
}

/** A quarter of the squared difference of eccentric anomaly over one revolution: π². */
const WHOLE = 9.869604401089358

/** Its least value: hyperbolic arcs of a difference of 200. */
const LEAST = -10_000

const ROOT_TWO = Math.sqrt(2)

/** Most steps: arcs take four to eight; every other one bisects from the tenth. */
const STEPS_MAX = 90
const SURE_STEPS = 10

/** Relative miss of the time at which the next step is the last: convergence is quadratic. */
const NEARLY = 1e-9

/** Least sine of the angle between the ends: below it they name no plane. */
const SINE_MIN = 1e-9

const c = new Float64Array(4)
const across = new Float64Array(3)

// The geometry of the arc, and what `evaluate` finds at one anomaly.
const arc = { squares: 0, product: 0, versine: 0, cosine: 0, a: 0, y: 0, time: 0, slope: 0 }

/**
 * out = velocities of the arc without a full revolution from r1 to r2 in a given time, in the
 * sense of rotation about `normal`. The unknown is a quarter of the squared difference of
 * eccentric anomaly; Newton's step is taken on the inverse cube root of the time, in which a
 * long ellipse is straight, inside a bracket.
 *
 * @param r1       start [m]
 * @param r2       end [m]
 * @param gm       [m³/s²]
 * @param seconds  above 0
 * @param normal   direction about which the motion turns counterclockwise; any length
 * @returns false when the ends are in line with the centre or no such arc takes that time
 * @source Bate, Mueller & White, Fundamentals of Astrodynamics, section 5.3
 */
export function lambert(
  out: Arc,
  r1: Float64Array,
  r2: Float64Array,
  gm: number,
  seconds: number,
  normal: Float64Array,
): boolean {
  if (!(seconds > 0 && begin(r1, r2, normal))) return false
  if (!solve(Math.sqrt(gm) * seconds)) return false
  finish(out, r1, r2, gm)
  return true
}

/** Where an arc begins and ends [m], and about what it turns counterclockwise, of any length. */
export interface Ends {
  readonly r1: Float64Array
  readonly r2: Float64Array
  readonly normal: Float64Array
}

/**
 * out = velocities of an arc of one or more full revolutions and a part, as `lambert`. There are
 * two, or none when the time is too short.
 *
 * @param revolutions  whole, at least 1
 * @param late         the one of the greater change of eccentric anomaly
 */
export function lambertAround(
  out: Arc,
  ends: Ends,
  gm: number,
  seconds: number,
  { revolutions, late }: { readonly revolutions: number; readonly late: boolean },
): boolean {
  if (!(seconds > 0 && begin(ends.r1, ends.r2, ends.normal))) return false
  if (revolutions % 2 === 1) {
    arc.versine = 1 + arc.cosine
    arc.cosine = -arc.cosine
  }
  if (!solveAround(Math.sqrt(gm) * seconds, revolutions, late)) return false
  finish(out, ends.r1, ends.r2, gm)
  return true
}

/** The geometry of an arc; false when its ends name no plane. */
function begin(r1: Float64Array, r2: Float64Array, normal: Float64Array): boolean {
  const length1 = Math.sqrt(dot(r1, 0, r1, 0))
  const length2 = Math.sqrt(dot(r2, 0, r2, 0))
  cross(across, 0, r1, 0, r2, 0)
  const plane2 = dot(across, 0, across, 0)
  const least = SINE_MIN * length1 * length2
  if (!(plane2 > least * least)) return false
  chord(r1, length1, r2, length2)
  if (dot(across, 0, normal, 0) < 0) {
    // The long way: the cosine of half the angle is negative.
    arc.versine = 1 + arc.cosine
    arc.cosine = -arc.cosine
  }
  arc.a = ROOT_TWO * arc.product * arc.cosine
  return true
}

/** Velocities of the arc that was last evaluated. */
function finish(out: Arc, r1: Float64Array, r2: Float64Array, gm: number): void {
  const g = (arc.a * Math.sqrt(arc.y)) / Math.sqrt(gm)
  const along1 = arc.y / Math.sqrt(dot(r1, 0, r1, 0))
  const along2 = arc.y / Math.sqrt(dot(r2, 0, r2, 0))
  for (let i = 0; i < 3; i++) {
    const way = r2[i] - r1[i]
    out.v1[i] = (way + along1 * r1[i]) / g
    out.v2[i] = (way - along2 * r2[i]) / g
  }
}

/** The triangle of centre and ends, short way: free of cancellation for ends close together. */
function chord(r1: Float64Array, length1: number, r2: Float64Array, length2: number): void {
  let sum2 = 0
  let difference2 = 0
  for (let i = 0; i < 3; i++) {
    const u1 = r1[i] / length1
    const u2 = r2[i] / length2
    sum2 += (u1 + u2) * (u1 + u2)
    difference2 += (u1 - u2) * (u1 - u2)
  }
  const roots = Math.sqrt(length1) + Math.sqrt(length2)
  const slant = (length1 - length2) / roots
  arc.squares = slant * slant
  arc.product = Math.sqrt(length1 * length2)
  arc.cosine = 0.5 * Math.sqrt(sum2)
  arc.versine = (0.25 * difference2) / (1 + arc.cosine)
}

/** Finds the anomaly at which the arc takes `wanted` [s √gm]. */
function solve(wanted: number): boolean {
  let low = LEAST
  let high = WHOLE
  let w = 0
  for (let step = 0; step < STEPS_MAX; step++) {
    evaluate(w)
    const ratio = arc.y > 0 ? arc.time / wanted : 0
    if (ratio < 1) low = w
    else high = w
    let next = 0.5 * (low + high)
    if (ratio > 0) {
      const root = exponential(logarithm(ratio) / 3)
      const newton = w - (3 * arc.time * (root - 1)) / arc.slope
      if (Math.abs(ratio - 1) < NEARLY) {
        evaluate(newton)
        return arc.y > 0
      }
      if (newton > low && newton < high && (step < SURE_STEPS || step % 2 === 0)) next = newton
    }
    w = next
  }
  return false
}

/** The same where the two arcs of a time may be close: convergence is slower there. */
const NEARER = 1e-12

/** Halvings that seek the least time of a number of revolutions. */
const LEAST_STEPS = 24

/** Finds the anomaly of an arc of whole revolutions, whose time grows towards both its limits. */
function solveAround(wanted: number, revolutions: number, late: boolean): boolean {
  const least = revolutions * revolutions * WHOLE
  const most = (revolutions + 1) * (revolutions + 1) * WHOLE
  let low = least
  let high = most
  let w = 0.5 * (low + high)
  for (let step = 0; ; step++) {
    evaluate(w)
    if (arc.time < wanted) break
    if (step === LEAST_STEPS) return false
    if (arc.slope < 0) low = w
    else high = w
    w = 0.5 * (low + high)
  }
  low = late ? w : least
  high = late ? most : w
  for (let step = 0; step < STEPS_MAX; step++) {
    const ratio = arc.time / wanted
    if (ratio < 1 === late) low = w
    else high = w
    const root = exponential(logarithm(ratio) / 1.5)
    const newton = w + (1.5 * (1 - root) * arc.time) / arc.slope
    const isNear = Math.abs(ratio - 1) < NEARER
    const isSure = newton > low && newton < high && (step < SURE_STEPS || step % 2 === 0)
    w = isNear || isSure ? newton : 0.5 * (low + high)
    evaluate(w)
    if (isNear) return true
  }
  return Math.abs(arc.time / wanted - 1) < NEARLY
}

/** Time [s √gm] of the arc at an anomaly, with its slope; y ≤ 0 where there is no arc. */
function evaluate(w: number): void {
  stumpff(c, w)
  const { cosine, product } = arc
  const y = arc.squares + 2 * product * (arc.versine + cosine * w * c[2])
  arc.y = y
  if (!(y > 0)) return
  const x = 4 * w
  const c2 = 0.5 * c[1] * c[1]
  const c3 = 0.25 * (c[2] + c[0] * c[3])
  const c4 = Math.abs(x) > 1e-3 ? (0.5 - c2) / x : 1 / 24 - x / 720
  const c5 = Math.abs(x) > 1e-3 ? (1 / 6 - c3) / x : 1 / 120 - x / 5040
  const s = Math.sqrt(y / c2)
  const root = Math.sqrt(y)
  const rate2 = c4 - 0.5 * c3
  const rate3 = 1.5 * c5 - 0.5 * c4
  arc.time = s * s * s * c3 + arc.a * root
  const slope =
    s * s * s * (rate3 - (1.5 * c3 * rate2) / c2) + (arc.a / 8) * ((3 * c3 * root) / c2 + arc.a / s)
  arc.slope = 4 * slope
}
