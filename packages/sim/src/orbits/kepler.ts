import type { StateVector } from '../math/state-vector.ts'
import { TAU } from '../math/circle.ts'
import { dot } from '../math/triple.ts'
import { exponential, logarithm } from './exponential.ts'
import { stumpff } from './stumpff.ts'

/** Laguerre's steps, of which orbits take three to six, then bisections. */
const LAGUERRE_STEPS = 24
const STEPS_MAX = 90

/** Relative step after which the next is the last: convergence is cubic. */
const NEARLY = 1e-6

const c = new Float64Array(4)

// One orbit at its start, and the anomaly functions G0 to G3 and the radius where it is looked at.
const orbit = { gm: 0, r: 0, climb: 0, beta: 0, g1: 0, g2: 0, g3: 0, radius: 0, time: 0, bend: 0 }

/**
 * out = the state of a two-body orbit of any shape `seconds` later, or earlier when negative, in
 * universal variables; whole revolutions are taken off first. Not for a fall into the centre.
 *
 * @param out    may be `from`
 * @param from   relative to the centre [m, m/s]
 * @param gm     [m³/s²]
 * @source Danby, Fundamentals of Celestial Mechanics, 1988, sections 6.9 and 6.10
 */
export function keplerState(
  out: StateVector,
  from: StateVector,
  gm: number,
  seconds: number,
): void {
  const { r, v } = from
  orbit.gm = gm
  orbit.r = Math.sqrt(dot(r, 0, r, 0))
  orbit.beta = (2 * gm) / orbit.r - dot(v, 0, v, 0)
  let rest = seconds
  if (orbit.beta > 0) {
    const period = (TAU * gm) / (orbit.beta * Math.sqrt(orbit.beta))
    rest -= period * Math.floor(rest / period + 0.5)
  }
  const sense = rest < 0 ? -1 : 1
  const time = Math.abs(rest)
  orbit.climb = sense * dot(r, 0, v, 0)
  solve(time)
  const { g1, g2, radius } = orbit
  const f = 1 - (gm * g2) / orbit.r
  // Each form cancels where the other does not.
  const g = sense * (orbit.climb < 0 ? time - gm * orbit.g3 : orbit.r * g1 + orbit.climb * g2)
  const fRate = (-sense * gm * g1) / (orbit.r * radius)
  const gRate = 1 - (gm * g2) / radius
  for (let i = 0; i < 3; i++) {
    const ri = r[i]
    const vi = v[i]
    out.r[i] = f * ri + g * vi
    out.v[i] = fRate * ri + gRate * vi
  }
}

/** Brings `orbit` to the anomaly at which `time` has passed; time grows with it throughout. */
function solve(time: number): void {
  let low = 0
  let high = orbit.beta > 0 ? TAU / Math.sqrt(orbit.beta) : Infinity
  let s = Math.min(firstGuess(time), high)
  for (let step = 0; step < STEPS_MAX; step++) {
    evaluate(s)
    const miss = orbit.time - time
    if (miss === 0) return
    if (miss < 0) low = s
    else high = s
    let next = high < Infinity ? 0.5 * (low + high) : 2 * low
    if (step < LAGUERRE_STEPS) {
      const laguerre = s - laguerreStep(miss)
      if (laguerre > low && laguerre < high) next = laguerre
      else if (laguerre === s) return
    }
    const change = Math.abs(next - s)
    s = next
    if (change <= NEARLY * s && step < LAGUERRE_STEPS) break
    if (s === low || s === high) break
  }
  evaluate(s)
}

function laguerreStep(miss: number): number {
  const { radius, bend } = orbit
  const root = Math.sqrt(Math.abs(16 * radius * radius - 20 * miss * bend))
  return (5 * miss) / (radius + root)
}

/** On ellipses the mean motion's; on others that of a long fall or flight. */
function firstGuess(time: number): number {
  const { gm, r, climb, beta } = orbit
  const near = time / r
  if (beta > 0) return (beta * time) / gm
  if (near * near * gm < 0.1 * r && near * Math.abs(climb) < 0.5 * r) return near
  const cube = exponential(logarithm((6 * time) / gm) / 3)
  const root = Math.sqrt(-beta)
  if (root * cube < 1) return cube
  const sine = (climb * root) / gm
  const cosine = 1 - (r * beta) / gm
  const eccentricity = Math.sqrt(cosine * cosine - sine * sine)
  const start = hyperbolicAngle(sine / eccentricity)
  const mean = sine - start - (time * beta * root) / gm
  return Math.max((hyperbolicAngle(mean / eccentricity) - start) / root, 0)
}

function hyperbolicAngle(sine: number): number {
  const size = Math.abs(sine)
  const angle = logarithm(size + Math.sqrt(size * size + 1))
  return sine < 0 ? -angle : angle
}

/** Time passed, radius and its rate (`bend`) at an anomaly s: t = r G1 + (r·v) G2 + gm G3. */
function evaluate(s: number): void {
  const { gm, r, climb, beta } = orbit
  stumpff(c, beta * s * s)
  const g0 = c[0]
  const g1 = s * c[1]
  const g2 = s * s * c[2]
  orbit.g1 = g1
  orbit.g2 = g2
  orbit.g3 = s * s * s * c[3]
  orbit.time = r * g1 + climb * g2 + gm * orbit.g3
  orbit.radius = r * g0 + climb * g1 + gm * g2
  orbit.bend = climb * g0 + (gm - beta * r) * g1
}
