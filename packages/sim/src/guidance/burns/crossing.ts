import { cross, dot } from '../../math/triple.ts'
import { secondsBetween } from '../../orbits/conic.ts'
import { BURN, MEMORY } from '../../state/plan-memory.ts'
import type { Guide } from '../guide.ts'
import { AT_RADIUS, TO_CIRCLE } from './orbit-plan.ts'
import { isSwaying } from './present-orbit.ts'

/** Eccentricity below which a wanted orbit is taken for a circle where others move it by more. */
const CIRCLE = 0.02

/** Sine of the angle between planes that others move a swaying orbit by. */
const FLAT = 0.03

const across = new Float64Array(3)
const place = new Float64Array(3)

/**
 * Plans one burn onto a wanted circle where the orbit crosses its radius, once burns at apsides
 * have missed it since others move the orbit between them. Returns the Δv [m/s]; infinite where the
 * orbit is not so, or does not come there.
 */
export function planCrossing(guide: Guide): number {
  const { row, orbit } = guide
  const { gm, p, a } = orbit
  const radius = row[MEMORY.a]
  if (!(row[MEMORY.e] < CIRCLE && orbit.periapsis < radius && radius < orbit.apoapsis)) {
    return Infinity
  }
  cross(across, 0, orbit.normal, 0, row, MEMORY.normal)
  const isFlat = dot(across, 0, across, 0) < FLAT * FLAT
  if (!isFlat || !(dot(orbit.normal, 0, row, MEMORY.normal) > 0)) return Infinity
  if (row[MEMORY.rounds] === 0 || !isSwaying(guide)) return Infinity
  const forward = Math.sqrt(gm * p) / radius
  const climb2 = Math.max(0, gm * (2 / radius - 1 / a) - forward * forward)
  const missing = Math.sqrt(gm / radius) - forward
  row.fill(0, MEMORY.plan, MEMORY.via)
  row[MEMORY.plan + BURN.where] = AT_RADIUS
  row[MEMORY.plan + BURN.what] = TO_CIRCLE
  row[MEMORY.burns] = 1
  return Math.sqrt(climb2 + missing * missing)
}

/** Time to the next place of the orbit that is as far out as wanted [s]; after some lead [s]. */
export function secondsToRadius({ row, orbit, onOrbit }: Guide, lead: number): number {
  const { p, e, ahead, side, period } = orbit
  const cosine = (p / row[MEMORY.a] - 1) / e
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine))
  let next = Infinity
  for (let way = -1; way <= 1; way += 2) {
    for (let i = 0; i < 3; i++) place[i] = cosine * ahead[i] + way * sine * side[i]
    const seconds = secondsBetween(orbit, onOrbit.r, place)
    next = Math.min(next, seconds < lead ? seconds + period : seconds)
  }
  return next
}
