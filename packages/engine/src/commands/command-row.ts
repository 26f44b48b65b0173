import type { Control, PendingControl } from './intake.ts'
import type { World } from '../world/world.ts'
import type { WorldCommand } from './world-command.ts'

/** A journalled command; a control names its ship by number. */
export type KeptCommand =
  | WorldCommand
  | { readonly kind: 'control'; readonly ship: number; readonly control: Control }

/** A command with its sequence and index: a journal's row, and all that a replay needs. */
export interface CommandRow {
  readonly sequence: number
  /** lattice index at which it acts */
  readonly index: number
  /** id of the player */
  readonly actor: string | null
  /**
   * Reads the command when it is written: until then, later control commands of one ship for one
   * index merge into it.
   */
  seal(): KeptCommand
  /** what the journal writes in the same transaction; opaque to the engine */
  readonly alongside?: unknown
}

/** A journal of commands. Rows come in order of sequence, each when its command has acted. */
export interface CommandJournal {
  /** @throws when no command can become durable now: it is then not executed */
  admit(): void
  /** Resolves when the row is durable; rejects when that is not known in time. */
  keep(row: CommandRow): Promise<void>
}

/** The actor of a structural command, and what is written with it. */
export interface CommandSource {
  /** id of the player */
  readonly actor?: string | null
  readonly alongside?: unknown
}

/** A journal that keeps nothing. */
export const NO_JOURNAL: CommandJournal = {
  admit: () => undefined,
  keep: () => Promise.resolve(),
}

/** The row of a structural command that has just been applied. */
export function structuralRow(
  { index, intake }: World,
  command: WorldCommand,
  { actor = null, alongside }: CommandSource,
): CommandRow {
  const { sequence } = intake
  const seal = (): KeptCommand => command
  return { sequence, index, actor, seal, ...(alongside !== undefined && { alongside }) }
}

/** The row of a control command that waits to act. */
export function controlRow(pending: PendingControl, actor: string | null): CommandRow {
  const { ship, index, sequence } = pending
  return {
    sequence,
    index,
    actor,
    seal() {
      pending.isOpen = false
      return { kind: 'control', ship: ship.number, control: pending.control }
    },
  }
}
