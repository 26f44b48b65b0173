import type { Database } from '@orrery/database'
import {
  type Engine,
  type Pool,
  type Universe,
  type WallClock,
  executeCommand,
  publishedUtc,
  universeImage,
} from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import {
  type Backups,
  type NewAccount,
  type Ownership,
  Renewal,
  type Settings,
  type ShipOwner,
  type Snapshots,
  factoryReset,
  serviceShips,
  shipOwners,
} from '@orrery/store'
import { environmentAdmin } from '../accounts/environment-admin.ts'
import type { Passwords } from '../accounts/passwords.ts'
import type { GameConfig } from '../game-config.ts'
import { asRefusal, refusal } from '../refusal.ts'
import { untilKnown } from '../until-known.ts'
import { openEra } from './era.ts'
import { DEFAULT_SETTINGS, type KeptSettings } from './kept-settings.ts'
import {
  type OpenedUniverse,
  type PresentShip,
  begun,
  newUniverse,
  presentShips,
  reconciliation,
  storeUniverse,
} from './stored-universe.ts'

/** What a world was replaced by: a snapshot's, a new one, or a backup's with its accounts. */
export type ReplacementKind = 'restored' | 'reset' | 'backup'

/** Tick and game time of a world. */
export interface WorldMoment {
  readonly tick: number
  readonly gameTimeMs: number
}

/** The world as it is in the place of another, and the backup of what was there. */
export interface ReplacedMoment extends WorldMoment {
  readonly backupId: string
}

export interface ReplacementOptions {
  readonly engine: Engine
  readonly sql: Database['sql']
  readonly snapshots: Snapshots
  readonly backups: Backups
  readonly owner: Ownership
  readonly kept: KeptSettings
  readonly config: GameConfig
  readonly passwords: Passwords
  readonly clock: WallClock
  readonly createPool: (universe: Universe) => Pool
  /** drops the waiting events of the present world before it is deleted */
  readonly discardEvents: () => Promise<void>
  readonly onReplaced: (kind: ReplacementKind) => void
  /** called while the outcome of a commit is not known, with the world at rest */
  readonly onAway: (error: unknown) => void
}

/** Puts a snapshot's world in place; accounts and settings stay. */
export async function restoreWorld(
  options: ReplacementOptions,
  opened: OpenedUniverse,
): Promise<WorldMoment> {
  const { engine, sql, clock, kept } = options
  const present = presentShips(engine.universe)
  reconcile(opened.universe, await shipOwners(sql), present)
  // Stored before it is entered: a start after a crash finds the era's first world.
  const createdAt = new Date(clock.utcMs())
  const era = { era: kept.settings.era + 1, reason: 'restored', createdAt } as const
  await openEra(options, opened, era, options)
  await enter(options, opened, 'restored')
  return momentOf(opened)
}

/**
 * Puts a backup's world, accounts and settings in place.
 *
 * @param storeWorldAside  stores the present world and returns the snapshot's id
 */
export async function restoreBackup(
  options: ReplacementOptions,
  { opened, backupId }: { readonly opened: OpenedUniverse; readonly backupId: string },
  storeWorldAside: () => Promise<number>,
): Promise<ReplacedMoment> {
  const { backups, kept, config, clock, owner, sql } = options
  const owners = [...(await backups.owners(backupId)), ...(await serviceShips(sql).list())]
  reconcile(opened.universe, owners)
  const presentSnapshotId = await storeWorldAside()
  const era = kept.settings.era + 1
  const first = await storeFirst(options, opened, era)
  const now = new Date(clock.utcMs())
  const renewal = new Renewal(owner)
  const restoration = { backupId, era: { ...first, era }, presentSnapshotId, now, renewal }
  const restored = await untilKnown(() => backups.restore(restoration), options)
  renewal.adopt()
  const { worldSeed } = config
  await adopt(options, { ...DEFAULT_SETTINGS, worldSeed, ...restored.settings })
  await enter(options, opened, 'backup')
  return { ...momentOf(opened), backupId: restored.presentBackupId ?? '' }
}

/** What a reset begins with. */
export interface Beginning {
  readonly admin: NewAccount
  readonly universe: Universe
  readonly settings: Settings
}

/** @throws {Refusal} 400 E003 when the environment names no admin */
export async function newBeginning({
  kept,
  config,
  passwords,
  clock,
}: ReplacementOptions): Promise<Beginning> {
  const admin = await environmentAdmin(passwords, config.admin)
  if (!admin) {
    const message = 'ADMIN_USERNAME and ADMIN_PASSWORD are not set: no one could log in after it'
    throw refusal('E003', message, 400)
  }
  const { worldSeed } = config
  return {
    admin,
    universe: await newUniverse(clock, { ...config, seed: worldSeed }),
    settings: { ...DEFAULT_SETTINGS, worldSeed, era: kept.settings.era + 1 },
  }
}

/**
 * Puts a new world in place, without accounts but one.
 *
 * @param storeWorldAside  stores the present world and returns the snapshot's id
 */
export async function resetWorld(
  options: ReplacementOptions,
  { admin, universe, settings }: Beginning,
  storeWorldAside: () => Promise<number>,
): Promise<ReplacedMoment> {
  const { sql, clock, discardEvents, owner } = options
  const snapshotId = await storeWorldAside()
  await discardEvents()
  const opened = begun(universe, clock, options.config)
  const first = await storeFirst(options, opened, settings.era)
  const now = new Date(clock.utcMs())
  const renewal = new Renewal(owner)
  const beginning = { snapshotId, first, admin, settings, now, renewal }
  const backupId = await untilKnown(() => factoryReset(sql, beginning), options)
  renewal.adopt()
  await adopt(options, settings)
  await enter(options, opened, 'reset')
  return { ...momentOf(opened), backupId }
}

/** Gives every account with a ship its ship, and takes ships without an account out. */
function reconcile(
  universe: Universe,
  owners: readonly ShipOwner[],
  present?: ReadonlyMap<string, PresentShip>,
): void {
  try {
    for (const command of reconciliation(universe, owners, present))
      executeCommand(universe, command)
  } catch (error) {
    throw asRefusal(error)
  }
}

async function storeFirst(
  { snapshots, clock }: ReplacementOptions,
  { universe, gameClock, tick }: OpenedUniverse,
  era: number,
): Promise<{ readonly snapshotId: number; readonly physics: number }> {
  const image = universeImage(universe, gameClock, tick)
  const createdAt = new Date(clock.utcMs())
  const snapshotId = await storeUniverse(snapshots, image, { era, kind: 'automatic', createdAt })
  return { snapshotId, physics: PHYSICS }
}

/** Takes over settings that are stored already; the world is at rest. */
async function adopt({ kept, engine }: ReplacementOptions, settings: Settings): Promise<void> {
  kept.adopt(settings)
  engine.switchTimeSync(settings.timeSyncEnabled)
  engine.switchAdaptive(settings.adaptiveTickRate)
  engine.changeTickRate(settings.tickRate)
  engine.changeTimeScale(settings.timeScale)
  await engine.resume()
  if (settings.paused) await engine.pause()
}

async function enter(
  { engine, createPool, onReplaced }: ReplacementOptions,
  opened: OpenedUniverse,
  kind: ReplacementKind,
): Promise<void> {
  await engine.replaceUniverse({ ...opened, pool: createPool(opened.universe) })
  onReplaced(kind)
}

export function momentOf({ gameClock, tick }: OpenedUniverse): WorldMoment {
  return { tick, gameTimeMs: publishedUtc(gameClock) }
}
