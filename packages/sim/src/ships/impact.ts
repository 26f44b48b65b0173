import type { StarSystem } from '../ephemeris/star-system.ts'

/** What a step runs into, if anything. */
export interface Impact {
  /** the first beat inside, in quanta; Infinity when the step stays outside */
  at: number
  body: number
}

/**
 * Squares of the distances from which a step may reach each body's ground [m²]: with
 * h ≤ 0.04 r/v none does from further away.
 */
export function nearDistances2({ bodies }: StarSystem): Float64Array {
  return Float64Array.from(bodies, ({ radius }) => 1.06 * radius * (1.06 * radius))
}
