import {
  type Control,
  type WorldState,
  shipClassOf,
  steadyRateMax,
  type ShipClass,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { unknownBody } from './maneuver-order.ts'

/**
 * Refuses what the ship in a slot cannot do.
 *
 * @throws {EngineError} 'ERR_CONTROL'
 */
export function requirePossible(
  state: Pick<WorldState, 'system' | 'classes' | 'ships'>,
  slot: number,
  control: Control,
): void {
  const unknown = unknownBody(state.system, control.maneuver ?? control)
  if (unknown !== undefined) {
    throw new EngineError('ERR_CONTROL', `No body ${unknown} in this system.`)
  }
  requireHeldRate(shipClassOf(state, slot), control)
}

/** Refuses what takes an engine, where modules leave the ship no thrust. */
export function requireThrust(
  state: Pick<WorldState, 'classes' | 'ships'>,
  slot: number,
  { maneuver, thrustLevel = 0 }: Control,
): void {
  if ((!maneuver && thrustLevel === 0) || shipClassOf(state, slot).thrustMax > 0) return
  throw new EngineError('ERR_CONTROL', 'The ship has no thrust.')
}

/** No rate is beyond what the wheels hold without being unloaded again and again. */
function requireHeldRate(ship: ShipClass, { angularRate }: Control): void {
  if (!angularRate) return
  for (const axis of [0, 1, 2] as const) {
    const most = steadyRateMax(ship, axis)
    // NaN is not within anything.
    if (Math.abs(angularRate[axis]) <= most) continue
    const message = `A rate of ${angularRate[axis]} rad/s is above ${most}, which wheels hold.`
    throw new EngineError('ERR_CONTROL', message)
  }
}
