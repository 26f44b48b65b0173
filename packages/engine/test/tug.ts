import { COURIER, type ShipClass } from '@orrery/sim'

/** A lighter hull with a weaker engine, and fuel for half as long. */
export const TUG: ShipClass = {
  name: 'tug',
  dryMass: 8_000,
  fuelCapacity: 5_000,
  thrustMax: 90_000,
  exhaustVelocity: 12_000,
  inertia: [30_000, 50_000, 40_000],
  wheelCapacity: [1_800, 3_000, 2_400],
  wheelTorque: [200, 320, 260],
  thrusterArm: 2,
  thrusterExhaustVelocity: 2_500,
  turnSeconds: 90,
  radius: 4,
}

export const CLASSES: readonly ShipClass[] = [COURIER, TUG]
