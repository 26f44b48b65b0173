import { type ManeuverEvent, type Pool, type World, systemClock } from '@orrery/engine'
import type { GameConfig, GameLog } from '../game-config.ts'
import type { GameRecords } from '../game-records.ts'
import { openEra } from './era.ts'
import { recoverWorld } from './recovery.ts'
import { type OpenedWorld, begun, newWorld } from './stored-world.ts'

export interface WorldOpeningOptions {
  readonly records: GameRecords
  /** a world made while the database was, to be taken when none is stored */
  readonly prepared: World | undefined
  readonly config: Pick<GameConfig, 'shipsMax'>
  readonly logger: GameLog
  readonly createPool: (world: World) => Pool
}

/** A world that is ready to tick, and what flies it. */
export interface ReadyWorld extends OpenedWorld {
  readonly pool: Pool
  /** wall time that the next start would need to catch up */
  readonly caughtUpMs: number
  /** what happened in maneuvers while it caught up; some of it is in the log already */
  readonly events: readonly ManeuverEvent[]
}

/**
 * The world as it was last published, or a new one. Where a digest differs from the stored one,
 * the world continues in a new era; the previous one stays as evidence.
 *
 * @throws {RecoveryError}
 */
export async function openWorld(options: WorldOpeningOptions): Promise<ReadyWorld> {
  const { records, prepared, config, logger, createPool } = options
  const { snapshots, journal, kept, auditTrail } = records
  const { era, worldSeed: seed } = kept.settings
  const { shipsMax } = config
  const events: ManeuverEvent[] = []
  const onManeuver = (event: ManeuverEvent): unknown => events.push(event)
  const recovery = { snapshots, journal, era, shipsMax, createPool, onManeuver, logger }
  const recovered = await recoverWorld(recovery)
  if (!recovered) {
    const opened = begun(prepared ?? (await newWorld(systemClock, { seed, shipsMax })), systemClock)
    await openEra(records, opened, { era, reason: 'new' })
    return { ...opened, pool: createPool(opened.world), caughtUpMs: 0, events }
  }
  const { mismatches, ...opened } = recovered
  if (mismatches.length === 0) return { ...opened, events }
  for (const mismatch of mismatches) {
    logger.fatal({ era, ...mismatch }, 'the world did not come out as it was kept')
  }
  const next = era + 1
  await openEra(records, opened, { era: next, reason: 'mismatch' })
  const detail = { era, digests: mismatches.length, next_era: next }
  await auditTrail.record({ action: 'digest_mismatch', detail })
  return { ...opened, caughtUpMs: 0, events }
}
