import { ENTRIES_MAX } from './bodies/audit.ts'
import { TIMEOUT_MAX } from './orders/maneuver-messages.ts'
import { EVENTS_MAX } from './bodies/maneuvers.ts'
import { HOURS_MAX, ORDERS_MAX } from './orders/predictions.ts'

/** Limits of requests that have to agree with what serves them. */
export const LIMITS: Readonly<
  Record<
    'predictionHours' | 'predictionOrders' | 'maneuverSeconds' | 'maneuverEvents' | 'auditEntries',
    number
  >
> = {
  predictionHours: HOURS_MAX,
  predictionOrders: ORDERS_MAX,
  maneuverSeconds: TIMEOUT_MAX,
  maneuverEvents: EVENTS_MAX,
  auditEntries: ENTRIES_MAX,
}
