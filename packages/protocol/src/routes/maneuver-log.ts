/** The log of maneuvers and its level. */
import {
  type ManeuverDebug,
  type ManeuverDebugChanged,
  type ManeuverDebugQuery,
  type ManeuverDebugRequest,
  type ManeuverEventsQuery,
  type ManeuverEventsResponse,
  type ManeuverLogging,
  type ManeuverLoggingChanged,
  maneuverDebug,
  maneuverDebugChanged,
  maneuverEventsResponse,
  maneuverLogging,
  maneuverLoggingChanged,
} from '../bodies/maneuvers.ts'
import type { Route } from './route.ts'

export const readManeuverLogging: Route<ManeuverLogging> = {
  request: 'GET /api/admin/maneuver-logging',
  access: 'admin',
  status: 200,
  answer: maneuverLogging,
}

export const changeManeuverLogging: Route<ManeuverLoggingChanged, { body: ManeuverLogging }> = {
  request: 'POST /api/admin/maneuver-logging',
  access: 'admin',
  status: 200,
  answer: maneuverLoggingChanged,
}

export const listManeuverEvents: Route<ManeuverEventsResponse, { query: ManeuverEventsQuery }> = {
  request: 'GET /api/admin/maneuver-events',
  access: 'admin',
  status: 200,
  answer: maneuverEventsResponse,
}

export const readManeuverDebug: Route<ManeuverDebug, { query: ManeuverDebugQuery }> = {
  request: 'GET /api/admin/maneuver-debug',
  access: 'admin',
  status: 200,
  answer: maneuverDebug,
}

export const switchManeuverDebug: Route<ManeuverDebugChanged, { body: ManeuverDebugRequest }> = {
  request: 'POST /api/admin/maneuver-debug',
  access: 'admin',
  status: 200,
  answer: maneuverDebugChanged,
}
