import { CHUNK_SLOTS, IDLE, PLAN_DOUBLES, type WorldState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { usedChunks } from './ship-copy.ts'
import { PLANNED_DOUBLES } from './image-layout.ts'

/** Slot and plan of each ship whose autopilot flies: an image has no column of plans. */
export function keptPlans(state: WorldState): Float64Array {
  const { activity, plan } = state.ships
  const slots: number[] = []
  for (let slot = 0; slot < usedChunks(state) * CHUNK_SLOTS; slot++) {
    if (activity[slot] !== IDLE) slots.push(slot)
  }
  const rows = new Float64Array(PLANNED_DOUBLES * slots.length)
  for (const [i, slot] of slots.entries()) {
    rows[PLANNED_DOUBLES * i] = slot
    rows.set(plan.subarray(PLAN_DOUBLES * slot, PLAN_DOUBLES * (slot + 1)), PLANNED_DOUBLES * i + 1)
  }
  return rows
}

/** @throws {EngineError} 'ERR_IMAGE' */
export function restorePlans({ ships, slots }: WorldState, rows: Float64Array): void {
  for (let at = 0; at < rows.length; at += PLANNED_DOUBLES) {
    const slot = rows[at]
    if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
      throw new EngineError('ERR_IMAGE', `The image flies a ship in slot ${slot} of ${slots}.`)
    }
    ships.plan.set(rows.subarray(at + 1, at + PLANNED_DOUBLES), PLAN_DOUBLES * slot)
  }
}
