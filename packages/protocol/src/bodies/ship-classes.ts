import type { ShipClass } from '@orrery/sim'
import * as v from 'valibot'
import { shipClassName } from './accounts.ts'
import { type Vec3, vec3 } from '../vector.ts'
import { positive } from '../numbers.ts'
import { type ShipClassOffer, shipClassOffer } from './ship-offers.ts'

/**
 * What ships of a class can do: masses [kg]; thrust [N] at full throttle along `nose` (body axes);
 * exhaust velocities [m/s]; principal moments of inertia [kg m²]; of each reaction wheel the most
 * momentum [N m s] and torque [N m]; lever of the attitude thrusters [m], which unload full wheels;
 * time that orders leave the hull to turn [s]; radius of the hull [m].
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
  readonly turn_seconds: number
  readonly radius: number
}

/** 200 of `GET /api/ship-classes`; the ships of new accounts are of the class `new_ships`. */
export interface ShipClassesResponse {
  readonly new_ships: string
  readonly ship_classes: readonly (ShipClassEntry & ShipClassOffer)[]
}

/** A class as the wire has it. */
export function shipClassEntry(ship: ShipClass): ShipClassEntry {
  const triple = ([x, y, z]: ShipClass['inertia']): Vec3 => ({ x, y, z })
  return {
    name: ship.name,
    dry_mass: ship.dryMass,
    fuel_capacity: ship.fuelCapacity,
    thrust_max: ship.thrustMax,
    exhaust_velocity: ship.exhaustVelocity,
    nose: { x: 1, y: 0, z: 0 },
    inertia: triple(ship.inertia),
    wheel_capacity: triple(ship.wheelCapacity),
    wheel_torque: triple(ship.wheelTorque),
    thruster_arm: ship.thrusterArm,
    thruster_exhaust_velocity: ship.thrusterExhaustVelocity,
    turn_seconds: ship.turnSeconds,
    radius: ship.radius,
  }
}

/** A class as the core takes it. */
export function shipClassOf(entry: Omit<ShipClassEntry, 'nose'>): ShipClass {
  const triple = ({ x, y, z }: Vec3): ShipClass['inertia'] => [x, y, z]
  return {
    name: entry.name,
    dryMass: entry.dry_mass,
    fuelCapacity: entry.fuel_capacity,
    thrustMax: entry.thrust_max,
    exhaustVelocity: entry.exhaust_velocity,
    inertia: triple(entry.inertia),
    wheelCapacity: triple(entry.wheel_capacity),
    wheelTorque: triple(entry.wheel_torque),
    thrusterArm: entry.thruster_arm,
    thrusterExhaustVelocity: entry.thruster_exhaust_velocity,
    turnSeconds: entry.turn_seconds,
    radius: entry.radius,
  }
}

const shipClass = {
  name: v.string(),
  dry_mass: positive,
  fuel_capacity: positive,
  thrust_max: positive,
  exhaust_velocity: positive,
  inertia: vec3,
  wheel_capacity: vec3,
  wheel_torque: vec3,
  thruster_arm: positive,
  thruster_exhaust_velocity: positive,
  turn_seconds: positive,
  radius: positive,
}

/** Schema of a list of classes. */
export const shipClassesList: v.GenericSchema<readonly ShipClassEntry[]> = v.pipe(
  v.array(v.object({ ...shipClass, nose: vec3 })),
  v.minLength(1),
)

export const shipClassesResponse: v.GenericSchema<ShipClassesResponse> = v.object({
  new_ships: v.string(),
  ship_classes: v.pipe(
    v.array(
      v.object({
        ...shipClass,
        nose: vec3,
        ...shipClassOffer,
        home: v.exactOptional(shipClassOffer.home),
      }),
    ),
    v.minLength(1),
  ),
})

/** Classes as an operator gives them. */
export interface ShipClassesFile {
  /** the first when left out */
  readonly new_ships?: string
  readonly ship_classes: readonly (Omit<ShipClassEntry, 'nose'> & Partial<ShipClassOffer>)[]
}

/** The answer of `GET /api/ship-classes` fits, too. */
export const shipClassesFile: v.GenericSchema<unknown, ShipClassesFile> = v.strictObject({
  new_ships: v.exactOptional(v.string()),
  ship_classes: v.array(
    v.strictObject({
      ...shipClass,
      nose: v.exactOptional(v.strictObject({ x: v.literal(1), y: v.literal(0), z: v.literal(0) })),
      title: v.exactOptional(shipClassOffer.title),
      description: v.exactOptional(shipClassOffer.description),
      price: v.exactOptional(shipClassOffer.price),
      takers: v.exactOptional(shipClassOffer.takers),
      home: v.exactOptional(shipClassOffer.home),
    }),
  ),
})

/** Schema of the query of `POST /api/admin/players/:player_id/ship`. */
export const newShipQuery: v.GenericSchema<{ ship_class?: string }, NewShipQuery> = v.object({
  ship_class: v.exactOptional(shipClassName),
})

/** Name of the new ship's class; that of new accounts when left out. */
export interface NewShipQuery {
  readonly ship_class?: string
}
