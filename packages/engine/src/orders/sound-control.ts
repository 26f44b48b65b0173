import { type Control, standsAlone } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { maneuverFault } from './maneuver-order.ts'

/** @throws {EngineError} 'ERR_CONTROL' */
export function requireSound(control: Control): void {
  const { pointing, abort, maneuver } = control
  requireSoundBurn(control)
  requireSoundTurn(control)
  if (abort && pointing !== 'rest') throw unsound("A maneuver is aborted by pointing 'rest'.")
  if (standsAlone(control) && Object.keys(control).length > 1) {
    throw unsound('A maneuver and undocking exclude other controls.')
  }
  if (!maneuver) return
  const fault = maneuverFault(maneuver)
  if (fault !== undefined) throw unsound(fault)
}

function requireSoundTurn(control: Control): void {
  const { attitude = [1, 0, 0, 0], angularRate = [0, 0, 0], pointing } = control
  const norm = attitude.reduce((sum, value) => sum + value * value, 0)
  if (!(norm > 0 && norm < Infinity)) {
    throw unsound(`An attitude of [${attitude.join(', ')}] has no direction.`)
  }
  if (!angularRate.every(Number.isFinite)) {
    throw unsound(`A rate of [${angularRate.join(', ')}] is not finite.`)
  }
  if ([control.attitude, pointing, control.angularRate].filter(Boolean).length > 1) {
    throw unsound('An attitude, a pointing and a rate exclude each other.')
  }
  const { target, body, stationId, jumpgateId } = control
  const targets = [target, body, stationId, jumpgateId].filter((place) => place !== undefined)
  if (targets.length !== (pointing === 'target' ? 1 : 0)) {
    throw unsound("Pointing 'target' and one target go together.")
  }
}

function requireSoundBurn({ thrustLevel, deltaV, seconds }: Control): void {
  if (thrustLevel !== undefined && !(thrustLevel >= 0 && thrustLevel <= 1)) {
    throw unsound(`A thrust level of ${thrustLevel} is not between 0 and 1.`)
  }
  const amount = deltaV ?? seconds
  if (amount === undefined) return
  if (!(amount > 0 && amount < Infinity)) throw unsound(`A burn of ${amount} has no end.`)
  if (deltaV !== undefined && seconds !== undefined) {
    throw unsound('A burn has a Δv or a duration, not both.')
  }
  if (!(thrustLevel !== undefined && thrustLevel > 0)) {
    throw unsound('A burn needs a thrust level above 0.')
  }
}

function unsound(message: string): EngineError {
  return new EngineError('ERR_CONTROL', message)
}
