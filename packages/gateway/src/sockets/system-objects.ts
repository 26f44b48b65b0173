import type { Engine, JumpgateView, StationView } from '@orrery/engine'
import type { JumpgateState, StationState } from '@orrery/protocol'
import { jumpgateState, stationState } from '../wire-views.ts'

/** What stands in a star system besides ships. */
export interface SystemObjects {
  readonly stations: readonly StationState[]
  readonly jumpgates: readonly JumpgateState[]
}

/**
 * What stands in each star system as published, worked out once, when the first system is asked
 * for; to be used up while no tick runs.
 */
export function systemObjects(
  engine: Pick<Engine, 'stations' | 'jumpgates'>,
): (systemId: string) => SystemObjects {
  let stations: StationView[] | undefined
  let jumpgates: JumpgateView[] | undefined
  return (systemId) => ({
    stations: (stations ??= engine.stations())
      .filter((view) => view.systemId === systemId)
      .map(stationState),
    jumpgates: (jumpgates ??= engine.jumpgates())
      .filter((view) => view.systemId === systemId)
      .map(jumpgateState),
  })
}
