import type { Engine, WorldCommand } from '@orrery/engine'
import type { Actor, Alongside } from '@orrery/store'

/** Executes an operator's command; it is stored together with its entry in the audit trail. */
export function command(
  engine: Engine,
  actor: Actor,
  order: WorldCommand,
  detail: Readonly<Record<string, string | boolean>>,
): Promise<number> {
  const alongside: Alongside = ({ audit }) => audit.record({ actor, action: order.kind, detail })
  return engine.execute(order, { actor: actor.playerId, alongside })
}
