import { bodyState } from '../../ephemeris/ephemeris.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { cross, dot } from '../../math/triple.ts'
import { keplerState } from '../../orbits/kepler.ts'
import type { Guide } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { TARGETS } from '../../state/activity.ts'
import { COURSE, MEMORY } from '../../state/plan-memory.ts'
import { leadSeconds } from '../burns/steered-burn.ts'

/** Height of a low orbit as a share of the body's radius. */
export const LOW_ORBIT = 0.08

/** Least height as a share of the body's radius: what a periapsis and a last orbit may miss by. */
const LEAST_SHARE = 0.004

/** Share of a sphere of influence that an orbit may fill. */
export const ORBIT_ROOM = 0.5

const present: StateVector = createStateVector()
const place: StateVector = createStateVector()

/**
 * Writes the bodies of the leg from a body towards the target: to a child of it that is or holds
 * the target; or away from it, about its parent, to such a child or to the parent.
 */
export function chooseLeg(guide: Guide, origin: number): void {
  const { row, state } = guide
  const { bodies } = state.system
  const target = destinationOf(guide)
  const inside = childTowards(bodies, origin, target)
  const parent = inside < 0 ? bodies[origin].parent : origin
  const across = inside < 0 ? childTowards(bodies, parent, target) : inside
  row[MEMORY.origin] = origin
  row[MEMORY.frame] = parent
  row[MEMORY.goal] = across < 0 ? parent : across
  if (across < 0 && parent === target && isFarOut(guide, origin)) row[MEMORY.goal] = MEETING_PLACE
}

/** The goal of a leg that ends beside a target far from the body that it moves about. */
export const MEETING_PLACE = -1

const BODY = TARGETS.indexOf('body')

/** Whether the target is a body, not something that moves about one. */
export function isToBody({ row }: Guide): boolean {
  return row[PLAN.targetKind] === BODY
}

/** The body that the target is, or moves about. */
export function destinationOf(guide: Guide): number {
  return isToBody(guide) ? guide.row[PLAN.target] : guide.targetReference
}

/** Share of the distance of a leg's origin from which on a target is met without an orbit below. */
const FAR_OUT = 0.3

/** Whether a station, gate or ship is so far out that a low orbit is no way to it. */
export function isFarOut(guide: Guide, origin: number): boolean {
  const { n } = guide
  if (isToBody(guide)) return false
  bodyAhead(place, guide, origin, n)
  const distance2 = dot(place.r, 0, place.r, 0)
  targetAhead(place, guide, n)
  return dot(place.r, 0, place.r, 0) > FAR_OUT * FAR_OUT * distance2
}

/** out = state of the target about its destination at an index, as its present orbit goes. */
export function targetAhead(out: StateVector, guide: Guide, index: number): void {
  const { state, reference, target, n } = guide
  const destination = destinationOf(guide)
  bodyState(present, state.ephemeris, destination, reference, n, 0)
  for (let i = 0; i < 3; i++) {
    present.r[i] = target.r[i] - present.r[i]
    present.v[i] = target.v[i] - present.v[i]
  }
  const { gm } = state.system.bodies[destination]
  keplerState(out, present, gm, (index - n) / QUANTA_PER_SECOND)
}

/** The child of a body that is the target or holds it; -1 when none does. */
export function childTowards(
  bodies: readonly { parent: number }[],
  body: number,
  target: number,
): number {
  for (let i = target; i >= 0; i = bodies[i].parent) if (bodies[i].parent === body) return i
  return -1
}

/** Speed of a low circle above which a capture ends in an ellipse [m/s]: that of giants. */
const GIANT = 12_000

/** Apoapsis of such an ellipse, and of one that only passes by, as a share of the sphere. */
const FAR_SHARE = 0.1

/** The orbit that a leg ends in: its periapsis, of a circle its radius [m]. */
export function goalRadius(guide: Guide): number {
  const { row, state, n } = guide
  const goal = row[MEMORY.goal]
  const { radius } = state.system.bodies[goal]
  const destination = destinationOf(guide)
  if (goal !== destination) return passingRadius(guide, goal)
  if (!isToBody(guide)) {
    targetAhead(place, guide, n)
    return Math.sqrt(dot(place.r, 0, place.r, 0))
  }
  const wanted = row[COURSE.altitude]
  return radius + (wanted > 0 ? wanted : LOW_ORBIT * radius)
}

/** Its apoapsis; the same as the periapsis of a circle [m]. */
export function goalApoapsis(guide: Guide): number {
  const { row } = guide
  const goal = row[MEMORY.goal]
  const radius = goalRadius(guide)
  // In an ellipse, a plane is turned for little before a station is met.
  const isLong = goal !== destinationOf(guide) || !isToBody(guide) || isEllipseWanted(guide, goal)
  return isLong ? farApoapsis(guide, goal, radius) : radius
}

/** Whether a transfer ends in an ellipse, because a low circle costs too much. */
export function isEllipseWanted(guide: Guide, body: number): boolean {
  const { gm, parent, radius } = guide.state.system.bodies[body]
  const isLow = isToBody(guide) && !(guide.row[COURSE.altitude] > 0)
  return isLow && gm > GIANT * GIANT * radius && parent >= 0
}

/** Apoapsis of an ellipse with little speed to spare about a body [m]. */
export function farApoapsis({ spheres }: Guide, body: number, periapsis: number): number {
  return Math.max(periapsis, FAR_SHARE * spheres[body])
}

/** Distance at which a ship passes a body on its way: of the child it is on the way to, or low. */
export function passingRadius(guide: Guide, body: number): number {
  const { bodies } = guide.state.system
  const child = childTowards(bodies, body, destinationOf(guide))
  const low = (1 + LOW_ORBIT) * bodies[body].radius
  if (child < 0) return low
  bodyAhead(place, guide, child, guide.n)
  return Math.max(low, Math.sqrt(dot(place.r, 0, place.r, 0)))
}

/**
 * Whether the target and the bodies on the way to it, which the present leg does not reach yet,
 * have room for the orbits there.
 */
export function canArrive(guide: Guide): boolean {
  const { row, spheres, state } = guide
  const { bodies } = state.system
  const target = destinationOf(guide)
  const altitude = row[COURSE.altitude]
  if (altitude > 0 && altitude < leastAltitude(bodies[target].radius)) return false
  for (let body = target; body >= 0; body = bodies[body].parent) {
    if (body === row[MEMORY.frame]) break
    const { radius } = bodies[body]
    const height = body === target && altitude > 0 ? altitude : LOW_ORBIT * radius
    if (!(radius + height < ORBIT_ROOM * spheres[body])) return false
  }
  return true
}

/** The least altitude of a last orbit over a body that an approach is sure to hold [m]. */
export function leastAltitude(radius: number): number {
  return LEAST_SHARE * radius
}

/** Δv from a speed far away to the leg's last orbit [m/s]. */
export function captureDeltaV(guide: Guide, excess2: number): number {
  const { gm } = guide.state.system.bodies[guide.row[MEMORY.goal]]
  const radius = goalRadius(guide)
  return Math.sqrt(excess2 + (2 * gm) / radius) - goalSpeed(guide)
}

/**
 * Whether a ship that comes with a speed far away has the time to turn and to brake for the leg's
 * last orbit, between the edge of the goal's sphere of influence and the periapsis.
 */
export function canCapture(guide: Guide, excess2: number): boolean {
  const goal = guide.row[MEMORY.goal]
  const sphere = guide.spheres[goal]
  const pull = (2 * guide.state.system.bodies[goal].gm) / sphere
  return leadSeconds(guide, captureDeltaV(guide, excess2)) < sphere / Math.sqrt(excess2 + pull)
}

/** Speed at the periapsis of the leg's last orbit [m/s]. */
export function goalSpeed(guide: Guide): number {
  const { gm } = guide.state.system.bodies[guide.row[MEMORY.goal]]
  const radius = goalRadius(guide)
  return Math.sqrt(gm * (2 / radius - 2 / (radius + goalApoapsis(guide))))
}

/**
 * out = the axis of the plane that a leg's last orbit is to be near to: that of the target's orbit,
 * the pole of a body with an equator, or another direction.
 */
export function goalPole(out: Float64Array, guide: Guide, otherwise: Float64Array): void {
  const { row, n, state } = guide
  const goal = row[MEMORY.goal]
  const { oblateness } = state.system.bodies[goal]
  if (!isToBody(guide) && goal === destinationOf(guide)) {
    targetAhead(place, guide, n)
    cross(out, 0, place.r, 0, place.v, 0)
    const length = Math.sqrt(dot(out, 0, out, 0))
    for (let i = 0; i < 3; i++) out[i] /= length
  } else for (let i = 0; i < 3; i++) out[i] = oblateness ? oblateness.pole[i] : otherwise[i]
}

/**
 * out = state of a body about the one it circles, at a lattice index: on the two-body orbit that it
 * has now, whatever the ephemeris reaches.
 */
export function bodyAhead(out: StateVector, guide: Guide, body: number, index: number): void {
  const { state, n } = guide
  const { bodies } = state.system
  const { parent, gm } = bodies[body]
  bodyState(present, state.ephemeris, body, parent, n, 0)
  keplerState(out, present, gm + bodies[parent].gm, (index - n) / QUANTA_PER_SECOND)
}
