import { type Guide, complete, fail, isInPhase } from '../guide.ts'
import { dot } from '../../math/triple.ts'
import { PLAN } from '../../state/plan.ts'
import { deltaVLeft } from './steered-burn.ts'
import { BURN, MEMORY, SIZE_ORDER } from '../../state/plan-memory.ts'
import { beginOrbit, findPresentOrbit, flyOrbit, flyStage } from './orbit-flight.ts'
import { noteErrors, scheduleStage } from './orbit-flight.ts'
import { AT_APOAPSIS, AT_ONCE, AT_PERIAPSIS, TO_CIRCLE } from './orbit-plan.ts'

/** Eccentricity of a circle. */
const CIRCLE = 1e-3

const ROUNDS_MAX = 4

/**
 * Makes the orbit about the reference body a circle: of the radius that the order names, or with
 * one burn at the apsis where it costs less.
 */
export function circularize(guide: Guide): void {
  const { row } = guide
  if (row[SIZE_ORDER.size] > 0) return circleOfRadius(guide, row[SIZE_ORDER.size])
  if (!isInPhase(guide, 'planning') && !flyStage(guide)) return
  findPresentOrbit(guide)
  row[PLAN.errors + 1] = guide.orbit.e
  if (guide.orbit.e <= CIRCLE) complete(guide)
  else if (row[MEMORY.rounds]++ >= ROUNDS_MAX) fail(guide, 'unreachable')
  else beginBurn(guide)
}

function circleOfRadius(guide: Guide, radius: number): void {
  const { row, reference, spheres, state } = guide
  if (!isInPhase(guide, 'planning')) {
    if (flyOrbit(guide, keepPlane, 1)) complete(guide)
    return
  }
  findPresentOrbit(guide)
  row[MEMORY.a] = radius
  keepPlane(guide)
  const { bodies } = state.system
  if (radius <= bodies[reference].radius || radius > spheres[reference]) fail(guide, 'unreachable')
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
  if (cost > deltaVLeft(guide)) fail(guide, cost < Infinity ? 'out_of_fuel' : 'unreachable')
  else scheduleStage(guide, cost)
}

/** Writes where the orbit becomes a circle, and returns its Δv [m/s]; infinite where it cannot. */
function choosePlace({ row, reference, spheres, state, r, v, orbit }: Guide): number {
  const { gm, periapsis, apoapsis, e } = orbit
  const low = Math.sqrt(gm / periapsis) * (Math.sqrt(1 + e) - 1)
  const high = Math.sqrt(gm / apoapsis) * (1 - Math.sqrt(1 - e))
  const isAbove = periapsis > state.system.bodies[reference].radius
  const isInside = apoapsis < spheres[reference]
  row[MEMORY.plan + BURN.what] = TO_CIRCLE
  row[MEMORY.plan + BURN.share] = 0
  if (isAbove && (low < high || !isInside)) {
    row[MEMORY.plan + BURN.where] = AT_PERIAPSIS
    return low
  }
  if (!isInside) return Infinity
  const falls = dot(r, 0, v, 0) < 0
  row[MEMORY.plan + BURN.where] = !isAbove && falls ? AT_ONCE : AT_APOAPSIS
  return high
}
