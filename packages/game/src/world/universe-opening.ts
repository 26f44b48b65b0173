import {
  type ManeuverEvent,
  type Pool,
  type SystemDigest,
  type Universe,
  type WallClock,
  type WorldCommand,
  completeHandOffs,
  universeImage,
} from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import { clockPlan, eraHeads, eras } from '@orrery/store'
import { type CarriedCore, carriedFor } from '../following/carried-core.ts'
import type { PromotedUniverse } from '../following/follower.ts'
import type { GameConfig, GameLog } from '../game-config.ts'
import { type GameRecords, SYSTEM_IDS } from '../game-records.ts'
import { requireHomes } from '../accounts/ship-offers.ts'
import { openEra } from './era.ts'
import { RecoveryError, recoverUniverse } from './recovery.ts'
import {
  type OpenedUniverse,
  begun,
  lackingClasses,
  lackingModules,
  lackingPhysics,
  newUniverse,
  storeUniverse,
} from './stored-universe.ts'

export interface UniverseOpeningOptions {
  readonly records: GameRecords
  /** a universe made while the database was, to be taken when none is stored */
  readonly prepared: Universe | undefined
  /** a universe that was followed, to be taken instead of what is stored */
  readonly promoted?: PromotedUniverse | undefined
  /** flies the journal of an older physics to its end */
  readonly carried?: CarriedCore | undefined
  readonly config: Pick<GameConfig, 'shipsMax' | 'shipClasses' | 'modules' | 'offers'>
  readonly logger: GameLog
  readonly createPool: (universe: Universe) => Pool
  readonly clock: WallClock
  /** where one goes on whose owner was killed: at its last durable clock, or, as by default, now */
  readonly until?: 'durable' | 'now'
}

/** A universe that is ready to tick, and what flies it. */
export interface ReadyUniverse extends OpenedUniverse {
  readonly pool: Pool
  /** wall time that the next start would need to catch up */
  readonly caughtUpMs: number
  /** kept digests that a replay of the journal came to; undefined for a new universe */
  readonly replay: { readonly digests: number; readonly mismatches: number } | undefined
  /** give it the ship classes and modules that it lacks */
  readonly lacking: readonly WorldCommand[]
  /** what happened in maneuvers while it caught up; some of it is in the log already */
  readonly events: readonly ManeuverEvent[]
  /** that are not stored */
  readonly digests: readonly SystemDigest[]
}

/**
 * The universe as it was last published, or a new one. One of another physics is stored again at
 * once, since a journal is replayed only from a universe of its own physics. Where a digest differs
 * from the stored one, it continues in a new era; the previous one stays as evidence.
 *
 * @throws {RecoveryError}
 * @throws {EngineError} 'ERR_SHIP_CLASS' when one of its classes would become another, or has no
 *   possible home
 */
export async function openUniverse(options: UniverseOpeningOptions): Promise<ReadyUniverse> {
  const { promoted, records } = options
  if (promoted?.era === records.kept.settings.era) {
    return promotedUniverse(promoted, options)
  }
  await promoted?.pool.close()
  return openStoredUniverse(options).catch(async (error: unknown) => {
    const physics = error instanceof RecoveryError ? error.physics : undefined
    const carried = carriedFor(options.carried, physics)
    if (!carried) throw error
    options.logger.info({ physics }, 'the core of the release before flies the journal to its end')
    return promotedUniverse(await flownBy(carried, options), options)
  })
}

async function promotedUniverse(
  promoted: PromotedUniverse,
  options: UniverseOpeningOptions,
): Promise<ReadyUniverse> {
  const lacking = await lackingOf(promoted, options.config)
  if (lackingPhysics(promoted).length > 0) await storeAgain(promoted, options)
  // How long a start would fly from the last snapshot is not known.
  return { ...promoted, caughtUpMs: Infinity, replay: undefined, lacking }
}

/** The universe as its journal leaves it, by the physics that it was written with. */
async function flownBy(
  carried: CarriedCore,
  { createPool, until = 'now' }: UniverseOpeningOptions,
): Promise<PromotedUniverse> {
  const ignored = (): void => undefined
  const looks = { onOpened: ignored, onAway: ignored, onBack: ignored }
  const follower = carried.follower({ createPool, ...looks })
  try {
    return await follower.promote(until)
  } finally {
    await follower.close()
  }
}

/** Stores a universe again that an older physics has flown. */
async function storeAgain(
  opened: OpenedUniverse,
  { records: { snapshots, kept } }: UniverseOpeningOptions,
): Promise<void> {
  const image = universeImage(opened.universe, opened.gameClock, opened.tick)
  await storeUniverse(snapshots, image, { era: kept.settings.era, kind: 'automatic' })
}

async function openStoredUniverse(options: UniverseOpeningOptions): Promise<ReadyUniverse> {
  const { records, prepared, config, logger, createPool, clock } = options
  const { sql, snapshots, journal, kept, auditTrail } = records
  const { era, worldSeed: seed } = kept.settings
  const events: ManeuverEvent[] = []
  const onManeuver = (event: ManeuverEvent): unknown => events.push(event)
  const firstId = (await eras(sql).byNumber(era))?.snapshotId ?? 0
  const recovered = await recoverUniverse({
    ...options,
    snapshots,
    journal,
    era,
    firstId,
    shipsMax: config.shipsMax,
    modules: config.modules,
    onManeuver,
    silentSeconds: options.until === 'durable' ? undefined : () => silentSeconds(sql, era),
    plan: () => clockPlan(sql).load(era),
  })
  if (!recovered) {
    const opened = begun(prepared ?? (await newUniverse(clock, { ...config, seed })), clock, config)
    requireHomes(opened.universe, config.offers)
    await openEra(records, opened, { era, reason: 'new' })
    const pool = createPool(opened.universe)
    const nothing = { lacking: [], digests: [], replay: undefined }
    return { ...opened, ...nothing, pool, caughtUpMs: 0, events }
  }
  const { compared, mismatches, physics, ...opened } = recovered
  const lacking = await lackingOf(recovered, config, config.offers)
  const replay = { digests: compared, mismatches: mismatches.length }
  if (physics !== PHYSICS) await storeAgain(opened, options)
  if (mismatches.length === 0) return { ...opened, replay, lacking, events }
  for (const mismatch of mismatches) {
    const { systemId: system, ...digests } = mismatch
    logger.fatal({ era, system, ...digests }, 'the world did not come out as it was kept')
  }
  const next = era + 1
  // Their rows belong to the era that ends.
  completeHandOffs(opened.universe)
  await openEra(records, opened, { era: next, reason: 'mismatch' })
  const detail = { era, digests: mismatches.length, next_era: next }
  await auditTrail.record({ action: 'digest_mismatch', detail })
  return { ...opened, digests: [], caughtUpMs: 0, replay, lacking, events }
}

/** Wall time since an era's clock was written last. */
async function silentSeconds(sql: GameRecords['sql'], era: number): Promise<number> {
  const sequences = Object.fromEntries(SYSTEM_IDS.map((systemId) => [systemId, 0]))
  const known = { era, snapshotId: 0, physics: PHYSICS, sequences }
  const { systems } = await eraHeads(sql, known)
  return Math.min(...systems.map(({ ageSeconds }) => ageSeconds))
}

/**
 * The commands that give it what it lacks; the pool ends where a class would change.
 *
 * @param offers  whose homes are checked: one that takes over goes on without a home
 */
async function lackingOf(
  recovered: OpenedUniverse & { readonly pool: Pool },
  config: UniverseOpeningOptions['config'],
  offers?: GameConfig['offers'],
): Promise<readonly WorldCommand[]> {
  try {
    requireHomes(recovered.universe, offers)
    const classes = lackingClasses(recovered, config)
    return [
      ...lackingPhysics(recovered),
      ...classes.map((shipClass) => ({ kind: 'add_ship_class', shipClass }) as const),
      ...lackingModules(recovered, config),
    ]
  } catch (error) {
    await recovered.pool.close()
    throw error
  }
}
