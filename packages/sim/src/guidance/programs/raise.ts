import { createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { keplerState } from '../../orbits/kepler.ts'
import { BURN, COURSE, MEMORY } from '../../state/plan-memory.ts'
import { PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { flyStage, scheduleStage } from '../burns/orbit-flight.ts'
import { AT_ONCE, TO_APSIS } from '../burns/orbit-plan.ts'
import { bodyOf, findPresentOrbit } from '../burns/present-orbit.ts'
import type { Guide } from '../guide.ts'
import { LOW_ORBIT } from './legs.ts'
import { sinks } from './lasting-orbit.ts'

/** Radii within which a fall is not left to a later look. */
const NEAR = 4

const end = createStateVector()

/** Whether the ship is on the way down into the ground, and near to it. */
export function isFalling(guide: Guide): boolean {
  const { r, v, reference } = guide
  const near = NEAR * bodyOf(guide).radius
  const isNear = dot(r, 0, v, 0) < 0 && dot(r, 0, r, 0) < near * near
  return isNear && sinks(guide, guide, reference)
}

/** Whether a ship on the way down reaches the ground within some seconds. */
export function strikesWithin(guide: Guide, seconds: number): boolean {
  const { gm, radius } = bodyOf(guide)
  keplerState(end, guide, gm, seconds)
  return dot(end.r, 0, end.v, 0) > 0 || dot(end.r, 0, end.r, 0) < radius * radius
}

/** Begins to lift the periapsis to the height of a low orbit, with one burn as soon as it can. */
export function beginRaise(guide: Guide, stage: number): void {
  const { row, r, reference } = guide
  row.fill(0, PLAN.memory, PLAN_DOUBLES)
  row[COURSE.stage] = stage
  row[MEMORY.origin] = reference
  row[MEMORY.burns] = 1
  row[MEMORY.plan + BURN.where] = AT_ONCE
  row[MEMORY.plan + BURN.what] = TO_APSIS
  const low = (1 + LOW_ORBIT) * bodyOf(guide).radius
  row[MEMORY.plan + BURN.apsis] = Math.min(low, Math.sqrt(dot(r, 0, r, 0)))
  findPresentOrbit(guide)
  scheduleStage(guide, 0)
}

/** Flies that burn; true at its end, or where another body has taken the ship. */
export function flyRaise(guide: Guide): boolean {
  return guide.reference !== guide.row[MEMORY.origin] || flyStage(guide)
}
