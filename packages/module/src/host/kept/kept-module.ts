import { EngineError } from '@orrery/engine'
import type { StoredModule } from '@orrery/engine/modules'
import type { ColumnMemory } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'
import type { KeptModule } from '../columns/table.ts'

/** What an image keeps of a module. @param slots  up to which there are ships */
export function keptModule(running: RunningModule, slots: number): KeptModule {
  const { due, module, older, ordered, ships, stopped, tables } = running
  if (older) return older
  const { id, version } = module
  const values: number[] = []
  let count = 0
  for (let slot = 0; slot < slots; slot++) {
    if (ships.every(({ column, values: of }) => of[slot] === column.default)) continue
    values.push(slot)
    for (const memory of ships) values.push(memory.values[slot])
    count++
  }
  const kept = Array.from(tables.values(), ({ name, count: rows, memories }) => {
    for (let place = 0; place < rows; place++) {
      values.push(place + 1)
      for (const memory of memories) values.push(memory.values[place])
    }
    return { name, columns: namesOf(memories), rows, nextId: rows + 1 }
  })
  const columns = namesOf(ships)
  const stored = {
    id,
    version,
    ...(stopped && { stopped }),
    ...(due.waiting.length > 0 && { due: due.waiting }),
    ...(ordered.waiting.length > 0 && { ordered: ordered.waiting }),
    columns,
    ships: count,
    tables: kept,
  }
  return { stored, values }
}

/**
 * Gives a module what an image has kept; columns are matched by name.
 *
 * @param begin  where its doubles begin; returns where they end
 * @throws {EngineError} 'ERR_IMAGE' when a ship or a row has no place
 */
export function restoreModule(
  running: RunningModule,
  stored: StoredModule,
  doubles: Float64Array,
  begin: number,
): number {
  running.stopped = stored.stopped
  for (const event of stored.due ?? []) running.due.add(event)
  for (const command of stored.ordered ?? []) running.ordered.add(command)
  let at = begin
  const read = (into: readonly ColumnMemory[], names: readonly string[], first: number): void => {
    const place = doubles[at++] - first
    const memories = names.map((name, i) => {
      // A table on rails may have a column that is named as one of its rails.
      return into.at(i)?.name === name ? into[i] : into.find((one) => one.name === name)
    })
    for (const memory of memories) {
      const value = doubles[at++]
      if (!memory) continue
      if (!(place in memory.values)) {
        throw new EngineError('ERR_IMAGE', `The image has ${memory.name} in row ${place}.`)
      }
      memory.values[place] = value
    }
  }
  for (let i = 0; i < stored.ships; i++) read(running.ships, stored.columns, 0)
  for (const { name, columns, rows } of stored.tables) {
    const table = running.tables.get(name)
    for (let i = 0; i < rows; i++) read(table?.memories ?? [], columns, 1)
    if (table) table.count = rows
  }
  running.changed()
  return at
}

function namesOf(memories: readonly ColumnMemory[]): string[] {
  return memories.map(({ name }) => name)
}
