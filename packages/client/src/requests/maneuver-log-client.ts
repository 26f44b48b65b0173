import {
  api,
  type ManeuverDebug,
  type ManeuverDebugChanged,
  type ManeuverEventsResponse,
  type ManeuverLevel,
  type ManeuverLogging,
  type ManeuverLoggingChanged,
} from '@orrery/protocol'
import type { Call } from './call.ts'

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

export function createManeuverLogClient(call: Call): ManeuverLogClient {
  return {
    events: (filter = {}) => call(api.listManeuverEvents, filter),
    level: () => call(api.readManeuverLogging),
    changeLevel: (level) => call(api.changeManeuverLogging, { level }),
    debug: (ship_id) => call(api.readManeuverDebug, { ship_id }),
    switchDebug: (ship_id, enabled) => call(api.switchManeuverDebug, { ship_id, enabled }),
  }
}
