import { type Control, type ShipClass, type WorldState, steadyRateMax } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { unknownBody } from './maneuver-order.ts'

/**
 * Refuses what no ship of a world can do.
 *
 * @throws {EngineError} 'ERR_CONTROL'
 */
export function requirePossible(
  { ship, state }: { readonly ship: ShipClass; readonly state: Pick<WorldState, 'system'> },
  control: Control,
): void {
  const unknown = unknownBody(state.system, control.maneuver ?? control)
  if (unknown !== undefined) {
    throw new EngineError('ERR_CONTROL', `No body ${unknown} in this system.`)
  }
  requireHeldRate(ship, control)
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
