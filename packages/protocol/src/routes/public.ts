/** What needs no token. */
import {
  type AdminLoginResponse,
  type LoginRequest,
  type LoginResponse,
  type RegisterRequest,
  type RegisterResponse,
  type SignInRequest,
  adminLoginResponse,
  loginResponse,
  registerResponse,
} from '../bodies/accounts.ts'
import { type StatusResponse, statusResponse } from '../bodies/game-control.ts'
import { type ShipClassesResponse, shipClassesResponse } from '../bodies/ship-classes.ts'
import {
  type BodiesResponse,
  type CheckpointsQuery,
  type CheckpointsResponse,
  type EphemerisQuery,
  type EphemerisResponse,
  type SystemResponse,
  bodiesResponse,
  checkpointsResponse,
  ephemerisResponse,
  systemResponse,
} from '../bodies/star-systems.ts'
import { type SkyQuery, type SkyResponse, skyResponse } from '../bodies/sky.ts'
import { type SystemsResponse, systemsResponse } from '../bodies/world-objects.ts'
import type { Timestamp } from '../identifiers.ts'
import type { Route } from './route.ts'

export const register: Route<RegisterResponse, { body: RegisterRequest }> = {
  request: 'POST /api/auth/register',
  access: 'anybody',
  status: 201,
  answer: registerResponse,
}

export const login: Route<LoginResponse, { body: LoginRequest }> = {
  request: 'POST /api/auth/login',
  access: 'anybody',
  status: 200,
  answer: loginResponse,
}

export const signIn: Route<LoginResponse, { body: SignInRequest }> = {
  request: 'POST /api/auth/sign-in',
  access: 'anybody',
  status: 200,
  answer: loginResponse,
}

export const loginAdmin: Route<AdminLoginResponse, { body: LoginRequest }> = {
  request: 'POST /api/admin/auth/login',
  access: 'anybody',
  status: 200,
  answer: adminLoginResponse,
}

export const loginAdminLegacy: Route<AdminLoginResponse, { body: LoginRequest }> = {
  request: 'POST /api/admin/login',
  access: 'anybody',
  status: 200,
  answer: adminLoginResponse,
}

export const readStatus: Route<StatusResponse> = {
  request: 'GET /api/status',
  access: 'anybody',
  status: 200,
  answer: statusResponse,
}

export const listSystems: Route<SystemsResponse> = {
  request: 'GET /api/systems',
  access: 'anybody',
  status: 200,
  answer: systemsResponse,
}

export const readSystem: Route<SystemResponse, { path: 'system_id' }> = {
  request: 'GET /api/systems/:system_id',
  access: 'anybody',
  status: 200,
  answer: systemResponse,
}

export const readBodies: Route<
  BodiesResponse,
  { path: 'system_id'; query: { readonly at?: Timestamp } }
> = {
  request: 'GET /api/systems/:system_id/bodies',
  access: 'anybody',
  status: 200,
  answer: bodiesResponse,
}

export const readSky: Route<SkyResponse, { path: 'system_id'; query: SkyQuery }> = {
  request: 'GET /api/systems/:system_id/sky',
  access: 'anybody',
  status: 200,
  answer: skyResponse,
}

export const readEphemeris: Route<EphemerisResponse, { path: 'system_id'; query: EphemerisQuery }> =
  {
    request: 'GET /api/systems/:system_id/ephemeris',
    access: 'anybody',
    status: 200,
    answer: ephemerisResponse,
  }

export const readCheckpoints: Route<
  CheckpointsResponse,
  { path: 'system_id'; query: CheckpointsQuery }
> = {
  request: 'GET /api/systems/:system_id/checkpoints',
  access: 'anybody',
  status: 200,
  answer: checkpointsResponse,
}

export const listShipClasses: Route<ShipClassesResponse> = {
  request: 'GET /api/ship-classes',
  access: 'anybody',
  status: 200,
  answer: shipClassesResponse,
}
