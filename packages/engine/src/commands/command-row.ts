import type { Control } from '@orrery/sim'
import type { PendingControl } from '../world/intake.ts'
import type { AnyHandOff } from '../world/hand-off.ts'
import { shipEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import type { SystemCommand } from './world-command.ts'

/** A journalled command to one system; a control names its ship by number. */
export type KeptCommand =
  | SystemCommand
  | { readonly kind: 'control'; readonly ship: number; readonly control: Control }
  | FreezeShip
  | ModuleFaulted

/** The engine's own: a ship that no worker could fly on was frozen, within a tick. */
export interface FreezeShip {
  readonly kind: 'freeze_ship'
  readonly ship: number
}

/** The engine's own: a module was stopped at a beat within a tick. */
export interface ModuleFaulted {
  readonly kind: 'module_fault'
  readonly module: string
  readonly reason: string
  /** of that beat; the first by default */
  readonly call?: number
}

/** A command with its place in its system: a journal's row, and all that a replay needs. */
export interface CommandRow {
  readonly systemId: string
  readonly sequence: number
  /** lattice index at which it acts */
  readonly index: number
  /** id of the player */
  readonly actor: string | null
  /** under which it was sent, and what merged into it; to be read with the command */
  readonly commandIds?: readonly string[] | undefined
  /**
   * Reads the command when it is written: until then, later renames of one ship, and control
   * commands of one ship for one index, merge into it.
   */
  seal(): KeptCommand
  /** settles when it is durable or refused; absent until it is with the journal */
  kept?: Promise<void> | undefined
  /** of a ship that departs; stored until it has arrived */
  readonly departure?: AnyHandOff
  /** of a ship that arrives */
  readonly arrival?: AnyHandOff
  /** what the journal writes in the same transaction; opaque to the engine */
  readonly alongside?: unknown
}

/** A journal of commands. Rows come in the order of each system, when their command has acted. */
export interface CommandJournal {
  /** @throws when no command can become durable now: it is then not executed */
  admit(): void
  /** Resolves when the row is durable; rejects when that is not known in time. */
  keep(row: CommandRow): Promise<void>
  /**
   * The sequence up to which all commands to a system are durable, `Infinity` while none waits.
   * Without it nothing is held back until it is durable.
   */
  readonly durableUpTo?: ((systemId: string) => number) | undefined
}

/** The actor of a structural command, and what is written with it. */
export interface CommandSource {
  /** id of the player */
  readonly actor?: string | null
  /** a UUID under which it was sent */
  readonly commandId?: string
  readonly alongside?: unknown
}

/** A journal that keeps nothing. */
export const NO_JOURNAL: CommandJournal = {
  admit: () => undefined,
  keep: () => Promise.resolve(),
}

/** The row of a structural command that has just been applied. */
export function structuralRow(
  { index, intake, state }: World,
  command: SystemCommand,
  { actor = null, commandId, alongside }: CommandSource,
  handOff?: AnyHandOff,
): CommandRow {
  return {
    systemId: state.system.id,
    sequence: intake.sequence,
    index,
    actor,
    seal: () => command,
    ...(commandId !== undefined && { commandIds: [commandId] }),
    ...(handOff && { [command.kind.startsWith('depart') ? 'departure' : 'arrival']: handOff }),
    ...(alongside !== undefined && { alongside }),
  }
}

/**
 * The row of a rename that has just been applied: that of the one before, if its actor is the same,
 * it has not been read, and nothing is written with either.
 */
export function renameRow(
  { index, intake, roster, state }: World,
  shipId: string,
  { actor = null, commandId, alongside }: CommandSource,
): CommandRow {
  const { renames } = intake
  const { name, number } = shipEntry({ roster }, shipId)
  const before = renames.get(number)
  const isMerged = before?.actor === actor && alongside === undefined
  if (isMerged) intake.sequence--
  const { sequence } = intake
  const commandIds: string[] = []
  const rename = isMerged ? before : { index, sequence, actor, name, commandIds, kept: undefined }
  rename.name = name
  if (commandId !== undefined) rename.commandIds.push(commandId)
  if (alongside === undefined) renames.set(number, rename)
  else renames.delete(number)
  return {
    ...(alongside !== undefined && { alongside }),
    systemId: state.system.id,
    sequence: rename.sequence,
    index: rename.index,
    actor,
    get commandIds() {
      return rename.commandIds.length > 0 ? rename.commandIds : undefined
    },
    get kept() {
      return rename.kept
    },
    set kept(kept) {
      rename.kept = kept
    },
    seal() {
      if (renames.get(number) === rename) renames.delete(number)
      return { kind: 'rename_ship', shipId, name: rename.name }
    },
  }
}

/** The row of a control command that waits to act. */
export function controlRow(
  { state }: World,
  pending: PendingControl,
  actor: string | null,
): CommandRow {
  const { ship, index, sequence } = pending
  return {
    systemId: state.system.id,
    sequence,
    index,
    actor,
    get commandIds() {
      return pending.commandIds
    },
    seal() {
      pending.isOpen = false
      return { kind: 'control', ship: ship.number, control: pending.control }
    },
  }
}

/** The row of a ship that was frozen at an index of the tick that has just run. */
export function freezeRow({ intake, state }: World, ship: number, index: number): CommandRow {
  const sequence = ++intake.sequence
  const seal = (): KeptCommand => ({ kind: 'freeze_ship', ship })
  return { systemId: state.system.id, sequence, index, actor: null, seal }
}
