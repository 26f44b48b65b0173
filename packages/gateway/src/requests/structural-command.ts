import type { Engine, WorldCommand } from '@orrery/engine'
import type { Actor, Alongside } from '@orrery/store'
import type { AppParts } from '../app-parts.ts'

type Parts = Pick<AppParts, 'changeAccounts' | 'engine'>

/** Executes an operator's command, see {@link commandWith}, with its entry in the audit trail. */
export function command(
  parts: Parts,
  actor: Actor,
  order: WorldCommand,
  detail: Readonly<Record<string, string | number | boolean>>,
): Promise<void> {
  const alongside: Alongside = ({ audit }) => audit.record({ actor, action: order.kind, detail })
  return commandWith(parts, order, { actor: actor.playerId, alongside })
}

type CommandSource = NonNullable<Parameters<Engine['execute']>[1]>

/** A command with what is written in its transaction. */
export interface SourceWith extends Omit<CommandSource, 'alongside'> {
  readonly alongside: Alongside
  /** whether it has acted already, on another server, and only the rest is to be written */
  readonly hasActed?: () => Promise<boolean>
  /** called before it is sent to another server */
  readonly onSend?: () => Promise<void>
}

/**
 * Executes a command and writes what belongs to it in the same transaction, or after it where
 * another server owns a star system that it concerns.
 */
export async function commandWith(
  { changeAccounts, engine }: Parts,
  order: WorldCommand,
  { alongside, hasActed, onSend, ...by }: SourceWith,
): Promise<void> {
  const isElsewhere = (): boolean => engine.followed.concerned(order).others.length > 0
  const send = async (): Promise<void> => {
    await onSend?.()
    await engine.execute(order, by)
    await changeAccounts(alongside)
  }
  // Before the star system of its ship is looked for: that may be another one since.
  if (await hasActed?.()) return changeAccounts(alongside)
  if (isElsewhere()) return send()
  try {
    await engine.execute(order, { ...by, alongside })
  } catch (error) {
    // Its star system was given away meanwhile.
    const isGiven = Object(error).code === 'ERR_SYSTEM_STOPPED' && isElsewhere()
    if (!isGiven) throw error
    await send()
  }
}
