import { BEAT_QUANTA, beatAfter } from '../../lattice.ts'
import { relativeSpeed, targetDistance } from '../approach.ts'
import {
  type Guide,
  type Program,
  cutEngine,
  enterPhase,
  fail,
  isInPhase,
  wakeAt,
} from '../guide.ts'
import { COMPLETED, MOORED, PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { rendezvous } from './rendezvous.ts'

/** How near, and how slow relative to a station, a ship docks [m], [m/s]. */
const DISTANCE = 100
const SPEED = 0.1

/** A ship without fuel farther away does not come beside its station [m]. */
const LEEWAY = 5000

/** Beats in a row that a ship without fuel has to be so. */
const BEATS = 10

/** Place in the plan, behind those of a rendezvous. */
const BEATS_HELD = PLAN_DOUBLES - 1

/** Meets a station, and docks at the next beat. */
export const dock: Program = (guide) => {
  const { row, n } = guide
  if (guide.fuel <= 0) return drift(guide)
  if (isInPhase(guide, 'docking')) {
    if (isBeside(guide)) return moor(guide)
    enterPhase(guide, 'approaching')
  }
  rendezvous(guide)
  if (row[PLAN.outcome] !== COMPLETED) return
  row[PLAN.outcome] = 0
  enterPhase(guide, 'docking')
  wakeAt(guide, beatAfter(n))
}

/** Docks a ship that cannot move, but stays beside its station. */
function drift(guide: Guide): void {
  const { row, n } = guide
  if (targetDistance(guide) > LEEWAY) return fail(guide, 'out_of_fuel')
  enterPhase(guide, 'docking')
  wakeAt(guide, beatAfter(n))
  if (n % BEAT_QUANTA !== 0) return
  row[BEATS_HELD] = isBeside(guide) ? row[BEATS_HELD] + 1 : 0
  if (row[BEATS_HELD] >= BEATS) moor(guide)
}

function moor(guide: Guide): void {
  cutEngine(guide)
  guide.row[PLAN.outcome] = MOORED
}

function isBeside(guide: Guide): boolean {
  guide.row[PLAN.distance] = targetDistance(guide)
  return guide.row[PLAN.distance] < DISTANCE && relativeSpeed(guide) < SPEED
}
