import { absorbLanes, createDigest, digest, finish } from '@orrery/sim'
import { type ColumnMemory, HASHED_ROWS } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'

/** What a digest absorbs of modules. @param rows  slots up to which there are ships */
export function hashOf(all: readonly RunningModule[], rows: number): Uint32Array {
  const lanes = createDigest()
  for (const { module, ships, stopped, tables } of all) {
    const names = [module.id, String(module.version), String(stopped?.index ?? '')]
    absorbLanes(lanes, digest(names), 0, 4)
    for (const memory of ships) absorbColumn(lanes, memory, rows)
    for (const { count, memories } of tables.values()) {
      absorbLanes(lanes, Uint32Array.of(count, 0, 0, 0), 0, 4)
      const padded = Math.ceil(count / HASHED_ROWS) * HASHED_ROWS
      for (const memory of memories) absorbColumn(lanes, memory, padded)
    }
  }
  finish(lanes)
  return lanes
}

function absorbColumn(lanes: Uint32Array, { values, words }: ColumnMemory, rows: number): void {
  absorbLanes(lanes, words, 0, (rows * values.BYTES_PER_ELEMENT) / 4)
}
