import { TAU } from '../../math/circle.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { circuitOf } from './departure-excess.ts'
import { MEETING_PLACE, childTowards, destinationOf } from './legs.ts'
import { LOW_ORBIT, farApoapsis, goalApoapsis, goalRadius } from './legs.ts'
import { isEllipseWanted, isFarOut, isToBody, passingRadius, targetAhead } from './legs.ts'

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
