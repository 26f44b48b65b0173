import type { WorldCommand } from '@orrery/engine'
import type { ShipChangeRequest } from '@orrery/protocol'

type AlterShip = Extract<WorldCommand, { kind: 'alter_ship' }>

/** The order to change a ship as a request says. */
export function shipChange(
  shipId: string,
  { altitude, body, fuel, ship_class: shipClass, station_id: station }: ShipChangeRequest,
): AlterShip {
  const stationId = station?.toLowerCase()
  return {
    kind: 'alter_ship',
    shipId,
    ...(shipClass !== undefined && { shipClass }),
    ...(fuel !== undefined && { fuel }),
    ...(stationId !== undefined && { place: { kind: 'station', stationId } }),
    ...(body !== undefined && { place: { kind: 'orbit', body, altitude: altitude ?? NaN } }),
  }
}
