import { MEMORY } from '../../state/plan-memory.ts'
import { type Guide, cutEngine, enterPhase, fail, isInPhase, wakeIn } from '../guide.ts'
import { bodyOf, findPresentOrbit } from './present-orbit.ts'

/** Time between looks while a moon has the ship [s]. */
const LOOK_SECONDS = 3600

/** Value of `MEMORY.burns` of a plan that is made once the passage is over. */
export const AFTER_PASSAGE = 0

/**
 * Waits where a moon of the plan's body has the ship on its way past; the plan fails where another
 * body has it, or the moon keeps it.
 */
export function passBy(guide: Guide): void {
  const { row, reference, spheres, state, orbit } = guide
  findPresentOrbit(guide)
  const isMoon = state.system.bodies[reference].parent === row[MEMORY.origin] - 1
  const isPassing = orbit.apoapsis >= spheres[reference] && orbit.periapsis > bodyOf(guide).radius
  const isSpiral = isInPhase(guide, 'thrusting') || isInPhase(guide, 'coasting')
  if (isSpiral || !(isMoon && isPassing)) return fail(guide, 'unreachable')
  cutEngine(guide)
  enterPhase(guide, 'waiting')
  row[MEMORY.burns] = AFTER_PASSAGE
  wakeIn(guide, LOOK_SECONDS)
}
