import { CHUNK_SLOTS, EMPTY, type WorldState } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { CLASSED_DOUBLES } from './image-layout.ts'
import { usedChunks } from './ship-copy.ts'

/** Slot and class of each ship that is not of the first: an image has no column of classes. */
export function keptClasses(state: WorldState): Float64Array {
  const { condition, shipClass } = state.ships
  const rows: number[] = []
  for (let slot = 0; slot < usedChunks(state) * CHUNK_SLOTS; slot++) {
    if (condition[slot] !== EMPTY && shipClass[slot] > 0) rows.push(slot, shipClass[slot])
  }
  return Float64Array.from(rows)
}

/** @throws {EngineError} 'ERR_IMAGE' naming a slot or a class that the world lacks */
export function restoreClasses({ classes, ships, slots }: WorldState, rows: Float64Array): void {
  for (let at = 0; at < rows.length; at += CLASSED_DOUBLES) {
    const [slot, row] = rows.subarray(at)
    if (!(Number.isInteger(slot) && slot >= 0 && slot < slots)) {
      throw new EngineError('ERR_IMAGE', `The image has a class in slot ${slot} of ${slots}.`)
    }
    if (!(row in classes)) {
      const message = `The image has a ship of class ${row} in slot ${slot}, and ${classes.length}.`
      throw new EngineError('ERR_IMAGE', message)
    }
    ships.shipClass[slot] = row
  }
}
