import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { TAU } from '../../math/circle.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { conicOf } from '../../orbits/conic.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { PRICE, isAffordable, wholeDeltaV } from '../departure-choice.ts'
import { circuitOf, endsBeside, stateAtEnd } from './departure-excess.ts'
import { MEETING_PLACE, childTowards, chooseLeg, destinationOf } from './legs.ts'
import { LOW_ORBIT, farApoapsis, goalApoapsis, goalRadius } from './legs.ts'
import { isEllipseWanted, isFarOut, isToBody, passingRadius, targetAhead } from './legs.ts'
import { beginSearch, isInside, searchFurther, searchSlice } from './transfer-search.ts'

/**
 * What the meeting with a station takes: Δv besides that onto its circle [m/s], what a turn of the
 * plane adds as a share of that, and time [s].
 */
const MEETING_DELTA_V = 60
const TURN_SHARE = 0.1
const MEETING_SECONDS = 120_000

const place = createStateVector()

/** An orbit about a body, at whose periapsis it is left or entered. */
interface Port {
  periapsis: number
  apoapsis: number
}

const port: Port = { periapsis: 0, apoapsis: 0 }

/** A leg after the present one, as reckoned before it. */
export interface LaterLeg {
  /** body indices; -1 to the target itself */
  readonly from: number
  readonly to: number
  /** [m/s] */
  readonly deltaV: number
  /** [s] */
  readonly seconds: number
}

/** Notes what the legs after the present one take together. */
export function noteLaterLegs(guide: Guide): void {
  const { row } = guide
  row[COURSE.laterDeltaV] = 0
  row[COURSE.laterSeconds] = 0
  for (const { deltaV, seconds } of laterLegs(guide)) {
    row[COURSE.laterDeltaV] += deltaV
    row[COURSE.laterSeconds] += seconds
  }
}

/**
 * What the legs after the present one take, each between circles about the body that it cruises
 * about, at the best time; within some per cent of what is found when they begin.
 */
export function laterLegs(guide: Guide): LaterLeg[] {
  const { row, state } = guide
  const { bodies } = state.system
  const destination = destinationOf(guide)
  const legs: LaterLeg[] = []
  if (row[MEMORY.goal] === MEETING_PLACE) return legs
  port.periapsis = goalRadius(guide)
  port.apoapsis = goalApoapsis(guide)
  let at = row[MEMORY.goal]
  while (at !== destination) {
    const inside = childTowards(bodies, at, destination)
    const frame = inside < 0 ? bodies[at].parent : at
    const across = inside < 0 ? childTowards(bodies, frame, destination) : inside
    const goal = across < 0 ? frame : across
    if (across < 0 && frame === destination && isFarOut(guide, at)) {
      return [...legs, meetingLeg(guide, at)]
    }
    legs.push(hohmannLeg(guide, at, frame, goal))
    at = goal
  }
  if (isToBody(guide)) return legs
  const { gm } = bodies[destination]
  const circle = Math.sqrt(gm / port.periapsis)
  const deltaV = MEETING_DELTA_V + (1 + TURN_SHARE) * (portSpeed(gm) - circle)
  return [...legs, { from: destination, to: -1, deltaV, seconds: MEETING_SECONDS }]
}

/** What a phase of up to 60° costs in speed at both ends, as a share of that of a circle. */
const PHASE_SHARE = 0.085

/** A flight of a revolution from the port about a body to a target on a like orbit. */
function meetingLeg(guide: Guide, origin: number): LaterLeg {
  const { state, n } = guide
  const { gm } = state.system.bodies[destinationOf(guide)]
  const from = circuitOf(guide, origin).a
  targetAhead(place, guide, n)
  const to = Math.sqrt(dot(place.r, 0, place.r, 0))
  const axis = 0.5 * (from + to)
  const phase = PHASE_SHARE * Math.sqrt(gm / axis)
  const begin = Math.abs(Math.sqrt(gm * (2 / from - 1 / axis)) - Math.sqrt(gm / from))
  const end = Math.abs(Math.sqrt(gm * (2 / to - 1 / axis)) - Math.sqrt(gm / to))
  const deltaV = burnAtPort(guide, origin, begin + phase) + end + phase
  return { from: origin, to: -1, deltaV, seconds: TAU * axis * Math.sqrt(axis / gm) }
}

/** Hohmann's transfer from the port about one body to the port about another. */
function hohmannLeg(guide: Guide, origin: number, frame: number, goal: number): LaterLeg {
  const { state } = guide
  const { gm } = state.system.bodies[frame]
  const from = origin === frame ? port.periapsis : circuitOf(guide, origin).a
  const leaving = origin === frame ? portSpeed(gm) : 0
  const to = goal === frame ? passingRadius(guide, goal) : circuitOf(guide, goal).a
  const axis = 0.5 * (from + to)
  const begin = Math.sqrt(gm * (2 / from - 1 / axis))
  const end = Math.sqrt(gm * (2 / to - 1 / axis))
  let deltaV = 0
  if (origin === frame) deltaV += Math.abs(begin - leaving)
  else deltaV += burnAtPort(guide, origin, begin - Math.sqrt(gm / from))
  enterPort(guide, goal)
  if (goal === frame) deltaV += Math.abs(end - portSpeed(gm))
  else deltaV += burnAtPort(guide, goal, end - Math.sqrt(gm / to))
  return { from: origin, to: goal, deltaV, seconds: 0.5 * TAU * axis * Math.sqrt(axis / gm) }
}

/** Writes the orbit about a body in which the way ends or goes on. */
function enterPort(guide: Guide, body: number): void {
  const { radius } = guide.state.system.bodies[body]
  const isLast = body === destinationOf(guide)
  port.periapsis = isLast ? (1 + LOW_ORBIT) * radius : passingRadius(guide, body)
  const isLong = !isLast || !isToBody(guide) || isEllipseWanted(guide, body)
  port.apoapsis = isLong ? farApoapsis(guide, body, port.periapsis) : port.periapsis
}

function portSpeed(gm: number): number {
  return Math.sqrt(gm * (2 / port.periapsis - 2 / (port.periapsis + port.apoapsis)))
}

/** Δv at the port's periapsis to or from a speed far away [m/s]. */
function burnAtPort({ state }: Guide, body: number, excess: number): number {
  const { gm } = state.system.bodies[body]
  return Math.sqrt(excess * excess + (2 * gm) / port.periapsis) - portSpeed(gm)
}

/** What is kept of the present leg, in place of its burns, while later ones are searched. */
const KEPT = [
  MEMORY.part,
  MEMORY.origin,
  MEMORY.goal,
  MEMORY.frame,
  MEMORY.departAt,
  MEMORY.arriveAt,
  MEMORY.cost,
  MEMORY.deltaV,
  MEMORY.natural,
  MEMORY.window,
]
const KEPT_ARRIVAL = MEMORY.plan + KEPT.indexOf(MEMORY.arriveAt)
const KEPT_DELTA_V = MEMORY.plan + KEPT.indexOf(MEMORY.deltaV)

/** Δv of the later legs that are priced so far [m/s]. */
const PRICED = MEMORY.plan + KEPT.length

/**
 * Begins to price the legs after the one that was found as their own searches are going to find
 * them: what they take depends on how the orbits lie that they begin on. False where there are
 * none, or no such orbits.
 */
export function beginPrice(guide: Guide): boolean {
  const { row } = guide
  if (!hasNext(guide)) return false
  for (let i = 0; i < KEPT.length; i++) row[MEMORY.plan + i] = row[KEPT[i]]
  row[PRICED] = 0
  row[MEMORY.part] = PRICE
  beginNext(guide)
  return true
}

/** Whether the leg that was found ends in an orbit from which a next one begins; notes it. */
function hasNext(guide: Guide): boolean {
  const { row } = guide
  if (isInside(guide) || endsBeside(guide)) return false
  if (row[MEMORY.goal] === destinationOf(guide) || !stateAtEnd(place, guide)) return false
  row.set(place.r, MEMORY.via)
  row.set(place.v, MEMORY.normal)
  return true
}

function beginNext(guide: Guide): void {
  const { row } = guide
  const { [MEMORY.goal]: origin, [MEMORY.arriveAt]: earliest } = row
  chooseLeg(guide, origin)
  noteLaterLegs(guide)
  row[COURSE.laterDeltaV] += row[PRICED]
  loadOrbit(guide)
  beginSearch(guide, Infinity, 1, earliest)
}

/** Writes the orbit that the searched leg begins on. */
function loadOrbit(guide: Guide): void {
  const { onOrbit, orbit, row, state } = guide
  for (let i = 0; i < 3; i++) {
    onOrbit.r[i] = row[MEMORY.via + i]
    onOrbit.v[i] = row[MEMORY.normal + i]
  }
  conicOf(orbit, onOrbit, state.system.bodies[row[MEMORY.origin]].gm)
}

/**
 * Tries one departure of a later leg; after the last one of all goes back to the present leg, with
 * `laterSeconds` Infinity where there is no way.
 */
export function priceSlice(guide: Guide): boolean {
  const { row } = guide
  loadOrbit(guide)
  if (!searchSlice(guide)) return false
  const isFound = row[MEMORY.cost] < Infinity
  const whole = wholeDeltaV(guide, row[KEPT_DELTA_V] + row[MEMORY.deltaV])
  if (isFound && !isAffordable(guide, whole) && searchFurther(guide)) return false
  row[PRICED] += row[MEMORY.deltaV]
  if (isFound && hasNext(guide)) {
    beginNext(guide)
    return false
  }
  const end = isFound ? row[MEMORY.arriveAt] : row[MEMORY.late] || Infinity
  row[COURSE.laterDeltaV] += row[MEMORY.deltaV]
  row[COURSE.laterSeconds] += (end - row[KEPT_ARRIVAL]) / QUANTA_PER_SECOND
  for (let i = 0; i < KEPT.length; i++) row[KEPT[i]] = row[MEMORY.plan + i]
  return true
}
