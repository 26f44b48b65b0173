import { type WorldDigest, rounds, takeEvents } from '@orrery/sim'
import { type Canary, type CanaryMismatch, createCanary } from './pool/canary.ts'
import { type DriftWatch, watchDrift } from './world/drift-watch.ts'
import { takeBackOrders } from './commands/intake.ts'
import { logManeuvers } from './maneuvers/maneuver-log.ts'
import type { Pool } from './pool/pool.ts'
import { type ShipNotice, shipNotice } from './views/ship-view.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { World } from './world/world.ts'

/** A world with what flies and watches it; replaced as a whole. */
export interface FlownWorld {
  readonly world: World
  readonly pool: Pool
  readonly canary: Canary
  readonly drift: DriftWatch
  /** of the running tick, or of one that broke; published with the next tick */
  readonly digests: WorldDigest[]
}

/** @param onMismatch  called when a chunk was flown twice and its bits differ */
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
    digests: [],
  }
}

/**
 * Flies all ships to a lattice index, by orders that have been written; where that breaks off,
 * another tick continues. The caller publishes the world there.
 *
 * @param flier  flies the ships of each round
 */
export async function flyWorld(
  world: World,
  flier: Pick<Pool, 'advance'>,
  to: number,
  onDigest?: (digest: WorldDigest) => void,
): Promise<void> {
  const onNext = (digest: WorldDigest): void => {
    world.since = digest.index
    onDigest?.(digest)
  }
  world.settled = Math.max(world.settled, to)
  try {
    for (const { target, meetingOnly } of rounds(world, world.index, to, onNext)) {
      await flier.advance(target, meetingOnly)
    }
  } catch (error) {
    takeBackOrders(world.intake, world.state)
    throw error
  }
}

/**
 * Reads the events of a flight, in order of index and ship, and logs what they mean for maneuvers.
 * Returns how many events found no room in their table.
 */
export function takeUpEvents(world: World, onEvent?: (notice: ShipNotice) => void): number {
  const { events, lost } = takeEvents(world.state)
  for (const event of events) {
    const notice = shipNotice(world, event)
    if (notice) onEvent?.(notice)
  }
  logManeuvers(world, events)
  return lost
}
