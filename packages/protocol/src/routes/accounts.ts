/** Accounts, admins' too. */
import type { NewShipQuery } from '../bodies/ship-classes.ts'
import {
  type AdminsResponse,
  type AssignedShipResponse,
  type MessageResponse,
  type NewAdminRequest,
  type NewAdminResponse,
  type NewPasswordRequest,
  type PlayerResponse,
  type PlayersQuery,
  type PlayersResponse,
  type RoleRequest,
  type RoleResponse,
  adminsResponse,
  assignedShipResponse,
  messageResponse,
  newAdminResponse,
  playerResponse,
  playersResponse,
  roleResponse,
} from '../bodies/accounts.ts'
import { type Route, nothing } from './route.ts'

export const listPlayers: Route<PlayersResponse, { query: PlayersQuery }> = {
  request: 'GET /api/admin/players',
  access: 'admin',
  status: 200,
  answer: playersResponse,
}

export const readPlayer: Route<PlayerResponse, { path: 'player_id' }> = {
  request: 'GET /api/admin/players/:player_id',
  access: 'admin',
  status: 200,
  answer: playerResponse,
}

export const deletePlayer: Route<void, { path: 'player_id' }> = {
  request: 'DELETE /api/admin/players/:player_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const resetPlayerPassword: Route<
  MessageResponse,
  { path: 'player_id'; body: NewPasswordRequest }
> = {
  request: 'POST /api/admin/players/:player_id/reset-password',
  access: 'admin',
  status: 200,
  answer: messageResponse,
}

export const changeRole: Route<RoleResponse, { path: 'player_id'; body: RoleRequest }> = {
  request: 'PUT /api/admin/players/:player_id/role',
  access: 'admin',
  status: 200,
  answer: roleResponse,
}

export const assignShip: Route<AssignedShipResponse, { path: 'player_id'; query: NewShipQuery }> = {
  request: 'POST /api/admin/players/:player_id/ship',
  access: 'admin',
  status: 201,
  answer: assignedShipResponse,
}

export const createAdmin: Route<NewAdminResponse, { body: NewAdminRequest }> = {
  request: 'POST /api/admin/admins',
  access: 'admin',
  status: 201,
  answer: newAdminResponse,
}

export const listAdmins: Route<AdminsResponse> = {
  request: 'GET /api/admin/admins',
  access: 'admin',
  status: 200,
  answer: adminsResponse,
}

export const deleteAdmin: Route<void, { path: 'admin_id' }> = {
  request: 'DELETE /api/admin/admins/:admin_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const changeAdminPassword: Route<
  MessageResponse,
  { path: 'admin_id'; body: NewPasswordRequest }
> = {
  request: 'PUT /api/admin/admins/:admin_id/password',
  access: 'admin',
  status: 200,
  answer: messageResponse,
}

export const endAdminTokens: Route<void> = {
  request: 'DELETE /api/admin/tokens',
  access: 'admin',
  status: 204,
  answer: nothing,
}
