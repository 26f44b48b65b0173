import {
  type Drift,
  type Integration,
  type MassiveState,
  NODE_SECONDS,
  anchorAt,
  driftAt,
} from '@orrery/sim'
import type { Universe } from './universe.ts'
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

/** Watches how well the massive bodies of all systems keep what they must keep. */
export interface DriftWatch {
  /** signed residuals at the published index, each of the system that keeps it worst */
  worst(): Drift
  systems(): SystemDrift[]
}

type Triple = readonly [number, number, number]

/** The barycentres' velocities are measured from now on. */
export function watchDrift({ worlds }: Universe): DriftWatch {
  const starts = worlds.map(({ integration, index }) =>
    barycentreVelocity(integration, anchorAt(integration, nodeOf(index))),
  )
  let node = -Infinity
  let worst: Drift = { energy: 0, momentum: 0 }
  return {
    // Asked for thousands of times a second; it changes once in 256 s of game time.
    worst: () => {
      if (node !== nodeOf(worlds[0].index)) {
        node = nodeOf(worlds[0].index)
        worst = { energy: worstOf(worlds, 'energy'), momentum: worstOf(worlds, 'momentum') }
      }
      return worst
    },
    systems: () =>
      worlds.map(({ integration, index }, i) => systemDrift(integration, nodeOf(index), starts[i])),
  }
}

function worstOf(worlds: readonly World[], name: keyof Drift): number {
  return worlds
    .map(({ integration, index }) => driftAt(integration, nodeOf(index))[name])
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
