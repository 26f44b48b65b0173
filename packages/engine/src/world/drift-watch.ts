import {
  type Drift,
  type Integration,
  type MassiveState,
  NODE_SECONDS,
  anchorAt,
  driftAt,
} from '@orrery/sim'
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

/** Watches how well a world's massive bodies keep what they must keep. */
export interface DriftWatch {
  /** signed residuals at the published index, each of the system that keeps it worst */
  worst(): Drift
  systems(): SystemDrift[]
}

type Triple = readonly [number, number, number]

/** The barycentres' velocities are measured from now on. */
export function watchDrift(world: World): DriftWatch {
  const starts = world.integrations.map((integration) =>
    barycentreVelocity(integration, anchorAt(integration, nodeOf(world.index))),
  )
  let node = -Infinity
  let worst: Drift = { energy: 0, momentum: 0 }
  return {
    // Asked for thousands of times a second; it changes once in 256 s of game time.
    worst: () => {
      if (node !== nodeOf(world.index)) {
        node = nodeOf(world.index)
        worst = { energy: worstOf(world, 'energy'), momentum: worstOf(world, 'momentum') }
      }
      return worst
    },
    systems: () =>
      world.integrations.map((integration, i) =>
        systemDrift(integration, nodeOf(world.index), starts[i]),
      ),
  }
}

function worstOf({ integrations, index }: World, name: keyof Drift): number {
  return integrations
    .map((integration) => driftAt(integration, nodeOf(index))[name])
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
