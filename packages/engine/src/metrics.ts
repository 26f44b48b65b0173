import {
  type Drift,
  FROZEN,
  type Integration,
  type MassiveState,
  NODE_SECONDS,
  anchorAt,
  driftAt,
} from '@orrery/sim'
import type { Canary, CanaryReport } from './canary.ts'
import type { PhaseTimes, PhaseWatch } from './monitor.ts'
import type { Pool, PoolStatus } from './pool.ts'
import type { Schedule } from './schedule.ts'
import { type World, nodeOf } from './world.ts'

const DAY_SECONDS = 86_400

/** How well one system's massive bodies keep what they must keep. */
export interface SystemDrift {
  readonly systemId: string
  /** signed relative residuals at the last anchor at or before the published index */
  readonly energy: number
  readonly momentum: number
  /** their change from there to the newest anchor, up to 16 days ahead, per day of game time */
  readonly energyPerDay: number
  readonly momentumPerDay: number
  /** by how much the barycentre's velocity has changed since the world was loaded [m/s] */
  readonly barycentreSpeed: number
}

/** What operators watch. */
export interface EngineMetrics {
  readonly systems: readonly SystemDrift[]
  readonly frozenShips: number
  readonly canary: CanaryReport
  readonly workers: PoolStatus
  readonly ticksDropped: number
  /** of the last tick */
  readonly phases: PhaseTimes
}

type Triple = readonly [number, number, number]

/** Prepares to read a world's metrics; the barycentres' velocities are measured from now on. */
export function metricsReader(
  world: World,
  pool: Pool,
  canary: Canary,
  schedule: Schedule,
  phases: PhaseWatch,
): () => EngineMetrics {
  const starts = world.integrations.map((integration) =>
    barycentreVelocity(integration, anchorAt(integration, nodeOf(world.index))),
  )
  return () => ({
    systems: world.integrations.map((integration, i) =>
      systemDrift(integration, nodeOf(world.index), starts[i]),
    ),
    frozenShips: frozenShips(world),
    canary: canary.report(),
    workers: pool.status(),
    ticksDropped: schedule.dropped,
    phases: phases.times,
  })
}

/** The signed residual of the system that keeps it worst, at the published index. */
export function worstDrift(world: World, name: keyof Drift): number {
  const node = nodeOf(world.index)
  return world.integrations
    .map((integration) => driftAt(integration, node)[name])
    .reduce((worst, value) => (Math.abs(value) > Math.abs(worst) ? value : worst), 0)
}

function systemDrift(integration: Integration, node: number, start: Triple): SystemDrift {
  const { system, head } = integration
  const anchor = anchorAt(integration, node)
  const newest = anchorAt(integration, head.node)
  const now = driftAt(integration, node)
  const then = driftAt(integration, head.node)
  const days = ((newest.node - anchor.node) * NODE_SECONDS) / DAY_SECONDS
  const perDay = (change: number): number => (days > 0 ? change / days : 0)
  const velocity = barycentreVelocity(integration, anchor)
  return {
    systemId: system.id,
    energy: now.energy,
    momentum: now.momentum,
    energyPerDay: perDay(then.energy - now.energy),
    momentumPerDay: perDay(then.momentum - now.momentum),
    barycentreSpeed: Math.hypot(...velocity.map((value, axis) => value - start[axis])),
  }
}

/** Rounds off at some 3e-15 m/s in the solar system. */
function barycentreVelocity({ system }: Integration, { v, vLow }: MassiveState): Triple {
  const sum: [number, number, number] = [0, 0, 0]
  let total = 0
  for (const [body, { gm }] of system.bodies.entries()) {
    total += gm
    for (let axis = 0; axis < 3; axis++) {
      sum[axis] += gm * (v[3 * body + axis] + vLow[3 * body + axis])
    }
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total]
}

/** Ships that no longer fly because their numbers broke. */
function frozenShips(world: World): number {
  const { condition } = world.state.ships
  let frozen = 0
  for (let at = condition.indexOf(FROZEN); at >= 0; at = condition.indexOf(FROZEN, at + 1)) frozen++
  return frozen
}
