import {
  type RuleEntry,
  type RuleRequest,
  type RulesResponse,
  ruleEntry,
  rulesResponse,
} from '@orrery/protocol'
import { type Exchange, nothing } from './exchange.ts'

/** What one's ship does by itself, and when. */
export interface RulesClient {
  list(): Promise<RulesResponse>
  create(rule: RuleRequest): Promise<RuleEntry>
  /** arms it again unless `armed` is false */
  replace(ruleId: string, rule: RuleRequest): Promise<RuleEntry>
  remove(ruleId: string): Promise<void>
}

export function createRulesClient(send: Exchange, token: string): RulesClient {
  const pathOf = (ruleId: string): string => `/api/player/rules/${encodeURIComponent(ruleId)}`
  return {
    list: () => send('GET /api/player/rules', rulesResponse, { token }),
    create: (body) => send('POST /api/player/rules', ruleEntry, { token, body }),
    replace: (ruleId, body) => send(`PUT ${pathOf(ruleId)}`, ruleEntry, { token, body }),
    remove: (ruleId) => send(`DELETE ${pathOf(ruleId)}`, nothing, { token }),
  }
}
