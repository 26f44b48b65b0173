import { EngineError } from '../engine-error.ts'
import type { WallClock } from '../time/wall-clock.ts'
import { createBudgets } from './budgets.ts'
import type { CommandRow } from './command-row.ts'
import type { KeepRow } from './execution.ts'
import type { WorldCommand } from './world-command.ts'

/** Bytes of the journal that a pilot's structural commands may take at once, and per second. */
const BYTES_MAX = 131_072
const BYTES_PER_SECOND = 512

/** Rows of a ship's control commands at once, and per second: what a socket may send. */
const ORDERS_MAX = 240
export const ORDERS_PER_SECOND = 40

/** What a row takes beside its command. */
const ROW_BYTES = 200

/** Commands that only pilots give. */
const PILOTED: ReadonlySet<WorldCommand['kind']> = new Set([
  'rename_ship',
  'jump_ship',
  'pass_account',
  'create_rule',
  'change_rule',
  'remove_rule',
  'module_command',
] as const)

/** Limits how much of the journal pilots fill. */
export interface PilotBudgets {
  /**
   * Charges the ship of a pilot's command for its rows; rows of other commands cost nothing.
   *
   * @throws {EngineError} 'ERR_BUDGET' when nothing is left
   */
  charging(command: WorldCommand, keep: KeepRow): KeepRow
  /** @throws {EngineError} 'ERR_BUDGET' when a ship has no control command left */
  requireOrder(shipId: string): void
  /** Charges a ship for the row of a control command; returns the row. */
  ordered(shipId: string, row: CommandRow): CommandRow
}

export function createPilotBudgets(clock: Pick<WallClock, 'monotonicMs'>): PilotBudgets {
  const budgets = createBudgets(clock, { most: BYTES_MAX, perSecond: BYTES_PER_SECOND })
  const orders = createBudgets(clock, { most: ORDERS_MAX, perSecond: ORDERS_PER_SECOND })
  return {
    requireOrder: (shipId) => {
      if (orders.hasLeft(shipId)) return
      throw new EngineError('ERR_BUDGET', `More than ${ORDERS_PER_SECOND} orders a second.`)
    },
    ordered: (shipId, row) => {
      orders.spend(shipId, 1)
      return row
    },
    charging: (command, keep) => {
      if (!PILOTED.has(command.kind) || !('shipId' in command)) return keep
      const { shipId } = command
      if (!budgets.hasLeft(shipId)) {
        const message = 'Too many renames, rules, jumps or commands; wait before the next.'
        throw new EngineError('ERR_BUDGET', message)
      }
      return (row, kept) => {
        const { length } = JSON.stringify([kept, row.departure])
        // One that merges into another adds no row.
        if (row.kept === undefined) budgets.spend(shipId, ROW_BYTES + length)
        keep(row, kept)
      }
    },
  }
}
