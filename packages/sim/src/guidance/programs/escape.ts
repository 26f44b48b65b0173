import { dot } from '../../math/triple.ts'
import { createStateVector } from '../../math/state-vector.ts'
import { conicOf, createConic, secondsBetween } from '../../orbits/conic.ts'
import { type Guide, complete, cutEngine, enterPhase, fail, isInPhase, wakeIn } from '../guide.ts'
import {
  type Wanted,
  canSpend,
  flyBurn,
  gmOf,
  leadSeconds,
  scheduleBurn,
} from '../burns/steered-burn.ts'
import { MEMORY } from '../../state/plan-memory.ts'
import { bodyOf, findPresentOrbit } from '../burns/present-orbit.ts'

/** Speed that is left far away, as a share of the speed of escape at the sphere's edge. */
const EXCESS = 0.2

/** Eccentricity above which the burn waits for the periapsis. */
const ROUND = 0.02

/** An orbit that reaches so many radii of the sphere of influence leaves it. */
const BEYOND = 1.2

/** Between two looks at the way [s]. */
const LOOK_SECONDS = 600

const place = new Float64Array(3)
const far = createStateVector()
const way = createConic()

/**
 * Leaves the reference body: one burn along the velocity at the periapsis, or at once from a
 * circle, and the flight to the end of its sphere of influence.
 */
export function escape(guide: Guide): void {
  const { row, reference, state } = guide
  if (isInPhase(guide, 'planning')) {
    row[MEMORY.origin] = reference
    if (state.system.bodies[reference].parent < 0) return fail(guide, 'unreachable')
    return depart(guide)
  }
  if (!isInPhase(guide, 'coasting') && reference === row[MEMORY.origin]) {
    if (!flyBurn(guide, wantedSpeed)) return
  }
  coast(guide)
}

function depart(guide: Guide): void {
  findPresentOrbit(guide)
  const { orbit, onOrbit } = guide
  const { gm, e, periapsis, apoapsis, a } = orbit
  const falls = dot(onOrbit.r, 0, onOrbit.v, 0) < 0
  const isLow = periapsis <= bodyOf(guide).radius
  if (isLow && falls) return fail(guide, 'unreachable')
  if (leaves(guide) && apoapsis < Infinity && !falls) return coast(guide)
  const here = Math.sqrt(dot(onOrbit.r, 0, onOrbit.r, 0))
  const distance = isLow ? here : periapsis
  for (let i = 0; i < 3; i++) place[i] = isLow ? onOrbit.r[i] : periapsis * orbit.ahead[i]
  const missing = Math.sqrt(leavingSpeed2(guide, place)) - Math.sqrt(gm * (2 / distance - 1 / a))
  if (missing > 0 && !canSpend(guide, missing)) return fail(guide, 'out_of_fuel')
  const lead = leadSeconds(guide, Math.max(0, missing))
  const isAtOnce = isLow || e < ROUND || !(orbit.period < Infinity)
  if (isAtOnce) return scheduleBurn(guide, lead)
  const seconds = secondsBetween(orbit, onOrbit.r, orbit.ahead)
  scheduleBurn(guide, seconds < lead ? seconds + orbit.period : seconds)
}

function coast(guide: Guide): void {
  const { row, reference, state } = guide
  const { bodies } = state.system
  const origin = row[MEMORY.origin]
  enterPhase(guide, 'coasting')
  cutEngine(guide)
  if (reference !== origin && bodies[reference].parent !== origin) return complete(guide)
  // A moon on the way may have taken what was left.
  if (reference === origin && !leaves(guide)) depart(guide)
  else wakeIn(guide, LOOK_SECONDS)
}

/** Whether the way leads out of the sphere of influence: far out, oblateness pulls no more. */
function leaves(guide: Guide): boolean {
  const { r, v, reference, spheres } = guide
  const speed2 = dot(v, 0, v, 0)
  const scale = Math.sqrt(Math.max(0, 1 - oblateSpeed2(guide, r) / speed2))
  far.r.set(r)
  for (let i = 0; i < 3; i++) far.v[i] = scale * v[i]
  conicOf(way, far, gmOf(guide))
  return !(way.apoapsis < BEYOND * spheres[reference])
}

/** Square of the speed at a place that leaves the body [m²/s²]. */
function leavingSpeed2(guide: Guide, r: Float64Array): number {
  return (2 * gmOf(guide)) / Math.sqrt(dot(r, 0, r, 0)) + oblateSpeed2(guide, r) + excess2(guide)
}

/** What oblateness takes from the square of a speed on the way out from a place [m²/s²]. */
function oblateSpeed2(guide: Guide, r: Float64Array): number {
  const { gm, oblateness } = bodyOf(guide)
  if (!oblateness) return 0
  const { j2, pole, referenceRadius } = oblateness
  const square = dot(r, 0, r, 0)
  const height = r[0] * pole[0] + r[1] * pole[1] + r[2] * pole[2]
  const flat = (gm * j2 * referenceRadius * referenceRadius) / (square * Math.sqrt(square))
  return flat * (1 - (3 * height * height) / square)
}

/** Square of the speed that is to be left far away [m²/s²]. */
function excess2({ row, spheres, state }: Guide): number {
  const origin = row[MEMORY.origin]
  return (EXCESS * EXCESS * 2 * state.system.bodies[origin].gm) / spheres[origin]
}

/** The velocity in the direction of the present one that leaves the body. */
const wantedSpeed: Wanted = (out, guide, r, v) => {
  const speed2 = dot(v, 0, v, 0)
  const scale = Math.sqrt(Math.max(1, leavingSpeed2(guide, r) / speed2))
  for (let i = 0; i < 3; i++) out[i] = scale * v[i]
  return true
}
