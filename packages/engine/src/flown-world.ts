import { type Canary, type CanaryMismatch, createCanary } from './canary.ts'
import { type DriftWatch, watchDrift } from './drift-watch.ts'
import type { Pool } from './pool.ts'
import type { WallClock } from './wall-clock.ts'
import type { World } from './world.ts'

/** A world with what flies and watches it; replaced as a whole. */
export interface FlownWorld {
  readonly world: World
  readonly pool: Pool
  readonly canary: Canary
  readonly drift: DriftWatch
}

/** @param onMismatch  told when a chunk was flown twice and its bits differ */
export function flownWorld(
  world: World,
  pool: Pool,
  clock: WallClock,
  onMismatch: (mismatch: CanaryMismatch) => void,
): FlownWorld {
  return {
    world,
    pool,
    canary: createCanary(world, pool, clock, onMismatch),
    drift: watchDrift(world),
  }
}
