import type { Control, PendingControl } from './intake.ts'
import type { World } from '../world/world.ts'
import type { WorldCommand } from './world-command.ts'

/** A command as it is kept, in order of sequence; a control names its ship by number. */
export type KeptCommand =
  | WorldCommand
  | { readonly kind: 'control'; readonly ship: number; readonly control: Control }

/** One command with its place among all: what a journal keeps, and all that a replay needs. */
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
  /** what is to be written in the same transaction, and is no business of the engine */
  readonly alongside?: unknown
}

/** Where commands are kept. Rows come in order of sequence, each when its command has acted. */
export interface CommandJournal {
  /** @throws when nothing can be kept now: the command is then not acted on */
  admit(): void
  /** Resolves when the row is durable; rejects when that is not known in time. */
  keep(row: CommandRow): Promise<void>
}

/** Who gives a structural command, and what is written with it. */
export interface CommandSource {
  /** id of the player */
  readonly actor?: string | null
  readonly alongside?: unknown
}

/** Keeps nothing, at once. */
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
