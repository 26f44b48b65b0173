import { HULL_POINTINGS, type Pointing } from '@orrery/sim'
import * as v from 'valibot'
import { displayName } from './display-name.ts'
import { ERRORS } from './errors.ts'
import { type FailureReason, failureReason } from './failure-reason.ts'
import { type Timestamp, type Uuid, timestamp, uuid } from './identifiers.ts'
import { type TargetFields, targetFields } from './orders/pointing.ts'
import { type Quaternion, type Vec3, quaternion, vec3 } from './vector.ts'
import { real } from './numbers.ts'

/**
 * The orbit that a ship would keep if its reference body alone pulled it, as a point mass: lengths
 * [m], times [s] until the next passage, angles [rad] 0-2π, altitudes above the body's mean radius.
 * What such an orbit does not have is null.
 *
 * Node and inclination count from `plane`: the body's equator, beginning where it rises through
 * that of ICRF; or the ICRF axes of a body without a pole. Without a node the argument counts from
 * there, without a periapsis the anomaly from where the argument would. `semi_major_axis` is
 * negative on a hyperbola.
 *
 * The mean orbit is without what the oblateness of the body moves in each revolution. Its
 * `semi_major_axis` is the mean distance on a circle, and its altitudes of apsides go with that.
 */
export interface OrbitState {
  readonly plane: 'equator' | 'icrf'
  readonly semi_major_axis: number | null
  readonly eccentricity: number
  readonly inclination: number | null
  readonly ascending_node: number | null
  readonly argument_of_periapsis: number | null
  readonly true_anomaly: number | null
  readonly altitude: number
  readonly periapsis_altitude: number
  readonly apoapsis_altitude: number | null
  readonly period: number | null
  readonly time_to_periapsis: number | null
  readonly time_to_apoapsis: number | null
}

/**
 * A maneuver under way since a game time. `element_errors` are what the orbit differs from the
 * wanted one by: `semi_major_axis` as a share of the wanted, `eccentricity` as it is, the angles
 * [rad]. `distance` [m] is that to the target's centre now, `effectivity` of thrust 0-1, `delta_v`
 * [m/s] what was spent so far.
 *
 * What the plan reckons with, null where it does not know: `next_burn_at`, the begin of the
 * scheduled burn; `expected_end`, when the ship arrives, or a circle's only burn is half done; and
 * `expected_delta_v` [m/s] of a transfer or a meeting, from its departure on.
 */
export interface ManeuverState {
  readonly maneuver: string
  readonly phase: string
  readonly status_text: string
  readonly since: Timestamp
  readonly target_id: string | null
  readonly target_body: string | null
  readonly element_errors: Readonly<Record<string, number>> | null
  readonly distance: number | null
  readonly effectivity: number | null
  readonly delta_v: number
  readonly next_burn_at: Timestamp | null
  readonly expected_end: Timestamp | null
  readonly expected_delta_v: number | null
}

/**
 * The last maneuver of a ship, from its end until the next begins: the `phase` in which it ended,
 * and of a failed one the `reason`, in words `status_text`.
 */
export interface LastManeuverState {
  readonly maneuver: string
  readonly outcome: (typeof MANEUVER_OUTCOMES)[number]
  readonly phase: string
  readonly reason: FailureReason | null
  readonly status_text: string | null
  readonly since: Timestamp
  readonly ended_at: Timestamp
  readonly target_id: string | null
  readonly target_body: string | null
}

const MANEUVER_OUTCOMES = ['completed', 'failed', 'aborted'] as const

/**
 * How a ship is steered: what its hull is turned to (`spin`: at a steady rate), whether it is there
 * (`locked`), on its way or turning freely, and at what it points. `burn_delta_v` [m/s] is what a
 * burn with an end still has to spend.
 */
export interface SteeringState extends TargetFields {
  readonly pointing: Pointing | 'spin'
  readonly mode: (typeof MODES)[number]
  readonly wheel_unloading: boolean
  readonly burn_delta_v: number | null
}

const MODES = ['locked', 'turning', 'free'] as const

/**
 * What only a ship's pilot is sent; `docked_at` is the id of a station, `thrust_limit` the part of
 * its thrust that modules leave the ship, 0 up to 1, absent where they leave it all.
 */
export interface PilotState {
  readonly orbit: OrbitState
  readonly mean_orbit: OrbitState
  readonly maneuver: ManeuverState | null
  readonly last_maneuver: LastManeuverState | null
  readonly docked_at: Uuid | null
  readonly steering: SteeringState
  readonly thrust_limit?: number
}

/**
 * A ship as all clients see it, in a tick; the receiver's own has the fields of its pilot.
 *
 * Positions [m] and velocities [m/s] on ICRF axes: `position` and `velocity` from the system's
 * barycentre, the relative ones from the centre of `reference_body`. `attitude` rotates body axes
 * to inertial axes; `angular_velocity` [rad/s] is in body axes. `thrust_level` is 0-1, fuel and
 * mass [kg], fuel included in the mass; `delta_v` [m/s] is what the fuel is good for;
 * `wheel_saturation` is 0-1 per body axis.
 */
export interface ShipState extends Partial<PilotState> {
  readonly ship_id: Uuid
  readonly name: string
  readonly system_id: string
  readonly ship_class: string
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
  readonly delta_v: number
  readonly wheel_saturation: Vec3
}

/** 200 of `GET /api/player/ship`. */
export type OwnShipState = ShipState & PilotState

const realOrNull = v.nullable(real)

const orbit: v.GenericSchema<OrbitState> = v.object({
  plane: v.picklist(['equator', 'icrf']),
  semi_major_axis: realOrNull,
  eccentricity: real,
  inclination: realOrNull,
  ascending_node: realOrNull,
  argument_of_periapsis: realOrNull,
  true_anomaly: realOrNull,
  altitude: real,
  periapsis_altitude: real,
  apoapsis_altitude: realOrNull,
  period: realOrNull,
  time_to_periapsis: realOrNull,
  time_to_apoapsis: realOrNull,
})

const maneuver: v.GenericSchema<ManeuverState> = v.object({
  maneuver: v.string(),
  phase: v.string(),
  status_text: v.string(),
  since: timestamp,
  target_id: v.nullable(v.string()),
  target_body: v.nullable(v.string()),
  element_errors: v.nullable(v.record(v.string(), real)),
  distance: realOrNull,
  effectivity: realOrNull,
  delta_v: real,
  next_burn_at: v.nullable(timestamp),
  expected_end: v.nullable(timestamp),
  expected_delta_v: realOrNull,
})

const lastManeuver: v.GenericSchema<LastManeuverState> = v.object({
  maneuver: v.string(),
  outcome: v.picklist(MANEUVER_OUTCOMES),
  phase: v.string(),
  reason: v.nullable(failureReason),
  status_text: v.nullable(v.string()),
  since: timestamp,
  ended_at: timestamp,
  target_id: v.nullable(v.string()),
  target_body: v.nullable(v.string()),
})

const steering: v.GenericSchema<SteeringState> = v.object({
  pointing: v.picklist(HULL_POINTINGS),
  mode: v.picklist(MODES),
  ...targetFields,
  wheel_unloading: v.boolean(),
  burn_delta_v: realOrNull,
})

const ship = {
  ship_id: uuid,
  name: v.string(),
  system_id: v.string(),
  ship_class: v.string(),
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
  delta_v: real,
  wheel_saturation: vec3,
}

export const shipState: v.GenericSchema<ShipState> = v.object({
  ...ship,
  orbit: v.exactOptional(orbit),
  mean_orbit: v.exactOptional(orbit),
  maneuver: v.exactOptional(v.nullable(maneuver)),
  last_maneuver: v.exactOptional(v.nullable(lastManeuver)),
  docked_at: v.exactOptional(v.nullable(uuid)),
  steering: v.exactOptional(steering),
  thrust_limit: v.exactOptional(real),
})

export const ownShipState: v.GenericSchema<OwnShipState> = v.object({
  ...ship,
  orbit,
  mean_orbit: orbit,
  maneuver: v.nullable(maneuver),
  last_maneuver: v.nullable(lastManeuver),
  docked_at: v.nullable(uuid),
  steering,
  thrust_limit: v.exactOptional(real),
})

/** Schema of a ship's name: trimmed and NFC-normalised, then 3-32 code points. */
export const shipName: v.GenericSchema<string> = displayName(3, 32, ERRORS.E030.meaning)
