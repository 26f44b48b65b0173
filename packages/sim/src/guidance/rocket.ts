import type { ShipClass } from '../ships/ship-class.ts'

/** Halvings that bring an exponent below 1 to where the series is exact to the last bit. */
const HALVINGS = 4

/** Terms of the series, whose next is below 2^-53 at 1/16. */
const TERMS = 11

/** e^-x for 0 ≤ x ≤ 1, and far beyond with the relative error of its size. */
function decay(x: number): number {
  let scaled = -x
  for (let i = 0; i < HALVINGS; i++) scaled *= 0.5
  let sum = 1
  for (let term = TERMS; term > 0; term--) sum = 1 + (sum * scaled) / term
  for (let i = 0; i < HALVINGS; i++) sum *= sum
  return sum
}

/** Fuel that is left after a burn, at least 0 [kg]. @source Tsiolkovsky's equation */
export function fuelAfterBurn(ship: ShipClass, fuel: number, deltaV: number): number {
  const massAfter = (ship.dryMass + fuel) * decay(deltaV / ship.exhaustVelocity)
  return Math.max(0, massAfter - ship.dryMass)
}

/** Fuel that is left after so many seconds at a throttle, at least 0 [kg]. */
export function fuelAfterSeconds(
  ship: ShipClass,
  fuel: number,
  throttle: number,
  seconds: number,
): number {
  return Math.max(0, fuel - ((throttle * ship.thrustMax) / ship.exhaustVelocity) * seconds)
}

/** Terms of the series of the logarithm, exact to the last bit up to a mass ratio of 1.5. */
const LOG_TERMS = 11

/** Δv of the fuel between two masses, which differ by a third at most [m/s]. */
export function deltaVBetween(ship: ShipClass, before: number, after: number): number {
  const y = (before - after) / (before + after)
  let sum = 0
  for (let power = 2 * LOG_TERMS - 1; power > 0; power -= 2) sum = 1 / power + sum * y * y
  return 2 * ship.exhaustVelocity * y * sum
}
