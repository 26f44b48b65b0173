import type { ModuleCargo } from '@orrery/engine/modules'
import type { ColumnKind } from '../../column.ts'
import { byName } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'
import { type ShipCargo, cargoFor, cargoOf } from './cargo.ts'

/** Takes from a ship what it has of its account, which leaves what an account begins with. */
export function takeAccount(all: readonly RunningModule[], slot: number): ModuleCargo {
  const cargo = cargoOf(all, slot, 'account') ?? {}
  for (const running of all) {
    for (const { column, values } of running.account) values[slot] = column.default
    running.surprise(slot)
  }
  return cargo
}

/** Adds it to what another ship has. @throws {EngineError} as `cargoFor` */
export function giveAccount(all: readonly RunningModule[], slot: number, cargo: ModuleCargo): void {
  const taken = cargoFor(all, cargo, 'account')
  for (const running of all) {
    const own = taken[running.module.id]
    if (!own) continue
    addAccount(running, slot, own)
    running.surprise(slot)
  }
}

/** Numbers are added up. */
function addAccount(running: RunningModule, slot: number, cargo: ShipCargo): void {
  for (const parts of byName(running.account).values()) {
    const { kind } = parts[0].column
    // A text is that of the ship that was flown, if it had one.
    if (kind === 'text' && parts.every(({ name }) => !cargo[name])) continue
    for (const { column, name, values } of parts) {
      const given = cargo[name] ?? column.default
      if (kind === 'text') values[slot] = given
      else if (kind === 'bit') values[slot] = Math.max(values[slot], given)
      else values[slot] = within(kind, values[slot] + (given - column.default))
    }
  }
}

const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  i32: [-2_147_483_648, 2_147_483_647],
  u32: [0, 4_294_967_295],
}

function within(kind: ColumnKind, value: number): number {
  const [least, most] = BOUNDS[kind] ?? [-Number.MAX_VALUE, Number.MAX_VALUE]
  return Math.max(least, Math.min(most, value)) + 0
}
