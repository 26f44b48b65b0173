import { QUANTA_PER_SECOND } from '../lattice.ts'
import { exponential, logarithm } from '../orbits/exponential.ts'
import type { ShipClass } from '../state/ship-class.ts'

/** Fuel that is left after a burn, at least 0 [kg]. @source Tsiolkovsky's equation */
export function fuelAfterBurn(ship: ShipClass, fuel: number, deltaV: number): number {
  const massAfter = (ship.dryMass + fuel) * exponential(-deltaV / ship.exhaustVelocity)
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

/** Δv of the fuel between two masses [m/s]. */
export function deltaVBetween(ship: ShipClass, before: number, after: number): number {
  return ship.exhaustVelocity * logarithm(before / after)
}

/** Share of a step's fuel by which rounding may miss the end of a burn. */
export const ROUNDING = 1e-9

/** Quanta in which an engine burns some fuel; in the last one it is throttled. */
export function burningQuanta(ship: ShipClass, fuel: number, throttle: number): number {
  const flow = (ship.thrustMax * throttle) / ship.exhaustVelocity
  return Math.floor((fuel / flow) * QUANTA_PER_SECOND * (1 - ROUNDING)) + 1
}
