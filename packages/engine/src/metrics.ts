import { FROZEN } from '@orrery/sim'
import type { CanaryReport } from './pool/canary.ts'
import type { SystemDrift } from './world/drift-watch.ts'
import type { FlownWorld } from './flown-world.ts'
import type { PhaseTimes } from './time/monitor.ts'
import type { PoolStatus } from './pool/pool.ts'

/** What operators watch beside the engine's status. */
export interface EngineMetrics {
  readonly systems: readonly SystemDrift[]
  readonly frozenShips: number
  /** control commands that wait for their index */
  readonly commandsPending: number
  readonly canary: CanaryReport
  readonly workers: PoolStatus
  readonly ticksDropped: number
  /** of the last tick */
  readonly phases: PhaseTimes
}

/** A reading looks through all ship slots. */
export function engineMetrics(
  { world, pool, canary, drift }: FlownWorld,
  { ticksDropped, phases }: Pick<EngineMetrics, 'ticksDropped' | 'phases'>,
): EngineMetrics {
  return {
    systems: drift.systems(),
    frozenShips: frozenShips(world.state.ships.condition),
    commandsPending: world.intake.pending.length,
    canary: canary.report(),
    workers: pool.status(),
    ticksDropped,
    phases,
  }
}

/** Ships that no longer fly because their numbers broke. */
function frozenShips(condition: Uint8Array): number {
  let frozen = 0
  for (let at = condition.indexOf(FROZEN); at >= 0; at = condition.indexOf(FROZEN, at + 1)) frozen++
  return frozen
}
