import { TAU } from '../math/circle.ts'
import { dot, cross } from '../math/triple.ts'
import type { StateVector } from '../math/state-vector.ts'
import { type Arc, type Ends, createArc, lambert, lambertAround } from '../orbits/lambert.ts'
import { ArcBounds } from './arc-bounds.ts'

/** Which arcs are allowed, and what makes one cheap. */
export interface Bounds {
  /** [m³/s²] */
  gm: number
  /** [m] */
  lowest: number
  highest: number
  /** what Δv at the end counts against Δv at the begin */
  later: number
  /** arcs that cost as much are not looked at [m/s] */
  most: number
}

/** An arc from one orbit to a place on another. */
export interface Meeting {
  readonly arc: Arc
  /** Δv at its two ends [m/s] */
  first: number
  second: number
  /** whole ones before the last */
  revolutions: number
}

export function createMeeting(): Meeting {
  return { arc: createArc(), first: 0, second: 0, revolutions: 0 }
}

const trial = createArc()
const normal = new Float64Array(3)
const other = new Float64Array(3)
const ends: { -readonly [K in keyof Ends]: Ends[K] } = {
  r1: normal,
  r2: normal,
  normal,
}
const branch = { revolutions: 0, late: false }
const limits = new ArcBounds()

/**
 * out = the arc between two states of least Δv that takes some seconds, among those of
 * `revolutions` full revolutions, one less and one more.
 *
 * @returns false when none stays within the bounds
 */
export function cheapestArc(
  out: Meeting,
  from: StateVector,
  to: StateVector,
  seconds: number,
  bounds: Bounds,
  revolutions: number,
): boolean {
  findNormal(from, to)
  limits.begin(from, to, bounds.gm, seconds)
  out.first = Infinity
  out.second = Infinity
  for (let n = Math.max(0, revolutions - 1); n <= revolutions + 1; n++) {
    const best = Math.min(out.first + bounds.later * out.second, bounds.most)
    if (!(limits.least(n, bounds.later) < best)) continue
    if (n === 0) {
      if (lambert(trial, from.r, to.r, bounds.gm, seconds, normal)) keep(out, from, to, bounds, 0)
      continue
    }
    ends.r1 = from.r
    ends.r2 = to.r
    branch.revolutions = n
    for (let late = 0; late < 2; late++) {
      branch.late = late === 1
      if (!lambertAround(trial, ends, bounds.gm, seconds, branch)) break
      keep(out, from, to, bounds, n)
    }
  }
  return out.first < Infinity
}

/** Longest period of an arc that a revolution is counted by [s]. */
const PERIOD_MAX = 1e12

/** Period of the orbit of an arc, of any length when it is open [s]. */
export function arcPeriod({ arc }: Meeting, { r }: StateVector, gm: number): number {
  const inverse = 2 / Math.sqrt(dot(r, 0, r, 0)) - dot(arc.v1, 0, arc.v1, 0) / gm
  return inverse > 0 ? Math.min(PERIOD_MAX, TAU / Math.sqrt(gm * inverse) / inverse) : PERIOD_MAX
}

/** The sense of rotation between those of two orbits; that of the first when they are opposite. */
function findNormal(from: StateVector, to: StateVector): void {
  cross(normal, 0, from.r, 0, from.v, 0)
  cross(other, 0, to.r, 0, to.v, 0)
  const scale = Math.sqrt(dot(normal, 0, normal, 0) / dot(other, 0, other, 0))
  if (dot(normal, 0, other, 0) < -0.9 * scale * dot(other, 0, other, 0)) return
  for (let i = 0; i < 3; i++) normal[i] += scale * other[i]
}

/** Keeps the trial arc when it is the cheapest so far and within the bounds. */
function keep(
  out: Meeting,
  from: StateVector,
  to: StateVector,
  bounds: Bounds,
  revolutions: number,
): void {
  const first = difference(trial.v1, from.v)
  const second = difference(to.v, trial.v2)
  const cost = first + bounds.later * second
  if (!(cost < out.first + bounds.later * out.second)) return
  if (!staysWithin(from.r, to.r, bounds, revolutions)) return
  out.first = first
  out.second = second
  out.revolutions = revolutions
  out.arc.v1.set(trial.v1)
  out.arc.v2.set(trial.v2)
}

/** Whether the trial arc keeps the bounds at the apsides that it passes. */
function staysWithin(
  r1: Float64Array,
  r2: Float64Array,
  { gm, lowest, highest }: Bounds,
  revolutions: number,
): boolean {
  const { v1, v2 } = trial
  const square1 = dot(r1, 0, r1, 0)
  const inverse = 2 / Math.sqrt(square1) - dot(v1, 0, v1, 0) / gm
  cross(other, 0, r1, 0, v1, 0)
  const p = dot(other, 0, other, 0) / gm
  const e = Math.sqrt(Math.max(0, 1 - p * inverse))
  const climbs = dot(r1, 0, v1, 0) >= 0
  const falls = dot(r2, 0, v2, 0) < 0
  // Outward at both ends, or inward, it passes both apsides or neither.
  const both = revolutions > 0 || (climbs !== falls && dot(r2, 0, r2, 0) < square1 === climbs)
  if ((both || (!climbs && !falls)) && p / (1 + e) < lowest) return false
  return !((both || (climbs && falls)) && inverse > 0 && (1 + e) / inverse > highest)
}

function difference(a: Float64Array, b: Float64Array): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return Math.sqrt(x * x + y * y + z * z)
}
