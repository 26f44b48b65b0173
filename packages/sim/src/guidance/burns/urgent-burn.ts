import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { conicOf, conicState, createConic, secondsBetween } from '../../orbits/conic.ts'
import { BURN, BURN_DOUBLES, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { AT_APOAPSIS, AT_ONCE, AT_PERIAPSIS, TO_APSIS, TO_CIRCLE, planOrbit } from './orbit-plan.ts'
import { planCrossing } from './crossing.ts'
import { bodyOf, findPresentOrbit, isCalm, isHeld, isLeaving, isSinking } from './present-orbit.ts'
import { velocityOfStage } from './stage-velocity.ts'
import { burnSeconds, leadSeconds } from './steered-burn.ts'

/** How many times its own length of time a burn above the ground needs. */
const ROOM = 1.5

/** Share of the distance below which a periapsis is lifted on the way down to it. */
const BELOW = 0.9

const place = createStateVector()
const after = createStateVector()
const next = createConic()
const down = new Float64Array(3)

/**
 * Plans the way from the present orbit to the wanted one; where that orbit does not last, because
 * it leaves the sphere of influence, ends in the ground or is pulled away so far out, only the burn
 * that makes it last.
 * Returns the Δv of the whole way by impulses [m/s]; infinite without one.
 */
export function planLasting(guide: Guide): number {
  const { row, orbit, onOrbit, reference, spheres } = guide
  const isLow = isSinking(guide)
  const leaves = !(orbit.apoapsis < spheres[reference])
  const isFar = !isLow && !leaves && isFarOut(guide)
  if (!isLow && !leaves && !isFar) {
    const cost = planCrossing(guide)
    return cost < Infinity ? cost : planOrbit(row, orbit)
  }
  const falls = dot(onOrbit.r, 0, onOrbit.v, 0) < 0
  const wantedPeriapsis = row[MEMORY.a] * (1 - row[MEMORY.e])
  const isHigh = isFar && wantedPeriapsis < BELOW * orbit.periapsis
  const isAtOnce = isHigh || isLeaving(guide) || (isLow && falls)
  const where = isAtOnce ? AT_ONCE : isLow ? AT_APOAPSIS : AT_PERIAPSIS
  const distance = Math.sqrt(dot(onOrbit.r, 0, onOrbit.r, 0))
  // Far out a circle costs more, and others pull the ship off it.
  const isLift = isHigh || (isLow && falls && wantedPeriapsis < BELOW * distance)
  row.fill(0, MEMORY.plan, MEMORY.plan + BURN_DOUBLES)
  row[MEMORY.plan + BURN.what] = isLift || where === AT_PERIAPSIS ? TO_APSIS : TO_CIRCLE
  row[MEMORY.plan + BURN.where] = where
  const apoapsis = row[MEMORY.a] * (1 + row[MEMORY.e])
  const highest = Math.max(apoapsis, orbit.periapsis)
  row[MEMORY.plan + BURN.apsis] = isLift ? wantedPeriapsis : highest
  row[MEMORY.stage] = 0
  const burn = row.slice(MEMORY.plan, MEMORY.plan + BURN_DOUBLES)
  if (isAtOnce) {
    place.r.set(onOrbit.r)
    place.v.set(onOrbit.v)
  } else conicState(place, orbit, isLow ? -1 : 1, 0)
  if (!velocityOfStage(after.v, guide, place.r, place.v)) return Infinity
  after.r.set(place.r)
  for (let i = 0; i < 3; i++) place.v[i] -= after.v[i]
  const first = Math.sqrt(dot(place.v, 0, place.v, 0))
  if (isLow && falls && !hasTime(guide, first)) return Infinity
  conicOf(next, after, orbit.gm)
  // So far out others would pull the ship away before its next burn.
  if (!isLift && !isCalm(guide, next)) return Infinity
  const rest = isHigh ? costFrom(guide, after) : planOrbit(row, next)
  row.fill(0, MEMORY.plan, MEMORY.via)
  row.set(burn, MEMORY.plan)
  row[MEMORY.burns] = 1
  return first + rest
}

/** Δv of the way from another state of the ship [m/s]. */
function costFrom(guide: Guide, { r, v }: StateVector): number {
  const { onOrbit, orbit } = guide
  onOrbit.r.set(r)
  onOrbit.v.set(v)
  conicOf(orbit, onOrbit, orbit.gm)
  const cost = planLasting(guide)
  findPresentOrbit(guide)
  return cost
}

/** Whether the parent pulls the orbit away before it can be turned, and the wanted one is lower. */
function isFarOut(guide: Guide): boolean {
  const { row, orbit } = guide
  const wantedApoapsis = row[MEMORY.a] * (1 + row[MEMORY.e])
  return wantedApoapsis < BELOW * orbit.apoapsis && !isHeld(guide, orbit.apoapsis)
}

/** Whether a burn on the way down ends above the ground. */
export function hasTime(guide: Guide, deltaV: number): boolean {
  const { orbit, onOrbit } = guide
  const cosine = (orbit.p / bodyOf(guide).radius - 1) / orbit.e
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine))
  for (let i = 0; i < 3; i++) down[i] = cosine * orbit.ahead[i] - sine * orbit.side[i]
  const seconds = secondsBetween(orbit, onOrbit.r, down)
  return seconds > leadSeconds(guide, deltaV) + ROOM * burnSeconds(guide, deltaV)
}
