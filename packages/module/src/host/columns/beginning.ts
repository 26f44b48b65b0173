import type { ModuleRoom } from '@orrery/engine/modules'
import type { BeginContext, Tables } from '../../declaration.ts'
import { BrokenModule } from './memory.ts'
import type { Writes } from './writes.ts'
import { createRandom } from './random.ts'
import { type TableRows, railOf } from './table.ts'

/** A module that is about to run. */
interface Begun {
  readonly module: { readonly id: string }
  readonly tables: ReadonlyMap<string, TableRows>
}

/** What fills the tables of a star system. @param what  is done, for chance */
export function beginning(
  running: Begun,
  room: ModuleRoom,
  writes: Writes,
  index: number,
  what = 'begin',
): BeginContext<Tables> {
  const { state } = room
  return {
    systemId: state.system.id,
    hasBody: (name) => state.system.bodies.some((body) => body.name === name),
    add: (table, values, orbit) => {
      const rail = orbit && railOf(state, orbit, index)
      return tableOf(running, table).add(writes, values, rail)
    },
    random: generator(room, running.module.id, index, what),
  }
}

/** Chance of a module at an index. @param what  it is for */
export function generator(
  { seed, state }: ModuleRoom,
  id: string,
  index: number,
  what: string,
): () => number {
  return createRandom(seed, state.system.id, id, String(index), what)
}

/** @throws {BrokenModule} for a name without a table */
export function tableOf({ tables }: Pick<Begun, 'tables'>, name: string | undefined): TableRows {
  const table = tables.get(name ?? '')
  if (table) return table
  throw new BrokenModule(`It has no table ${name}.`)
}
