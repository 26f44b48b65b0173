/** What a hull can do; every ship of a class is built alike. */
export interface ShipClass {
  /** of lower-case letters, digits and `-`, 32 at most */
  readonly name: string
  /** mass without fuel [kg] */
  readonly dryMass: number
  /** fuel the tank holds [kg] */
  readonly fuelCapacity: number
  /** force of the engine along the hull's +x axis at full throttle [N] */
  readonly thrustMax: number
  /** speed at which fuel leaves the engine [m/s] */
  readonly exhaustVelocity: number
  /** principal moments of inertia [kg m²]; constant: fuel sits at the centre of mass */
  readonly inertia: readonly [number, number, number]
  /** most momentum each reaction wheel holds [N m s] */
  readonly wheelCapacity: readonly [number, number, number]
  /** most torque each reaction wheel gives [N m] */
  readonly wheelTorque: readonly [number, number, number]
  /** lever of the attitude thrusters about the centre of mass [m] */
  readonly thrusterArm: number
  /** speed at which fuel leaves the attitude thrusters [m/s] */
  readonly thrusterExhaustVelocity: number
  /** time that orders leave the hull to turn before a burn [s] */
  readonly turnSeconds: number
  /** of a sphere around the hull [m]; no trajectory depends on it */
  readonly radius: number
}

/**
 * The ship every player gets: 20 t dry, 10 t of fuel, 9.7 km/s of Δv at 1 g to 1.5 g: to the Moon
 * and back.
 *
 * Wheels are far stronger than any flown today (an HR16 holds 100 N m s): a hull of this size
 * would take hours to turn with those. Capacity is inertia times 0.05 rad/s, torque reaches
 * that rate in ten seconds. Unloading a full wheel costs about a kilogram of fuel. Half a turn
 * takes 75 s.
 */
export const COURIER: ShipClass = {
  name: 'courier',
  dryMass: 20_000,
  fuelCapacity: 10_000,
  thrustMax: 300_000,
  exhaustVelocity: 24_000,
  inertia: [120_000, 400_000, 420_000],
  wheelCapacity: [6_000, 20_000, 21_000],
  wheelTorque: [600, 2_000, 2_100],
  thrusterArm: 4,
  thrusterExhaustVelocity: 3_000,
  turnSeconds: 100,
  radius: 7.5,
}
