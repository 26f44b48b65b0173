import { type RuleEntry, type RuleRequest, type RulesResponse, api } from '@orrery/protocol'
import type { Call } from './call.ts'

/** What one's ship does by itself, and when. */
export interface RulesClient {
  list(): Promise<RulesResponse>
  create(rule: RuleRequest): Promise<RuleEntry>
  /** arms it again unless `armed` is false */
  replace(ruleId: string, rule: RuleRequest): Promise<RuleEntry>
  remove(ruleId: string): Promise<void>
}

export function createRulesClient(call: Call): RulesClient {
  return {
    list: () => call(api.listRules),
    create: (rule) => call(api.createRule, rule),
    replace: (id, rule) => call(api.replaceRule, { id, ...rule }),
    remove: (id) => call(api.deleteRule, { id }),
  }
}
