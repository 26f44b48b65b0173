import { type RuleRequest, parseClientMessage } from '@orrery/protocol'
import type { Order } from './game-socket.ts'

/** Why the server would not take an order, in its words; undefined for one that it can read. */
export function orderFault(order: Order): string | undefined {
  return fault(order)
}

/** The same of a rule. */
export function ruleFault(request: RuleRequest): string | undefined {
  return fault({ type: 'rule_set', ...request })
}

function fault(message: object): string | undefined {
  const result = parseClientMessage(JSON.stringify(message))
  return result.ok ? undefined : result.error.message
}
