/** Doubles of a ship's plan: as wide as the columns `plan` and `nextPlan`. */
export const PLAN_DOUBLES = 80

/** Doubles that an order may give a plan: as wide as `orderParams`. */
export const PLAN_PARAMS = 8

/** Burns of a plan at most. */
export const NODES_MAX = 16

/** Doubles of one burn, see `NODE`. */
export const NODE_DOUBLES = 8

/** Doubles of all burns of a plan: as wide as `burnNodes` and `orderBurnNodes`. */
export const PLAN_NODE_DOUBLES: number = NODES_MAX * NODE_DOUBLES
