import sol from '../data/sol-agreement.json' with { type: 'json' }
import { solSystem } from './sol.ts'

/** How true the places of a body are, as far as was measured. */
export interface BodyAccuracy {
  /** largest distance from JPL's place, relative to the parent [m] */
  readonly positionError: number
  /** between these dates, ISO 8601 */
  readonly from: string
  readonly until: string
}

type Errors = Readonly<Record<string, number>>

const errors: Errors = sol.position_errors_m
const longerErrors: Errors = sol.longer.position_errors_m

/** Undefined where no reference has places of the body, as beyond Sol. */
export function bodyAccuracy(systemId: string, name: string): BodyAccuracy | undefined {
  if (systemId !== solSystem.id) return undefined
  const { from, until, longer } = sol
  if (Object.hasOwn(longerErrors, name)) {
    return { positionError: longerErrors[name], from, until: longer.until }
  }
  return Object.hasOwn(errors, name) ? { positionError: errors[name], from, until } : undefined
}
