import { PROGRADE } from '../../attitude/pointing.ts'
import { dot } from '../../math/triple.ts'
import { PLAN } from '../plan.ts'
import {
  type Guide,
  burn,
  complete,
  enterPhase,
  fail,
  isInPhase,
  pointTo,
  wakeIn,
} from '../guide.ts'

/** Places in `PLAN.memory`. */
const LEFT = PLAN.memory

/** Speed that is left far away, as a share of the speed of escape at the ship. */
const EXCESS = 0.02

/** Between two checks of the way, where nothing is near [s]. */
const CHECK_SECONDS = 64

/**
 * Leaves the reference body: one burn along the velocity to a little more than the speed of
 * escape, and the flight to the end of its sphere of influence.
 */
export function escape(guide: Guide): void {
  const { row, reference, state, burning } = guide
  if (isInPhase(guide, 'planning')) {
    row[LEFT] = reference
    if (state.system.bodies[reference].parent < 0) return fail(guide, 'unreachable')
    pointTo(guide, PROGRADE)
    enterPhase(guide, 'turning')
  }
  if (reference !== row[LEFT]) return complete(guide)
  if (isInPhase(guide, 'turning')) {
    if (!guide.locked) return wakeIn(guide, 1)
    const missing = missingSpeed(guide)
    if (missing > 0) burn(guide, missing, 1)
    else wakeIn(guide, 1)
    return enterPhase(guide, missing > 0 ? 'burning' : 'coasting')
  }
  if (burning) return wakeIn(guide, 1)
  if (missingSpeed(guide) > 0) {
    return guide.fuel > 0 ? enterPhase(guide, 'turning') : fail(guide, 'out_of_fuel')
  }
  enterPhase(guide, 'coasting')
  wakeIn(guide, CHECK_SECONDS)
}

/** To the speed that the ship needs where it is [m/s]. */
function missingSpeed({ r, v, reference, state }: Guide): number {
  const { gm } = state.system.bodies[reference]
  const speedOfEscape2 = (2 * gm) / Math.sqrt(dot(r, 0, r, 0))
  return Math.sqrt((1 + EXCESS * EXCESS) * speedOfEscape2) - Math.sqrt(dot(v, 0, v, 0))
}
