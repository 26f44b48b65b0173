import type { WorldCommand } from '@orrery/engine'
import type { Actor, Alongside } from '@orrery/store'
import type { AppParts } from '../app-parts.ts'

/**
 * Executes an operator's command; it is stored together with its entry in the audit trail, which
 * follows it where another server owns a star system that it concerns.
 */
export async function command(
  { audit: record, engine }: Pick<AppParts, 'audit' | 'engine'>,
  actor: Actor,
  order: WorldCommand,
  detail: Readonly<Record<string, string | boolean>>,
): Promise<void> {
  const by = { actor: actor.playerId }
  const isElsewhere = (): boolean => engine.followed.concerned(order).others.length > 0
  const send = async (): Promise<void> => {
    await engine.execute(order, by)
    await record(actor, order.kind, detail)
  }
  if (isElsewhere()) return send()
  const alongside: Alongside = ({ audit }) => audit.record({ actor, action: order.kind, detail })
  try {
    await engine.execute(order, { ...by, alongside })
  } catch (error) {
    // Its star system was given away meanwhile.
    const isGiven = Object(error).code === 'ERR_SYSTEM_STOPPED' && isElsewhere()
    if (!isGiven) throw error
    await send()
  }
}
