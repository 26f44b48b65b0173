/** Service tokens, and what they open. */
import { type PlayersQuery, type PlayersResponse, playersResponse } from '../bodies/accounts.ts'
import {
  type EventsQuery,
  type EventsResponse,
  type ManeuverEventsQuery,
  type ManeuverEventsResponse,
  eventsResponse,
  maneuverEventsResponse,
} from '../bodies/maneuvers.ts'
import {
  type ServiceTokenEntry,
  type ServiceTokenRequest,
  type ServiceTokenResponse,
  type ServiceTokensResponse,
  serviceTokenEntry,
  serviceTokenResponse,
  serviceTokensResponse,
} from '../bodies/service-tokens.ts'
import { type Route, nothing } from './route.ts'

export const createServiceToken: Route<ServiceTokenResponse, { body: ServiceTokenRequest }> = {
  request: 'POST /api/admin/service-tokens',
  access: 'admin',
  status: 201,
  answer: serviceTokenResponse,
}

export const listServiceTokens: Route<ServiceTokensResponse> = {
  request: 'GET /api/admin/service-tokens',
  access: 'admin',
  status: 200,
  answer: serviceTokensResponse,
}

export const revokeServiceToken: Route<void, { path: 'token_id' }> = {
  request: 'DELETE /api/admin/service-tokens/:token_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const readServiceToken: Route<ServiceTokenEntry> = {
  request: 'GET /api/service/token',
  access: 'service',
  status: 200,
  answer: serviceTokenEntry,
}

export const readManeuverEvents: Route<ManeuverEventsResponse, { query: ManeuverEventsQuery }> = {
  request: 'GET /api/service/maneuver-events',
  access: 'service',
  status: 200,
  answer: maneuverEventsResponse,
}

export const readEvents: Route<EventsResponse, { query: EventsQuery }> = {
  request: 'GET /api/service/events',
  access: 'service',
  status: 200,
  answer: eventsResponse,
}

export const readPlayers: Route<PlayersResponse, { query: PlayersQuery }> = {
  request: 'GET /api/service/players',
  access: 'service',
  status: 200,
  answer: playersResponse,
}
