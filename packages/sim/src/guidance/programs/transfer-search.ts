import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { TAU, TURN_PARTS, circlePoint } from '../../math/circle.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { type Conic, conicState, createConic } from '../../orbits/conic.ts'
import { keplerState } from '../../orbits/kepler.ts'
import { departureVelocity } from '../../orbits/departure.ts'
import { type Arc, createArc, lambert } from '../../orbits/lambert.ts'
import type { Guide } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { PRICE, costOf, epochOf, hasDeparted, latestDeparture } from '../departure-choice.ts'
import {
  circuitOf,
  distance2,
  endsBeside,
  findExcess,
  found,
  isHomeward,
} from './departure-excess.ts'
import { stateAhead } from '../burns/steered-burn.ts'
import { bodyAhead, canCapture, captureDeltaV, goalRadius } from './legs.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import { precess } from '../precession.ts'

/** Departures that one search tries, one a slice, and times of flight of each. */
export const SLICES = 128
const FLIGHTS = 8

/** Times of flight as shares of that between circles: from an orbit, and between bodies. */
const INSIDE = [0.5, 1.05] as const
const ACROSS = [0.45, 1.35] as const

/** Times of flight to a target on an orbit like the origin's, in periods of that. */
const BESIDE = [0.1, 1.6] as const
const BESIDE_FLIGHTS = 48

/** Longest window of a search [s]. */
const WINDOW_MAX = 2e8

/** Eccentricity of an orbit that is left at one of its places, and at any time of a revolution. */
const LONG = 0.3

/** Period of an orbit with many revolutions, as a share of the natural window. */
const QUICK = 0.05

/** Angles flown from the departure to the goal that a search from an orbit tries [turns]. */
const ANGLES = [0.38, 0.42, 0.45, 0.47, 0.487] as const

/** Places of an orbit at which an escape may begin. */
const PLACES = 64

const orbit: Conic = createConic()
const start: StateVector = createStateVector()
const goal: StateVector = createStateVector()
const arc: Arc = createArc()
const point = new Float64Array(2)
const velocity = new Float64Array(3)

/** Whether the leg begins on an orbit about the body that it cruises about. */
export function isInside({ row }: Guide): boolean {
  return row[MEMORY.frame] === row[MEMORY.origin]
}

/**
 * Time after which the bodies of a leg stand alike [s]; writes the times of flight that are worth
 * a try.
 */
function naturalWindow(guide: Guide): number {
  const { row, state } = guide
  const { r } = row[MEMORY.part] === PRICE ? guide.onOrbit : guide
  if (endsBeside(guide)) {
    const { period } = circuitOf(guide, row[MEMORY.origin])
    row[MEMORY.shortest] = BESIDE[0] * period
    row[MEMORY.longest] = BESIDE[1] * period
    return period
  }
  const shares = isInside(guide) ? INSIDE : ACROSS
  const isLong = isInside(guide) && guide.orbit.e > LONG && guide.orbit.period < Infinity
  let from = isLong ? guide.orbit.apoapsis : Math.sqrt(dot(r, 0, r, 0))
  let to = goalRadius(guide)
  let rate = 0
  if (!isInside(guide)) {
    const circuit = circuitOf(guide, row[MEMORY.origin])
    from = circuit.a
    rate = 1 / circuit.period
  }
  if (!isHomeward(guide)) {
    const circuit = circuitOf(guide, row[MEMORY.goal])
    to = circuit.a
    rate -= 1 / circuit.period
  }
  const middle = 0.5 * (from + to)
  const half = 0.5 * TAU * middle * Math.sqrt(middle / state.system.bodies[row[MEMORY.frame]].gm)
  row[MEMORY.shortest] = shares[0] * half
  row[MEMORY.longest] = shares[1] * half
  const window = Math.min(WINDOW_MAX, 1 / Math.abs(rate))
  return isLong ? Math.max(window, guide.orbit.period) : window
}

/** Natural windows in which a departure is sought where the fuel does not suffice in one. */
const WINDOWS = 4

/**
 * Begins a search over more windows, between bodies and of later legs to one; false when the leg is
 * of another kind, or was searched so before.
 */
export function searchFurther(guide: Guide): boolean {
  const { row } = guide
  const isTried = row[MEMORY.window] !== row[MEMORY.natural]
  const isFirst = isInside(guide) && !hasDeparted(guide)
  if (isTried || isFirst || isHomeward(guide) || endsBeside(guide)) return false
  beginSearch(guide, Infinity, WINDOWS, epochOf(guide))
  return row[MEMORY.window] > row[MEMORY.natural]
}

/**
 * Begins a search over a window, or the natural one, or more, when that is shorter.
 *
 * @param earliest  lattice index from which on, that of the guide when left out
 */
export function beginSearch(
  guide: Guide,
  window: number,
  windows = 1,
  earliest: number = guide.n,
): void {
  const { row } = guide
  row[MEMORY.natural] = naturalWindow(guide)
  const from = Math.max(earliest, row[COURSE.from])
  const left = (latestDeparture(guide) - from) / QUANTA_PER_SECOND
  row[MEMORY.window] = Math.min(window, windows * row[MEMORY.natural], Math.max(0, left))
  row[MEMORY.slice] = 0
  row[MEMORY.from] = from
  row[MEMORY.cost] = Infinity
  row[MEMORY.late] = 0
}

/** Slices that look around the best, and how many of them halve their steps. */
const CLOSER = 24
const HALVING = 3

/** Tries one departure with all times of flight, or closer to the best; whether it was the last. */
export function searchSlice(guide: Guide): boolean {
  const { row } = guide
  if (row[MEMORY.slice] < SLICES) tryDeparture(guide)
  else if (row[MEMORY.cost] < Infinity) lookCloser(guide)
  else return true
  return row[MEMORY.slice] >= SLICES + CLOSER
}

/** Tries eight neighbours of the best. */
function lookCloser(guide: Guide): void {
  const { row } = guide
  const round = Math.floor((row[MEMORY.slice] - SLICES) / HALVING)
  row[MEMORY.slice]++
  let share = 1
  for (let i = 0; i <= round; i++) share *= 0.5
  const flights = endsBeside(guide) ? BESIDE_FLIGHTS : FLIGHTS
  const span = row[MEMORY.longest] - row[MEMORY.shortest]
  const step = Math.floor((share * row[MEMORY.window] * QUANTA_PER_SECOND) / SLICES)
  const longer = Math.floor((share * span * QUANTA_PER_SECOND) / flights)
  const [departAt, arriveAt] = [row[MEMORY.departAt], row[MEMORY.arriveAt]]
  for (let i = -1; i <= 1; i++) {
    const depart = departAt + i * step
    if (depart < row[MEMORY.from]) continue
    turnOrbit(guide, depart)
    for (let j = -1; j <= 1; j++) {
      if (i !== 0 || j !== 0) tryFlight(guide, depart, arriveAt + i * step + j * longer)
    }
  }
}

function tryFlight(guide: Guide, departAt: number, arriveAt: number): void {
  const seconds = (arriveAt - departAt) / QUANTA_PER_SECOND
  found.turn = 0
  if (isInside(guide)) tryArcs(guide, departAt, arriveAt, seconds)
  else if (findExcess(guide, departAt, arriveAt)) {
    tryEscapes(guide, departAt, isHomeward(guide) ? departAt + found.descent : arriveAt)
  }
}

function tryDeparture(guide: Guide): void {
  const { row } = guide
  const step = (row[MEMORY.window] * row[MEMORY.slice]) / SLICES
  const departAt = row[MEMORY.from] + Math.floor(step * QUANTA_PER_SECOND)
  row[MEMORY.slice]++
  turnOrbit(guide, departAt)
  const flights = isHomeward(guide) ? 1 : endsBeside(guide) ? BESIDE_FLIGHTS : FLIGHTS
  for (let i = 0; i < flights; i++) {
    const share = (i + 0.5) / flights
    const span = row[MEMORY.longest] - row[MEMORY.shortest]
    const seconds = row[MEMORY.shortest] + share * span
    tryFlight(guide, departAt, departAt + Math.floor(seconds * QUANTA_PER_SECOND))
  }
}

/** Writes the orbit that is left as it lies at an index. */
function turnOrbit(guide: Guide, index: number): void {
  const body = guide.state.system.bodies[guide.row[MEMORY.origin]]
  precess(orbit, guide.orbit, body, (index - epochOf(guide)) / QUANTA_PER_SECOND)
}

/** The ship's state on it at an index. */
function stateAt(guide: Guide, index: number): StateVector {
  const seconds = (index - epochOf(guide)) / QUANTA_PER_SECOND
  if (guide.row[MEMORY.part] !== PRICE) return stateAhead(guide, seconds)
  keplerState(start, guide.onOrbit, orbit.gm, seconds)
  return start
}

function keep(guide: Guide, departAt: number, arriveAt: number, deltaV: number): void {
  const { row } = guide
  if (departAt > latestDeparture(guide)) return
  if (arriveAt > row[PLAN.deadline]) {
    const isSooner = row[MEMORY.late] === 0 || arriveAt < row[MEMORY.late]
    if (row[MEMORY.cost] < Infinity || !isSooner) return
    row[MEMORY.late] = arriveAt
    row[MEMORY.deltaV] = deltaV
    return
  }
  const until = endsBeside(guide) ? arriveAt : departAt
  const cost = costOf(guide, departAt, until, deltaV, found.turn)
  if (!(cost < row[MEMORY.cost])) return
  row[MEMORY.cost] = cost
  row[MEMORY.deltaV] = deltaV
  row[MEMORY.departAt] = departAt
  row[MEMORY.arriveAt] = arriveAt
}

/**
 * Whether the orbit has so many revolutions in a window that each of its places can be had at any
 * time.
 */
export function isQuick({ row, orbit: before }: Guide): boolean {
  return before.period < QUICK * row[MEMORY.natural]
}

/** Arcs from places of the orbit to the goal. */
function tryArcs(guide: Guide, departAt: number, arriveAt: number, seconds: number): void {
  const { row } = guide
  bodyAhead(goal, guide, row[MEMORY.goal], arriveAt)
  if (!isQuick(guide)) {
    const { r, v } = stateAt(guide, departAt)
    start.r.set(r)
    start.v.set(v)
    return tryArc(guide, departAt, arriveAt, seconds)
  }
  const x = dot(goal.r, 0, orbit.ahead, 0)
  const y = dot(goal.r, 0, orbit.side, 0)
  const length = Math.sqrt(x * x + y * y)
  for (const angle of ANGLES) {
    circlePoint(point, angle * TURN_PARTS)
    const cosine = (x * point[0] + y * point[1]) / length
    const sine = (y * point[0] - x * point[1]) / length
    conicState(start, orbit, cosine, sine)
    tryArc(guide, departAt, arriveAt, seconds)
  }
}

function tryArc(guide: Guide, departAt: number, arriveAt: number, seconds: number): void {
  if (!lambert(arc, start.r, goal.r, orbit.gm, seconds, orbit.normal)) return
  const excess2 = distance2(arc.v2, goal.v)
  if (!canCapture(guide, excess2)) return
  const deltaV = Math.sqrt(distance2(arc.v1, start.v))
  keep(guide, departAt, arriveAt, deltaV + captureDeltaV(guide, excess2))
}

/** Escapes from places of the orbit with `guide.excess`. */
function tryEscapes(guide: Guide, departAt: number, arriveAt: number): void {
  const { excess } = guide
  const { gm } = orbit
  let least = Infinity
  if (!isQuick(guide)) {
    const { r, v } = stateAt(guide, departAt)
    if (departureVelocity(velocity, r, gm, excess)) least = distance2(velocity, v)
  } else {
    for (let i = 0; i < PLACES; i++) {
      circlePoint(point, (i / PLACES) * TURN_PARTS)
      conicState(start, orbit, point[0], point[1])
      if (!departureVelocity(velocity, start.r, gm, excess)) continue
      least = Math.min(least, distance2(velocity, start.v))
    }
  }
  keep(guide, departAt, arriveAt, Math.sqrt(least) + found.arrival)
}
