import { bodyState } from '../../ephemeris/ephemeris.ts'
import type { Body } from '../../ephemeris/star-system.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { type Conic, conicOf } from '../../orbits/conic.ts'
import { brouwerAxis, hasMeanOrbit, meanAxis, meanState } from '../../orbits/mean-state.ts'
import { MEMORY, ORBIT_ORDER, OSCULATING } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { oblateState } from '../oblate-state.ts'

/** How many times its share of the gravity a pull moves elements by within a revolution. */
const GAIN = 5

/** The most that an orbit is taken to sway by. */
const SWAY_MAX = 0.03

/** How much one may be pulled that can be ordered: 0.45 Hill radii, where prograde ones end. */
const PULLED_MAX = 0.15

/** Share of the sphere of influence, and the most sway, of an orbit that hardly changes. */
const STILL_ROOM = 0.3
const STILL_MAX = 0.01

/** Shares of the local dynamical time after which an orbit about an oblate body is looked at. */
const LOOK = 0.1

const place = createStateVector()

/** The reference body. */
export function bodyOf({ state, reference }: Guide): Body {
  return state.system.bodies[reference]
}

/** Whether an order is of osculating elements. */
export function isOsculating({ row }: Guide): boolean {
  return row[ORBIT_ORDER.reading] % 2 === OSCULATING
}

/**
 * Writes the orbit of the ship whose program runs: its mean orbit about an oblate body, unless the
 * order is of osculating elements.
 */
export function findPresentOrbit(guide: Guide): void {
  const { onOrbit, orbit, r, v } = guide
  const body = bodyOf(guide)
  onOrbit.r.set(r)
  onOrbit.v.set(v)
  if (!isOsculating(guide)) meanState(onOrbit, onOrbit, body)
  conicOf(orbit, onOrbit, body.gm)
}

/**
 * Whether the orbit ends in the ground. About a very oblate body the periapsis of the mean orbit is
 * tenths of a radius off, so such an orbit is followed for a revolution.
 */
export function isSinking(guide: Guide): boolean {
  const { orbit, r, v } = guide
  const body = bodyOf(guide)
  if (orbit.periapsis > body.radius) return false
  if (!body.oblateness || !(orbit.period < Infinity)) return true
  place.r.set(r)
  place.v.set(v)
  for (let left = orbit.period; left > 0;) {
    const square = dot(place.r, 0, place.r, 0)
    if (square <= body.radius * body.radius) return true
    const seconds = LOOK * Math.sqrt((square * Math.sqrt(square)) / body.gm)
    oblateState(place, place, body, seconds)
    left -= seconds
  }
  return false
}

/** Whether the orbit leaves the sphere of influence, and the ship is on the way out. */
export function isLeaving({ orbit, onOrbit, reference, spheres }: Guide): boolean {
  return !(orbit.apoapsis < spheres[reference]) && dot(onOrbit.r, 0, onOrbit.v, 0) >= 0
}

/** Whether the ship has another reference body than at the begin of its plan, which is noted. */
export function hasLeft({ row, reference }: Guide): boolean {
  // Bodies are noted from 1 on: a new plan holds zeros.
  if (row[MEMORY.origin] === 0) row[MEMORY.origin] = reference + 1
  return row[MEMORY.origin] !== reference + 1
}

/** The axis of the present orbit as orders count it [m]. */
export function orderedAxis(guide: Guide): number {
  return isOsculating(guide) ? guide.orbit.a : meanAxis(guide.orbit, bodyOf(guide))
}

/** Writes an axis that is ordered, for the eccentricity and plane of the row [m]. */
export function wantAxis(guide: Guide, axis: number): void {
  const { row } = guide
  row[MEMORY.a] = isOsculating(guide)
    ? axis
    : brouwerAxis(axis, row[MEMORY.e], row, MEMORY.normal, bodyOf(guide))
}

/**
 * What the elements of the present orbit move by within a revolution, as a share: by the pull of
 * the parent and of children of the reference body, and by its oblateness.
 */
export function swayOf(guide: Guide): number {
  const { a, p, periapsis } = guide.orbit
  const { radius } = bodyOf(guide)
  // What mean orbits leave out is near the periapsis.
  const low = flatness(guide, Math.max(periapsis, radius))
  const oblate = GAIN * (isOsculating(guide) ? flatness(guide, p) : low * low)
  const apoapsis = Math.min(guide.orbit.apoapsis, 2 * Math.abs(a))
  return Math.min(SWAY_MAX, oblate + pulledSway(guide, { periapsis, apoapsis }))
}

/** Share of the gravity that the oblateness of the reference body has at a distance [m]. */
function flatness(guide: Guide, distance: number): number {
  const { oblateness } = bodyOf(guide)
  if (!oblateness) return 0
  const ratio = oblateness.referenceRadius / distance
  return oblateness.j2 * ratio * ratio
}

/** Whether others move the elements within a revolution by as much as is ever let pass. */
export function isSwaying(guide: Guide): boolean {
  return pulledSway(guide, guide.orbit) >= SWAY_MAX
}

/** Share of what others move elements by, within which a periapsis sinks until it is corrected. */
const SINKING = 0.5

/** Whether an orbit that is ordered, by its axis [m] and e, can be flown onto and stays. */
export function lasts(guide: Guide, axis: number, e: number): boolean {
  const { reference, spheres } = guide
  const body = bodyOf(guide)
  const apsides = { periapsis: axis * (1 - e), apoapsis: axis * (1 + e) }
  if (!(e < 1 && apsides.apoapsis < spheres[reference] && isCalm(guide, apsides))) return false
  const sunk = SINKING * pulledSway(guide, apsides) * axis
  const hasElements = isOsculating(guide) || hasMeanOrbit(body, axis * (1 - e * e))
  return hasElements && apsides.periapsis - sunk > body.radius
}

/** Whether other bodies leave an orbit nearly as it is. */
export function isCalm(guide: Guide, apsides: Apsides): boolean {
  return pulledSway(guide, apsides) < PULLED_MAX
}

/** Whether the parent of the reference body alone leaves it so, whatever moons it passes. */
export function isHeld(guide: Guide, apoapsis: number): boolean {
  const { parent } = bodyOf(guide)
  return parent < 0 || GAIN * pull(guide, parent, apoapsis) < PULLED_MAX
}

/** The same where it is to stay so nearly that its apsides can be reckoned with. */
export function isStill(guide: Guide, apsides: Apsides): boolean {
  const { reference, spheres } = guide
  const isInside = apsides.apoapsis < STILL_ROOM * spheres[reference]
  return isInside && pulledSway(guide, apsides) < STILL_MAX
}

/** Ends of an orbit [m]. */
type Apsides = Pick<Conic, 'periapsis' | 'apoapsis'>

/** What other bodies move the elements of an orbit by. */
function pulledSway(guide: Guide, apsides: Apsides): number {
  const { reference, state } = guide
  const { bodies } = state.system
  const { parent } = bodies[reference]
  let sway = parent < 0 ? 0 : GAIN * pull(guide, parent, apsides.apoapsis)
  for (let body = 0; body < bodies.length; body++) {
    if (bodies[body].parent !== reference) continue
    const outside = GAIN * pull(guide, body, apsides.apoapsis)
    sway += Math.min(outside, insideSway(guide, body, apsides))
  }
  return sway
}

/** What a meeting with a body inside an orbit moves it by, of its mass and for the nearness. */
const MEETING = 2.5

/**
 * What a body whose orbit lies inside another moves that by: the reference body moves about the
 * centre of mass of both, at a speed that counts most at the apsis where the other is fastest, and
 * each meeting pulls. `place` holds the body's state, as `pull` leaves it.
 */
function insideSway({ reference, state }: Guide, body: number, apsides: Apsides): number {
  const { bodies } = state.system
  const { periapsis, apoapsis } = apsides
  const distance = Math.sqrt(dot(place.r, 0, place.r, 0))
  if (!(periapsis > distance)) return Infinity
  const axis = 0.5 * (periapsis + apoapsis)
  const swing = 2 * Math.sqrt((axis / distance) * (apoapsis / periapsis))
  const near = periapsis / (periapsis - distance)
  return (bodies[body].gm / bodies[reference].gm) * (swing + MEETING * near * near)
}

/** Share of the gravity at an orbit of some size [m] that a body pulls with. */
function pull({ reference, state, n }: Guide, body: number, size: number): number {
  const { bodies } = state.system
  bodyState(place, state.ephemeris, body, reference, n, 0)
  const distance = Math.sqrt(dot(place.r, 0, place.r, 0))
  const reach = size / Math.max(distance - 0.5 * size, 0.5 * distance)
  return (bodies[body].gm / bodies[reference].gm) * reach * reach * reach
}
