import { type Guide, complete, fail, isInPhase } from '../guide.ts'
import { dot } from '../../math/triple.ts'
import { PLAN } from '../../state/plan.ts'
import { BURN, MEMORY, SIZE_ORDER } from '../../state/plan-memory.ts'
import { beginOrbit, flyOrbit, flyStage, noteErrors, scheduleStage } from '../burns/orbit-flight.ts'
import { AT_APOAPSIS, AT_ONCE, AT_PERIAPSIS, TO_CIRCLE } from '../burns/orbit-plan.ts'
import { AFTER_PASSAGE, passBy } from '../burns/passage.ts'
import {
  findPresentOrbit,
  hasLeft,
  isLeaving,
  isSinking,
  lasts,
  wantAxis,
} from '../burns/present-orbit.ts'
import { canSpend } from '../burns/steered-burn.ts'
import { hasTime } from '../burns/urgent-burn.ts'

/** Eccentricity of a circle. */
const CIRCLE = 1e-3

const ROUNDS_MAX = 4

/**
 * Makes the orbit about the reference body a circle: of the radius that the order names, or with
 * one burn at the apsis where it costs less.
 */
export function circularize(guide: Guide): void {
  const { row } = guide
  if (hasLeft(guide)) return passBy(guide)
  if (row[SIZE_ORDER.size] > 0) return circleOfRadius(guide, row[SIZE_ORDER.size])
  const isUnderWay = !isInPhase(guide, 'planning') && row[MEMORY.burns] !== AFTER_PASSAGE
  if (isUnderWay && !flyStage(guide)) return
  findPresentOrbit(guide)
  row[PLAN.errors + 1] = guide.orbit.e
  if (guide.orbit.e <= CIRCLE) complete(guide)
  else if (row[MEMORY.rounds]++ >= ROUNDS_MAX) fail(guide, 'unreachable')
  else beginBurn(guide)
}

function circleOfRadius(guide: Guide, radius: number): void {
  if (!isInPhase(guide, 'planning')) {
    if (flyOrbit(guide, keepPlane, 1)) complete(guide)
    return
  }
  findPresentOrbit(guide)
  keepPlane(guide)
  wantAxis(guide, radius)
  if (!lasts(guide, radius, 0)) fail(guide, 'unreachable')
  else if (noteErrors(guide) <= 1) complete(guide)
  else beginOrbit(guide)
}

function keepPlane({ row, orbit }: Guide): void {
  row.set(orbit.normal, MEMORY.normal)
}

function beginBurn(guide: Guide): void {
  const { row } = guide
  row[MEMORY.stage] = 0
  row[MEMORY.burns] = 1
  const cost = choosePlace(guide)
  if (!canSpend(guide, cost)) fail(guide, cost < Infinity ? 'out_of_fuel' : 'unreachable')
  else scheduleStage(guide, cost)
}

/** Writes where the orbit becomes a circle, and returns its Δv [m/s]; infinite where it cannot. */
function choosePlace(guide: Guide): number {
  const { row, reference, spheres, onOrbit, orbit } = guide
  const { gm, periapsis, apoapsis, e, p } = orbit
  const low = Math.sqrt(gm / periapsis) * (Math.sqrt(1 + e) - 1)
  const high = Math.sqrt(gm / apoapsis) * (1 - Math.sqrt(1 - e))
  const isAbove = !isSinking(guide)
  const isInside = apoapsis < spheres[reference]
  const burn = MEMORY.plan
  row[burn + BURN.what] = TO_CIRCLE
  row[burn + BURN.share] = 0
  const falls = dot(onOrbit.r, 0, onOrbit.v, 0) < 0
  if (isLeaving(guide) || (!isAbove && (falls || !isInside))) {
    const distance = Math.sqrt(dot(onOrbit.r, 0, onOrbit.r, 0))
    const forward = Math.sqrt(gm * p) / distance
    const climb2 = dot(onOrbit.v, 0, onOrbit.v, 0) - forward * forward
    const missing = Math.sqrt(gm / distance) - forward
    row[burn + BURN.where] = AT_ONCE
    const cost = Math.sqrt(Math.max(0, climb2) + missing * missing)
    return isAbove || !falls || hasTime(guide, cost) ? cost : Infinity
  }
  const isLow = isAbove && (low < high || !isInside)
  row[burn + BURN.where] = isLow ? AT_PERIAPSIS : AT_APOAPSIS
  return isLow ? low : high
}
