/** Star systems, and what is placed in them. */
import {
  type JumpgateRequest,
  type JumpgateResponse,
  type JumpgatesResponse,
  type StationRequest,
  type StationResponse,
  type StationsResponse,
  type SystemsResponse,
  type TransferRequest,
  type TransferResponse,
  jumpgateResponse,
  jumpgatesResponse,
  stationResponse,
  stationsResponse,
  systemsResponse,
  transferResponse,
} from '../bodies/world-objects.ts'
import { type AssignedShipResponse, assignedShipResponse } from '../bodies/accounts.ts'
import type { ShipChangeRequest } from '../bodies/ship-changes.ts'
import { type Route, nothing } from './route.ts'

export const listSystemsForAdmins: Route<SystemsResponse> = {
  request: 'GET /api/admin/systems',
  access: 'admin',
  status: 200,
  answer: systemsResponse,
}

export const transferShip: Route<TransferResponse, { path: 'ship_id'; body: TransferRequest }> = {
  request: 'POST /api/admin/ship/:ship_id/system',
  access: 'admin',
  status: 200,
  answer: transferResponse,
}

export const alterShip: Route<AssignedShipResponse, { path: 'ship_id'; body: ShipChangeRequest }> =
  {
    request: 'POST /api/admin/ship/:ship_id/changes',
    access: 'admin',
    status: 200,
    answer: assignedShipResponse,
  }

export const createStation: Route<StationResponse, { body: StationRequest }> = {
  request: 'POST /api/admin/station',
  access: 'admin',
  status: 200,
  answer: stationResponse,
}

export const listStations: Route<StationsResponse> = {
  request: 'GET /api/admin/stations',
  access: 'admin',
  status: 200,
  answer: stationsResponse,
}

export const deleteStation: Route<void, { path: 'station_id' }> = {
  request: 'DELETE /api/admin/station/:station_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}

export const createJumpgate: Route<JumpgateResponse, { body: JumpgateRequest }> = {
  request: 'POST /api/admin/jumpgate',
  access: 'admin',
  status: 200,
  answer: jumpgateResponse,
}

export const listJumpgates: Route<JumpgatesResponse> = {
  request: 'GET /api/admin/jumpgates',
  access: 'admin',
  status: 200,
  answer: jumpgatesResponse,
}

export const deleteJumpgate: Route<void, { path: 'jumpgate_id' }> = {
  request: 'DELETE /api/admin/jumpgate/:jumpgate_id',
  access: 'admin',
  status: 204,
  answer: nothing,
}
