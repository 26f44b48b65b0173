import type { ModuleCargo } from '@orrery/engine/modules'
import { type GameModule, columnsOf } from '../../define-module.ts'
import { guarded } from '../calls/time-limit.ts'
import { Loads } from '../columns/loads.ts'
import {
  HASHED_ROWS,
  Writes,
  byName,
  columnMemories,
  oldValues,
  stored,
} from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'
import { givenBy, refused, upgradeFrom, writeShip } from './upgrade.ts'

/** What a hand-off has beside columns, whose names have no space. */
const VERSION = 'its version'

type ShipCargo = ModuleCargo[string]

/** What a ship takes to another star system; undefined where all is as at first. */
export function cargoOf(all: readonly RunningModule[], slot: number): ModuleCargo | undefined {
  const cargo = all.flatMap((running) => {
    const own = shipCargo(running, slot)
    return own ? [[running.module.id, own] as const] : []
  })
  return cargo.length > 0 ? Object.fromEntries(cargo) : undefined
}

function shipCargo({ module, ships }: RunningModule, slot: number): ShipCargo | undefined {
  // Rows of tables stay where they are.
  const own = ships.filter(({ column }) => column.kind !== 'row')
  if (own.every(({ column, values }) => values[slot] === column.default)) return undefined
  const values = own.map(({ name, values: of }): [string, number] => [name, of[slot]])
  return Object.fromEntries([...values, [VERSION, module.version]])
}

/** Writes the values that a ship brings, where there is the column. */
export function bringTo(running: RunningModule, slot: number, cargo: ModuleCargo): void {
  for (const [name, value] of Object.entries(cargo[running.module.id] ?? {})) {
    const memory = running.ships.find((one) => one.name === name)
    if (memory && memory.column.kind !== 'row') memory.values[slot] = stored(memory, value)
  }
  running.changed()
}

/**
 * What a ship brings to a star system, as the versions there keep it.
 *
 * @throws {EngineError} 'ERR_MODULE' when they cannot
 */
export function cargoFor(all: readonly RunningModule[], cargo: ModuleCargo): ModuleCargo {
  const taken = all.flatMap(({ module }) => {
    const own = cargo[module.id]
    return own ? [[module.id, shipCargoFor(module, own)] as const] : []
  })
  return Object.fromEntries(taken)
}

function shipCargoFor(module: GameModule, cargo: ShipCargo): ShipCargo {
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
      const given = Object.entries(givenBy(from, old))
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
