import { LIST_MAX as AUDIT_MAX } from './audit.ts'
import { LIST_MAX as EVENTS_MAX } from './maneuver-event.ts'

/** Rows of one answer at most. */
export const LIMITS: Readonly<Record<'auditEntries' | 'maneuverEvents', number>> = {
  auditEntries: AUDIT_MAX,
  maneuverEvents: EVENTS_MAX,
}
