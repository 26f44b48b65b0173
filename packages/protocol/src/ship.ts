import * as v from 'valibot'
import { displayName } from './display-name.ts'
import { ERRORS } from './errors.ts'
import { type Uuid, uuid } from './identifiers.ts'
import { type Quaternion, type Vec3, quaternion, vec3 } from './vector.ts'

/**
 * A ship as all clients see it: 200 of `GET /api/player/ship`, and each ship of a tick.
 *
 * Positions [m] and velocities [m/s] on ICRF axes: `position` and `velocity` from the system's
 * barycentre, the relative ones from the centre of `reference_body`. `attitude` rotates body axes
 * to inertial axes; `angular_velocity` [rad/s] is in body axes. `thrust_level` is 0-1, fuel and
 * mass [kg], fuel included in the mass; `wheel_saturation` is 0-1 per body axis.
 */
export interface ShipState {
  readonly ship_id: Uuid
  readonly name: string
  readonly system_id: string
  readonly position: Vec3
  readonly velocity: Vec3
  readonly reference_body: string
  readonly relative_position: Vec3
  readonly relative_velocity: Vec3
  readonly attitude: Quaternion
  readonly angular_velocity: Vec3
  readonly thrust_level: number
  readonly fuel: number
  readonly fuel_capacity: number
  readonly mass: number
  readonly wheel_saturation: Vec3
}

const real: v.GenericSchema<number> = v.pipe(v.number(), v.finite())

/** Schema of {@link ShipState}. */
export const shipState: v.GenericSchema<ShipState> = v.object({
  ship_id: uuid,
  name: v.string(),
  system_id: v.string(),
  position: vec3,
  velocity: vec3,
  reference_body: v.string(),
  relative_position: vec3,
  relative_velocity: vec3,
  attitude: quaternion,
  angular_velocity: vec3,
  thrust_level: real,
  fuel: real,
  fuel_capacity: real,
  mass: real,
  wheel_saturation: vec3,
})

/** Schema of a ship's name: trimmed and NFC-normalised, then 3-32 code points. */
export const shipName: v.GenericSchema<string> = displayName(3, 32, ERRORS.E030.meaning)
