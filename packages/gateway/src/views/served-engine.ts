import type { Engine } from '@orrery/engine'

/** An order of a pilot that was accepted: where it acts, and when it is durable. */
export type AcceptedControl = ReturnType<Engine['control']>

type Readings =
  | 'universe'
  | 'whenSettled'
  | 'shipsReleased'
  | 'ship'
  | 'sky'
  | 'stations'
  | 'jumpgates'
  | 'bodies'
  | 'ephemeris'
  | 'systems'
  | 'rules'
  | 'isManeuverDebugged'
  | 'requireReachable'
  | 'status'
  | 'metrics'

/** What clients see and command: the engine of a universe, or a mirror of one elsewhere. */
export interface ServedEngine extends Pick<Engine, Readings | 'execute'> {
  /** As `Engine.steer`; one elsewhere answers once it is durable. */
  steer(...order: Parameters<Engine['control']>): Promise<AcceptedControl>
}
