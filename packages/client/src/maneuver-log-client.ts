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
import { type AdminAsk, query } from './exchange.ts'

/** What the server tells of maneuvers, and how much. */
export interface ManeuverLogClient {
  /** newest first; 50 of them without a limit, which is 1-500 */
  events(filter?: {
    readonly ship_id?: string
    readonly event_type?: string
    readonly limit?: number
  }): Promise<ManeuverEventsResponse>
  level(): Promise<ManeuverLogging>
  changeLevel(level: ManeuverLevel): Promise<ManeuverLoggingChanged>
  /** whether everything is told of one ship */
  debug(shipId: string): Promise<ManeuverDebug>
  switchDebug(shipId: string, enabled: boolean): Promise<ManeuverDebugChanged>
}

export function createManeuverLogClient(ask: AdminAsk): ManeuverLogClient {
  return {
    events: (filter = {}) =>
      ask(`GET /api/admin/maneuver-events${query(filter)}`, maneuverEventsResponse),
    level: () => ask('GET /api/admin/maneuver-logging', maneuverLogging),
    changeLevel: (level) =>
      ask('POST /api/admin/maneuver-logging', maneuverLoggingChanged, { level }),
    debug: (ship_id) => ask(`GET /api/admin/maneuver-debug${query({ ship_id })}`, maneuverDebug),
    switchDebug: (ship_id, enabled) =>
      ask('POST /api/admin/maneuver-debug', maneuverDebugChanged, { ship_id, enabled }),
  }
}
