import type { AddedModule, ModuleValues, ModuleViewer } from '@orrery/engine/modules'
import {
  type EquatorialOrbit,
  type WorldState,
  createStateVector,
  equatorialState,
} from '@orrery/sim'
import { VIEWERS } from '../../column.ts'
import { type ColumnMemory, byName, valueAt } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'
import { rowId } from './rails.ts'
import type { TableRows } from '../columns/table.ts'

/** What a viewer sees of a row of columns. */
export function valuesOf(
  memories: readonly ColumnMemory[],
  place: number,
  viewer: ModuleViewer,
): ModuleValues {
  const seen = memories.filter(
    ({ column }) => VIEWERS.indexOf(column.seenBy) <= VIEWERS.indexOf(viewer),
  )
  return Object.fromEntries(
    Array.from(byName(seen), ([name, parts]) => [name, valueAt(parts, place)]),
  )
}

const state = createStateVector()

/** Where a rail is at a lattice index. */
function placeOf(
  { system }: WorldState,
  rail: EquatorialOrbit,
  index: number,
): Readonly<Record<string, string | number>> {
  equatorialState(state, rail, index, 0)
  const [x, y, z] = state.r
  const [vx, vy, vz] = state.v
  return { around: system.bodies[rail.parent].name, x, y, z, vx, vy, vz }
}

/** What a viewer sees of the rows of a table at a lattice index. */
export function rowsOf(
  module: string,
  table: TableRows,
  world: WorldState,
  viewer: ModuleViewer,
  index: number,
): readonly ModuleValues[] {
  const columns = table.memories.filter((memory) => !table.rails.includes(memory))
  return Array.from({ length: table.count }, (_, place) => ({
    ...valuesOf(columns, place, viewer),
    ...(table.rails.length > 0 && {
      id: rowId(world.system.id, module, table.name, place + 1),
      ...placeOf(world, table.rail(place + 1), index),
    }),
  }))
}

export function addedModule({ module, older, stopped }: RunningModule): AddedModule {
  const { commands, id, panel, tables, version } = module
  return {
    id,
    version: older?.stored.version ?? version,
    ...(stopped && { stopped }),
    commands: Object.entries(commands).map(([name, command]) => {
      const { body, may = 'pilot', perMinute, summary = '' } = command
      return { name, summary, may, body, ...(perMinute !== undefined && { perMinute }) }
    }),
    tables: Object.keys(tables),
    ...(panel && { panel }),
  }
}
