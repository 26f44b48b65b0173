import { type WorldDigest, rounds } from '@orrery/sim'
import { type Canary, type CanaryMismatch, createCanary } from './canary.ts'
import { type DriftWatch, watchDrift } from './drift-watch.ts'
import { takeBackOrders } from './intake.ts'
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

/** Flies all ships to a lattice index; where that breaks off, another tick goes on. */
export async function flyWorld(
  { world, canary }: FlownWorld,
  to: number,
  onDigest?: (digest: WorldDigest) => void,
): Promise<void> {
  const tellOnce = (digest: WorldDigest): void => {
    world.since = digest.index
    onDigest?.(digest)
  }
  world.settled = Math.max(world.settled, to)
  try {
    for (const { target, meetingOnly } of rounds(world, world.index, to, tellOnce)) {
      await canary.advance(target, meetingOnly)
    }
  } catch (error) {
    takeBackOrders(world.intake, world.state)
    throw error
  }
}
