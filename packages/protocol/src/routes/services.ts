/** Service tokens, and what they open. */
import {
  type AssignedShipResponse,
  type PlayersQuery,
  type PlayersResponse,
  assignedShipResponse,
  playersResponse,
} from '../bodies/accounts.ts'
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
import {
  type AnnouncementRequest,
  type AnnouncementResponse,
  type ServiceModuleRequest,
  type SpawnRequest,
  announcementResponse,
} from '../bodies/service-commands.ts'
import type { TransferRequest } from '../bodies/world-objects.ts'
import type { ShipChangeRequest } from '../bodies/ship-changes.ts'
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

export const spawnShip: Route<AssignedShipResponse, { body: SpawnRequest }> = {
  request: 'POST /api/service/ships',
  access: 'service',
  status: 201,
  answer: assignedShipResponse,
}

export const removeShip: Route<AssignedShipResponse, { path: 'ship_id' }> = {
  request: 'DELETE /api/service/ships/:ship_id',
  access: 'service',
  status: 200,
  answer: assignedShipResponse,
}

export const moveShip: Route<AssignedShipResponse, { path: 'ship_id'; body: TransferRequest }> = {
  request: 'PUT /api/service/ships/:ship_id/system',
  access: 'service',
  status: 200,
  answer: assignedShipResponse,
}

export const changeShip: Route<AssignedShipResponse, { path: 'ship_id'; body: ShipChangeRequest }> =
  {
    request: 'POST /api/service/ships/:ship_id/changes',
    access: 'service',
    status: 200,
    answer: assignedShipResponse,
  }

export const commandModuleForShip: Route<
  AssignedShipResponse,
  { path: 'ship_id'; body: ServiceModuleRequest }
> = {
  request: 'POST /api/service/ships/:ship_id/modules',
  access: 'service',
  status: 200,
  answer: assignedShipResponse,
}

export const announce: Route<AnnouncementResponse, { body: AnnouncementRequest }> = {
  request: 'POST /api/service/messages',
  access: 'service',
  status: 200,
  answer: announcementResponse,
}
