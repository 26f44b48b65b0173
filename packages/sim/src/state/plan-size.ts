/** Doubles of a ship's plan: as wide as the columns `plan` and `nextPlan`. */
export const PLAN_DOUBLES = 80

/** Doubles that an order may give a plan: as wide as `orderParams`. */
export const PLAN_PARAMS = 8
