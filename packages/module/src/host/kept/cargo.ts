import type { ModuleCargo } from '@orrery/engine/modules'
import { type GameModule, columnsOf } from '../../define-module.ts'
import { guarded } from '../calls/time-limit.ts'
import { Loads } from '../columns/loads.ts'
import {
  type ColumnMemory,
  HASHED_ROWS,
  byName,
  columnMemories,
  oldValues,
  stored,
} from '../columns/memory.ts'
import { Writes } from '../columns/writes.ts'
import type { RunningModule } from '../running/running-module.ts'
import { givenBy, refused, upgradeFrom, writeShip } from './upgrade.ts'

/** What a hand-off has beside columns, whose names have no space. */
const VERSION = 'its version'

export type ShipCargo = ModuleCargo[string]

/** All that a ship has, or what it has of its account. */
type Part = 'ships' | 'account'

/** What a ship takes to another star system; undefined where all is as at first. */
export function cargoOf(
  all: readonly RunningModule[],
  slot: number,
  part: Part = 'ships',
): ModuleCargo | undefined {
  const cargo = all.flatMap((running) => {
    const own = shipCargo(running.module, running[part], slot)
    return own ? [[running.module.id, own] as const] : []
  })
  return cargo.length > 0 ? Object.fromEntries(cargo) : undefined
}

function shipCargo(
  module: GameModule,
  memories: readonly ColumnMemory[],
  slot: number,
): ShipCargo | undefined {
  // Rows of tables stay where they are.
  const own = memories.filter(({ column }) => column.kind !== 'row')
  if (own.every(({ column, values }) => values[slot] === column.default)) return undefined
  const values = own.map(({ name, values: of }): [string, number] => [name, of[slot]])
  return Object.fromEntries([...values, [VERSION, module.version]])
}

/**
 * What a ship brings to a star system, as the versions there keep it.
 *
 * @throws {EngineError} 'ERR_MODULE' when they cannot
 */
export function cargoFor(
  all: readonly RunningModule[],
  cargo: ModuleCargo,
  part: Part = 'ships',
): ModuleCargo {
  const taken = all.flatMap(({ module }) => {
    const own = cargo[module.id]
    return own ? [[module.id, shipCargoFor(module, own, part)] as const] : []
  })
  return Object.fromEntries(taken)
}

function shipCargoFor(module: GameModule, cargo: ShipCargo, part: Part): ShipCargo {
  // Those of earlier journals have none.
  const { [VERSION]: version = module.version } = cargo
  if (version === module.version) return cargo
  const from = upgradeFrom(module, version)
  const isOwn = ([, { kind }]: readonly [string, { readonly kind: string }]): boolean =>
    kind !== 'row'
  const columns = Object.fromEntries(Object.entries(columnsOf(module)).filter(isOwn))
  const memories = columnMemories(columns, HASHED_ROWS)
  const loads = new Loads(module, memories, HASHED_ROWS)
  const writes = new Writes()
  try {
    guarded(() => {
      const old = oldValues(Object.keys(cargo), Object.values(cargo))
      const given = Object.entries(
        part === 'ships' ? givenBy(from, old) : Object(from.account?.(old)),
      )
      const own = given.filter(([name]) => module.ship[name]?.kind !== 'row')
      writeShip(byName(memories), writes, 0, old, Object.fromEntries(own))
      loads.weigh(writes)
    })
  } catch (error) {
    throw refused(module, version, 'a ship that arrives', error)
  }
  const all = [...memories, ...loads.memories]
  return Object.fromEntries(all.map(({ name, values }) => [name, values[0]]))
}

/** Writes what a ship brings, see {@link cargoFor}, where there is the column. */
export function bringCargo(all: readonly RunningModule[], slot: number, cargo: ModuleCargo): void {
  for (const running of all) {
    for (const [name, value] of Object.entries(cargo[running.module.id] ?? {})) {
      const memory = running.ships.find((one) => one.name === name)
      if (memory && memory.column.kind !== 'row') memory.values[slot] = stored(memory, value)
    }
    running.changed()
  }
}

/** Leaves a slot as it was before it had a ship. */
export function clearCargo(all: readonly RunningModule[], slot: number): void {
  for (const running of all) {
    for (const { column, values } of running.ships) values[slot] = column.default
    running.changed()
  }
}
