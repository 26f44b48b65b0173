import {
  type ManeuverDebug,
  type ManeuverDebugChanged,
  type ManeuverEventsResponse,
  type ManeuverLevel,
  type ManeuverLogging,
  type ManeuverLoggingChanged,
  maneuverDebug,
  maneuverDebugChanged,
  maneuverEventsResponse,
  maneuverLogging,
  maneuverLoggingChanged,
} from '@orrery/protocol'
import { query } from '../call.ts'
import type { AdminRequest } from './exchange.ts'

/** The log of maneuvers and its level. */
export interface ManeuverLogClient {
  /** newest first; 50 of them without a limit, which is 1-500 */
  events(filter?: {
    readonly ship_id?: string
    readonly event_type?: string
    readonly limit?: number
  }): Promise<ManeuverEventsResponse>
  level(): Promise<ManeuverLogging>
  changeLevel(level: ManeuverLevel): Promise<ManeuverLoggingChanged>
  /** whether one ship is logged in full */
  debug(shipId: string): Promise<ManeuverDebug>
  switchDebug(shipId: string, enabled: boolean): Promise<ManeuverDebugChanged>
}

export function createManeuverLogClient(send: AdminRequest): ManeuverLogClient {
  return {
    events: (filter = {}) =>
      send(`GET /api/admin/maneuver-events${query(filter)}`, maneuverEventsResponse),
    level: () => send('GET /api/admin/maneuver-logging', maneuverLogging),
    changeLevel: (level) =>
      send('POST /api/admin/maneuver-logging', maneuverLoggingChanged, { level }),
    debug: (ship_id) => send(`GET /api/admin/maneuver-debug${query({ ship_id })}`, maneuverDebug),
    switchDebug: (ship_id, enabled) =>
      send('POST /api/admin/maneuver-debug', maneuverDebugChanged, { ship_id, enabled }),
  }
}
