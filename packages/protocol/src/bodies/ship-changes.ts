/** What operators and shipyards change of a ship. */
import * as v from 'valibot'
import { type Uuid, uuid } from '../identifiers.ts'
import { shipClassName } from './accounts.ts'

/**
 * Changes of a ship: its class; its fuel [kg]; its place, 1 to 5 km behind a station, or on a
 * circular equatorial orbit about a body, `altitude` [m] above its mean radius.
 */
export interface ShipChangeRequest {
  readonly ship_class?: string
  readonly fuel?: number
  readonly station_id?: Uuid
  readonly body?: string
  readonly altitude?: number
}

const finite = (field: string): v.GenericSchema<number> =>
  v.pipe(v.number(`${field} must be a number`), v.finite(`${field} must be finite`))

/** Schema of {@link ShipChangeRequest}; something must be changed, to one place at most. */
export const shipChangeRequest: v.GenericSchema<ShipChangeRequest> = v.pipe(
  v.strictObject({
    ship_class: v.exactOptional(shipClassName),
    fuel: v.exactOptional(finite('fuel')),
    station_id: v.exactOptional(uuid),
    body: v.exactOptional(v.pipe(v.string(), v.nonEmpty('body must be a name'))),
    altitude: v.exactOptional(finite('altitude')),
  }),
  v.check(
    (change) => Object.keys(change).length > 0,
    'ship_class, fuel, station_id or body is needed',
  ),
  v.check(({ altitude, body, station_id: station }) => {
    return (body === undefined) === (altitude === undefined) && !(station && body)
  }, 'A place is either a station_id, or a body and an altitude'),
)

/** Body of `PUT /api/player/ship/class`. */
export interface OwnClassRequest {
  readonly ship_class: string
}

/** Body of `POST /api/player/ships`; the class is that of new accounts when left out. */
export interface NewOwnShipRequest {
  readonly ship_class?: string
}

export const newOwnShipRequest: v.GenericSchema<NewOwnShipRequest> = v.object({
  ship_class: v.exactOptional(shipClassName),
})

export const ownClassRequest: v.GenericSchema<OwnClassRequest> = v.object({
  ship_class: shipClassName,
})
