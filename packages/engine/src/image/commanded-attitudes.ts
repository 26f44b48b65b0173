import { CHUNK_SLOTS, HULL, type WorldState, commandedAt, takeHullRow } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { usedChunks } from './ship-copy.ts'
import { COMMANDED_DOUBLES } from './image-layout.ts'

/** Slot and attitude of each hull that turns to a commanded one: no other column holds it. */
export function commandedAttitudes(state: WorldState): Float64Array {
  const { ships } = state
  const rows: number[] = []
  for (let slot = 0; slot < usedChunks(state) * CHUNK_SLOTS; slot++) {
    const at = commandedAt(ships, slot)
    if (at >= 0) rows.push(slot, ...ships.hullStep.subarray(at, at + 4))
  }
  return Float64Array.from(rows)
}

/** @throws {EngineError} 'ERR_IMAGE' */
export function restoreCommanded({ ships, slots }: WorldState, rows: Float64Array): void {
  for (let at = 0; at < rows.length; at += COMMANDED_DOUBLES) {
    const slot = rows[at]
    if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
      throw new EngineError('ERR_IMAGE', `The image turns a hull in slot ${slot} of ${slots}.`)
    }
    const row = takeHullRow(ships, slot) + HULL.target
    ships.hullStep.set(rows.subarray(at + 1, at + COMMANDED_DOUBLES), row)
  }
}
