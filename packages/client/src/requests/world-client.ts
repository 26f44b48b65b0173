import {
  type JumpgateRequest,
  type JumpgateResponse,
  type JumpgatesResponse,
  type StationRequest,
  type StationResponse,
  type StationsResponse,
  type SystemsResponse,
  type TransferResponse,
  api,
} from '@orrery/protocol'
import type { Call } from './call.ts'

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

export function createWorldClient(call: Call): WorldClient {
  return {
    systems: () => call(api.listSystemsForAdmins),
    ships: {
      transfer: (ship_id, system_id) => call(api.transferShip, { ship_id, system_id }),
    },
    stations: {
      list: () => call(api.listStations),
      create: (station) => call(api.createStation, station),
      remove: (station_id) => call(api.deleteStation, { station_id }),
    },
    jumpgates: {
      list: () => call(api.listJumpgates),
      create: (jumpgate) => call(api.createJumpgate, jumpgate),
      remove: (jumpgate_id) => call(api.deleteJumpgate, { jumpgate_id }),
    },
  }
}
