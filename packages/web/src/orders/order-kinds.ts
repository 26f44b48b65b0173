import { say } from '../languages/say.ts'

/** Kinds of orders, as the player chooses among their forms. */
export const ORDER_KINDS = ['Maneuver', 'Plan', 'Burn', 'Dock', 'Jump', 'Rules'] as const

/** What the kinds are called. */
export const ORDER_KIND_WORDS: Readonly<Record<OrderKind, string>> = {
  Maneuver: say('Maneuver'),
  Plan: say('Plan'),
  Burn: say('Burn'),
  Dock: say('Dock'),
  Jump: say('Jump'),
  Rules: say('Rules'),
}

export type OrderKind = (typeof ORDER_KINDS)[number]
