import {
  type JumpgateRequest,
  type JumpgateResponse,
  type JumpgatesResponse,
  type StationRequest,
  type StationResponse,
  type StationsResponse,
  type SystemsResponse,
  type TransferResponse,
  jumpgateResponse,
  jumpgatesResponse,
  stationResponse,
  stationsResponse,
  systemsResponse,
  transferResponse,
} from '@orrery/protocol'
import { type AdminRequest, nothing } from './exchange.ts'

/** Star systems, and what is placed in them. */
export interface WorldClient {
  systems(): Promise<SystemsResponse>
  readonly ships: {
    /** moves a ship to another star system, into its spawn orbit there */
    transfer(shipId: string, systemId: string): Promise<TransferResponse>
  }
  readonly stations: {
    list(): Promise<StationsResponse>
    create(station: StationRequest): Promise<StationResponse>
    remove(stationId: string): Promise<void>
  }
  readonly jumpgates: {
    list(): Promise<JumpgatesResponse>
    create(jumpgate: JumpgateRequest): Promise<JumpgateResponse>
    remove(jumpgateId: string): Promise<void>
  }
}

export function createWorldClient(send: AdminRequest): WorldClient {
  return {
    systems: () => send('GET /api/admin/systems', systemsResponse),
    ships: {
      transfer: (shipId, system_id) => {
        const path = `/api/admin/ship/${encodeURIComponent(shipId)}/system`
        return send(`POST ${path}`, transferResponse, { system_id })
      },
    },
    stations: {
      list: () => send('GET /api/admin/stations', stationsResponse),
      create: (station) => send('POST /api/admin/station', stationResponse, station),
      remove: (stationId) =>
        send(`DELETE /api/admin/station/${encodeURIComponent(stationId)}`, nothing),
    },
    jumpgates: {
      list: () => send('GET /api/admin/jumpgates', jumpgatesResponse),
      create: (jumpgate) => send('POST /api/admin/jumpgate', jumpgateResponse, jumpgate),
      remove: (jumpgateId) =>
        send(`DELETE /api/admin/jumpgate/${encodeURIComponent(jumpgateId)}`, nothing),
    },
  }
}
