import { type Round, type WorldDigest, rounds, takeEvents } from '@orrery/sim'
import { type Canary, type CanaryMismatch, createCanary } from './pool/canary.ts'
import { type DriftWatch, watchDrift } from './world/drift-watch.ts'
import { takeBackOrders } from './world/intake.ts'
import { logManeuvers } from './maneuvers/maneuver-log.ts'
import type { Pool } from './pool/pool.ts'
import { type ShipNotice, moduleNotice, shipNotice } from './views/ship-view.ts'
import { firedRules } from './rules/fired-rules.ts'
import type { WallClock } from './time/wall-clock.ts'
import type { Universe } from './world/universe.ts'
import type { World } from './world/world.ts'

/** A universe with what flies and watches it; replaced as a whole. */
export interface FlownUniverse {
  readonly universe: Universe
  readonly pool: Pool
  readonly canary: Canary
  readonly drift: DriftWatch
  /** of the running tick, or of one that broke; published with the next tick */
  readonly digests: SystemDigest[]
}

/** The digest of one star system. */
export interface SystemDigest extends WorldDigest {
  readonly systemId: string
}

/** @param onMismatch  called when a chunk was flown twice and its bits differ */
export function flownUniverse(
  universe: Universe,
  pool: Pool,
  clock: WallClock,
  onMismatch: (mismatch: CanaryMismatch) => void,
): FlownUniverse {
  return {
    universe,
    pool,
    canary: createCanary(universe, pool, clock, onMismatch),
    drift: watchDrift(universe),
    digests: [],
  }
}

/**
 * Flies the ships of some worlds to a lattice index, by the orders that are due; where that breaks
 * off, another call continues. The caller publishes the worlds there.
 *
 * @param worlds  at the places that the flier knows; undefined where none is to be flown
 * @param flier   flies the ships of each round
 */
export async function flyWorlds(
  worlds: readonly (World | undefined)[],
  flier: Pick<Pool, 'advance'>,
  to: number,
  onDigest?: (digest: SystemDigest) => void,
): Promise<void> {
  const flights = worlds.map((world) => world && roundsTo(world, to, onDigest))
  const next = (): (Round | undefined)[] =>
    flights.map((flight) => {
      const { value, done } = flight?.next() ?? { done: true }
      return done ? undefined : value
    })
  try {
    for (let all = next(); all.some(Boolean); all = next()) await flier.advance(all)
  } catch (error) {
    for (const world of worlds) if (world) takeBackOrders(world.intake, world.state)
    throw error
  }
}

function roundsTo(
  world: World,
  to: number,
  onDigest?: (digest: SystemDigest) => void,
): Generator<Round, void> {
  world.settled = Math.max(world.settled, to)
  return rounds(world, world.index, to, (digest) => {
    world.since = digest.index
    onDigest?.({ systemId: world.state.system.id, ...digest })
  })
}

/**
 * Reads the events of a flight, in order of index and ship, and logs what they mean for maneuvers;
 * those of modules follow. Returns how many events found no room in their table.
 */
export function takeUpEvents(world: World, onEvent?: (notice: ShipNotice) => void): number {
  const { events, lost } = world.modules?.takeFlight() ?? takeEvents(world.state)
  const notes = logManeuvers(world, events)
  for (const event of events) {
    const isSample = event.kind === 'maneuver_sample'
    const notice = isSample ? undefined : shipNotice(world, event, notes.get(event))
    if (notice && event.kind !== 'rule') onEvent?.(notice)
    if (!notice || event.kind !== 'rule') continue
    for (const { ruleId, name } of firedRules(world, event)) {
      onEvent?.({ ...notice, rule: { ruleId, name } })
    }
  }
  if (!world.modules) return lost
  const own = world.modules.takeEvents()
  for (const event of own.events) {
    const notice = moduleNotice(world, event)
    if (notice) onEvent?.(notice)
  }
  return lost + own.lost
}
