/** Kinds of orders, as the player chooses among their forms. */
export const ORDER_KINDS = ['Maneuver', 'Plan', 'Burn', 'Dock', 'Jump', 'Rules'] as const

export type OrderKind = (typeof ORDER_KINDS)[number]
