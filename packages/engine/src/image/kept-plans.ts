import {
  CHUNK_SLOTS,
  IDLE,
  PLANNED,
  PLAN_DOUBLES,
  PLAN_NODE_DOUBLES,
  type WorldState,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { usedChunks } from './ship-copy.ts'

type Kept = 'plan' | 'burnNodes'

const DOUBLES = { plan: PLAN_DOUBLES, burnNodes: PLAN_NODE_DOUBLES }

/** Slot and plan of each ship whose autopilot flies: an image has no column of plans. */
export function keptPlans(state: WorldState): Float64Array {
  return keptRows(state, 'plan', (activity) => activity !== IDLE)
}

/** Slot and burns of each ship whose autopilot flies timed ones. */
export function keptBurns(state: WorldState): Float64Array {
  return keptRows(state, 'burnNodes', (activity) => activity === PLANNED)
}

function keptRows(
  state: WorldState,
  name: Kept,
  isKept: (activity: number) => boolean,
): Float64Array {
  const { activity, [name]: column } = state.ships
  const slots: number[] = []
  for (let slot = 0; slot < usedChunks(state) * CHUNK_SLOTS; slot++) {
    if (isKept(activity[slot])) slots.push(slot)
  }
  const doubles = DOUBLES[name]
  const rows = new Float64Array((1 + doubles) * slots.length)
  for (const [i, slot] of slots.entries()) {
    const at = (1 + doubles) * i
    rows[at] = slot
    rows.set(column.subarray(doubles * slot, doubles * (slot + 1)), at + 1)
  }
  return rows
}

/** @throws {EngineError} 'ERR_IMAGE' */
export function restorePlans(
  { ships, slots }: WorldState,
  rows: Float64Array,
  name: Kept = 'plan',
): void {
  const doubles = DOUBLES[name]
  for (let at = 0; at < rows.length; at += 1 + doubles) {
    const slot = rows[at]
    if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
      throw new EngineError('ERR_IMAGE', `The image flies a ship in slot ${slot} of ${slots}.`)
    }
    ships[name].set(rows.subarray(at + 1, at + 1 + doubles), doubles * slot)
  }
}
