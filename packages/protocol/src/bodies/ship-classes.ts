import * as v from 'valibot'
import { type Vec3, vec3 } from '../vector.ts'
import { positive } from '../numbers.ts'

/**
 * What ships of a class can do: masses [kg]; thrust [N] at full throttle along `nose` (body axes);
 * exhaust velocities [m/s]; principal moments of inertia [kg m²]; of each reaction wheel the most
 * momentum [N m s] and torque [N m]; lever of the attitude thrusters [m], which unload full wheels.
 */
export interface ShipClassEntry {
  readonly name: string
  readonly dry_mass: number
  readonly fuel_capacity: number
  readonly thrust_max: number
  readonly exhaust_velocity: number
  readonly nose: Vec3
  readonly inertia: Vec3
  readonly wheel_capacity: Vec3
  readonly wheel_torque: Vec3
  readonly thruster_arm: number
  readonly thruster_exhaust_velocity: number
}

/** 200 of `GET /api/ship-classes`; every new ship is of the first. */
export interface ShipClassesResponse {
  readonly ship_classes: readonly ShipClassEntry[]
}

export const shipClassesResponse: v.GenericSchema<ShipClassesResponse> = v.object({
  ship_classes: v.array(
    v.object({
      name: v.string(),
      dry_mass: positive,
      fuel_capacity: positive,
      thrust_max: positive,
      exhaust_velocity: positive,
      nose: vec3,
      inertia: vec3,
      wheel_capacity: vec3,
      wheel_torque: vec3,
      thruster_arm: positive,
      thruster_exhaust_velocity: positive,
    }),
  ),
})
