import type { Pointing } from '../state/pointings.ts'
import { plainNode } from './burn-node.ts'
import type { ManeuverOrder } from './maneuver-order.ts'

/** Fields of a control command; absent ones stay unchanged. */
export interface Control {
  /** throttle, 0 to 1 */
  readonly thrustLevel?: number
  /** with a throttle: Δv after which the engine stops [m/s] */
  readonly deltaV?: number
  /** with a throttle: seconds after which it stops, instead */
  readonly seconds?: number
  /** wanted attitude (w, x, y, z), body to inertial; any length but zero */
  readonly attitude?: readonly [number, number, number, number]
  /** what to turn to instead of an attitude */
  readonly pointing?: Pointing
  /** with pointing 'target' one of these: ship number */
  readonly target?: number
  /** body index */
  readonly body?: number
  readonly stationId?: string
  readonly jumpgateId?: string
  /** rate to turn at instead of an attitude, body axes [rad/s] */
  readonly angularRate?: readonly [number, number, number]
  /** whether thrusters unload the wheels from now on */
  readonly unloading?: boolean
  /** with pointing 'rest': ends the maneuver under way, and begins none */
  readonly abort?: true
  /** leaves the station; excludes all others */
  readonly undock?: true
  /** for the autopilot; excludes all others */
  readonly maneuver?: ManeuverOrder
}

/** Whether a control never merges with another. */
export function standsAlone({ maneuver, undock }: Control): boolean {
  return maneuver !== undefined || undock !== undefined
}

/** An attitude, a pointing and a rate exclude each other: the later one counts. */
export function merged(before: Control, after: Control): Control {
  const { thrustLevel, deltaV, seconds, unloading, ...turn } = before
  const engine = after.thrustLevel === undefined ? { thrustLevel, deltaV, seconds } : {}
  const turns = after.attitude || after.pointing !== undefined || after.angularRate
  return { ...engine, unloading, ...(!turns && turn), ...after } as Control
}

/** As it comes back from JSON: fields in one order, none undefined, and no -0. */
export function plainControl(control: Control): Control {
  const { thrustLevel, deltaV, seconds, attitude, pointing, target, ...rest } = control
  const { body, stationId, jumpgateId, angularRate: rate, unloading } = rest
  const { abort, undock, maneuver } = rest
  return {
    ...(thrustLevel !== undefined && { thrustLevel: thrustLevel + 0 }),
    ...(deltaV !== undefined && { deltaV: deltaV + 0 }),
    ...(seconds !== undefined && { seconds: seconds + 0 }),
    ...(attitude && {
      attitude: [attitude[0] + 0, attitude[1] + 0, attitude[2] + 0, attitude[3] + 0] as const,
    }),
    ...(pointing && { pointing }),
    ...(target !== undefined && { target }),
    ...(body !== undefined && { body }),
    ...(stationId !== undefined && { stationId }),
    ...(jumpgateId !== undefined && { jumpgateId }),
    ...(rate && { angularRate: [rate[0] + 0, rate[1] + 0, rate[2] + 0] as const }),
    ...(unloading !== undefined && { unloading }),
    ...(abort && { abort }),
    ...(undock && { undock }),
    ...(maneuver && {
      maneuver: {
        ...maneuver,
        params: maneuver.params.map((value) => value + 0),
        ...(maneuver.nodes && { nodes: maneuver.nodes.map(plainNode) }),
      },
    }),
  }
}

/** Number of the ship that a control's ship watches from then on; 0 for none. */
export function watchedBy({ target, maneuver }: Control): number {
  return target ?? maneuver?.ship ?? 0
}
