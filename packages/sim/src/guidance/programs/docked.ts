import { notePlan } from '../../state/events.ts'
import { type Program, wakeAt } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'

/** Wakes where a docked ship's tank is full. */
export const docked: Program = (guide) => {
  const { row, n, slot, state } = guide
  notePlan(state, 'refuelled', slot, n, row, row[PLAN.phase])
  wakeAt(guide, Infinity)
}
