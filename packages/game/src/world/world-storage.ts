import {
  type Engine,
  type Pool,
  type WallClock,
  type Universe,
  allShips,
  errorText,
  executeCommand,
  imageClock,
  publishedUtc,
  universeImage,
} from '@orrery/engine'
import { PHYSICS } from '@orrery/sim'
import {
  type NewAccount,
  type Settings,
  type SnapshotKind,
  accounts as accountRecords,
  factoryReset,
} from '@orrery/store'
import type { GameConfig } from '../game-config.ts'
import type { JournalWriter } from '../journal/journal-writer.ts'
import { environmentAdmin } from '../accounts/environment-admin.ts'
import { DEFAULT_SETTINGS, type KeptSettings } from './kept-settings.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { asRefusal, refusal } from '../refusal.ts'
import { untilKnown } from '../until-known.ts'
import { type SerialQueue, createSerialQueue } from '../serial-queue.ts'
import { openEra } from './era.ts'
import { type RestorePreview, restorePreview } from './restore-preview.ts'
import {
  type Retention,
  type RetentionOptions,
  type StoredWorld,
  createRetention,
} from './retention.ts'
import type { SnapshotSchedule } from './snapshot-schedule.ts'
import {
  type OpenedUniverse,
  begun,
  newUniverse,
  openStored,
  reconciliation,
  sequencesOf,
  storeUniverse,
} from './stored-universe.ts'

/** Interval of the checks whether a snapshot is due. */
const LOOK_MS = 1000

/** Tick and game time of a world. */
export interface WorldMoment {
  readonly tick: number
  readonly gameTimeMs: number
}

/** A stored world, and what its restore would undo. */
export interface StoredPreview extends StoredWorld {
  readonly undoes: RestorePreview
}

/** Stores the running world, and replaces it. */
export interface WorldStorage {
  /** stores the world as it is published now */
  snapshot(): Promise<WorldMoment & { readonly id: number }>
  /** stored worlds, newest first; those an admin asked for, or all but backups */
  list(which: 'admin' | 'all'): Promise<StoredWorld[]>
  /** Deletes a stored world; false when it is unknown. @throws {Refusal} 409 E003 when needed */
  remove(id: number): Promise<boolean>
  /** what a restore of a stored world would undo; undefined as for `restore` */
  preview(id: number): Promise<StoredPreview | undefined>
  /**
   * Goes on from a stored world: accounts and settings stay, every account with a ship has one.
   * Undefined when there is no such snapshot, or it is damaged.
   */
  restore(id: number): Promise<WorldMoment | undefined>
  /**
   * Puts everything aside as a backup and begins again: a new world, no account but the
   * environment's admin.
   *
   * @throws {Refusal} 400 E003 when the environment names no admin
   */
  reset(): Promise<WorldMoment & { readonly backupId: string }>
  /** stores the world now and then */
  start(): void
  /** waits for what runs, ends the journal, and stores the world for the next start */
  stop(): Promise<void>
}

export interface WorldStorageOptions extends RetentionOptions {
  readonly engine: Engine
  readonly kept: KeptSettings
  readonly journal: Pick<JournalWriter, 'durable' | 'atRest' | 'stop'>
  readonly schedule: SnapshotSchedule
  readonly config: GameConfig
  readonly passwords: Passwords
  readonly clock: WallClock
  /** work in it excludes account changes */
  readonly accountQueue: SerialQueue
  readonly createPool: (universe: Universe) => Pool
  /** drops the waiting events of the present world before it is deleted */
  readonly discardEvents: () => Promise<void>
  readonly onReplaced: (kind: 'restored' | 'reset') => void
  readonly onError: (error: unknown) => void
}

export function createWorldStorage(given: WorldStorageOptions): WorldStorage {
  const { engine, snapshots, kept, journal, schedule, accountQueue, onError } = given
  const { settings } = kept
  const enqueue = createSerialQueue()
  const stopping = new AbortController()
  const retention = createRetention(given, stopping.signal)
  const options: Replacing = {
    ...given,
    onAway: (error) => {
      onError(error)
      stopping.signal.throwIfAborted()
    },
  }

  const store = async (kind: SnapshotKind): Promise<WorldMoment & { readonly id: number }> => {
    const { era } = settings
    schedule.begun()
    const image = await engine.image()
    const { header } = image
    const durable = (): Promise<void> => journal.durable(sequencesOf(header))
    const createdAt = new Date(given.clock.utcMs())
    const id = await storeUniverse(snapshots, image, { era, kind, durable, createdAt })
    const [first] = header.worlds
    return { id, tick: first.tick, gameTimeMs: publishedUtc(imageClock(first)) }
  }

  /** Stores what the next start opens, in the place of older ones; never a world that broke. */
  const keep = async (kind: 'automatic' | 'stop'): Promise<void> => {
    if (engine.status().faulted) return
    await store(kind)
    await retention.prune()
  }

  /** No command is taken, no account changes and no tick runs while a world is put in place. */
  const replacing = <Result>(work: () => Promise<Result>): Promise<Result> =>
    enqueue(() => accountQueue(() => engine.atRest(() => journal.atRest(work))))

  return {
    snapshot: () => enqueue(() => store('admin')),
    list: async (which) =>
      (await retention.list()).filter(({ kind }) => which === 'all' || kind === which),
    remove: (id) => enqueue(() => retention.remove(id)),
    preview: (id) => preview(options, retention, id),
    restore: async (id) => {
      const opened = await storedWorld(options, id)
      return opened && replacing(() => restoreWorld(options, opened))
    },
    reset: async () => {
      const beginning = await newBeginning(options)
      return replacing(() => resetWorld(options, beginning, async () => (await store('backup')).id))
    },
    start: () => {
      const keepOne = (): Promise<void> => enqueue(() => keep('automatic')).catch(onError)
      keepWhenDue(stopping.signal, schedule, keepOne)
    },
    stop: async () => {
      stopping.abort()
      await enqueue(async () => {
        await engine.stop()
        await journal.stop()
        await keep('stop')
      })
    },
  }
}

/** Stores the world now and then; while the database is away one waits, not one for each time. */
function keepWhenDue(
  stopping: AbortSignal,
  schedule: SnapshotSchedule,
  keep: () => Promise<void>,
): void {
  let isKeeping = false
  const timer = setInterval(() => {
    if (isKeeping || !schedule.isDue()) return
    isKeeping = true
    void keep().finally(() => {
      isKeeping = false
    })
  }, LOOK_MS)
  stopping.addEventListener('abort', () => clearInterval(timer))
}

/** A stored world, opened; undefined when the id is unknown or the snapshot is damaged. */
async function storedWorld(
  { snapshots, config }: WorldStorageOptions,
  id: number,
): Promise<OpenedUniverse | undefined> {
  const stored = await snapshots.byId(id)
  if (!stored || stored.kind === 'backup') return undefined
  return openStored(stored, config).catch((error: unknown) => {
    throw refusal('E008', `Snapshot ${id} does not open: ${errorText(error)}`)
  })
}

async function preview(
  options: WorldStorageOptions,
  retention: Pick<Retention, 'list'>,
  id: number,
): Promise<StoredPreview | undefined> {
  const { engine, sql } = options
  const opened = await storedWorld(options, id)
  const summary = (await retention.list()).find((one) => one.id === id)
  if (!opened || !summary) return undefined
  const accounts = await accountRecords(sql).list()
  const present = { universe: engine.universe, ...engine.status() }
  const stored = { ...opened, ...momentOf(opened) }
  return { ...summary, undoes: restorePreview(present, stored, accounts) }
}

/** What replacing a universe takes. */
interface Replacing extends WorldStorageOptions {
  /** called while the outcome of a commit is not known, with the world at rest */
  readonly onAway: (error: unknown) => void
}

async function restoreWorld(options: Replacing, opened: OpenedUniverse): Promise<WorldMoment> {
  const { engine, sql, snapshots, kept, clock } = options
  const named = allShips(engine.universe)
  const names = new Map(Array.from(named, ({ shipId, name }) => [shipId, name]))
  try {
    const commands = reconciliation(opened.universe, await accountRecords(sql).list(), names)
    for (const command of commands) executeCommand(opened.universe, command)
  } catch (error) {
    throw asRefusal(error)
  }
  // Stored before it is entered: a start after a crash finds the era's first world.
  const createdAt = new Date(clock.utcMs())
  const era = { era: kept.settings.era + 1, reason: 'restored', createdAt } as const
  await openEra({ sql, snapshots, kept }, opened, era, options.onAway)
  await enter(options, opened, 'restored')
  return momentOf(opened)
}

/** What a reset begins with. */
interface Beginning {
  readonly admin: NewAccount
  readonly universe: Universe
  readonly settings: Settings
}

async function newBeginning({
  kept,
  config,
  passwords,
  clock,
}: WorldStorageOptions): Promise<Beginning> {
  const admin = await environmentAdmin(passwords, config.admin)
  if (!admin) {
    const message = 'ADMIN_USERNAME and ADMIN_PASSWORD are not set: nobody could log in after it'
    throw refusal('E003', message, 400)
  }
  const { worldSeed, shipsMax } = config
  return {
    admin,
    universe: await newUniverse(clock, { seed: worldSeed, shipsMax }),
    settings: { ...DEFAULT_SETTINGS, worldSeed, era: kept.settings.era + 1 },
  }
}

async function resetWorld(
  options: Replacing,
  { admin, universe, settings }: Beginning,
  storeWorldAside: () => Promise<number>,
): Promise<WorldMoment & { readonly backupId: string }> {
  const { engine, sql, snapshots, kept, clock, discardEvents } = options
  const snapshotId = await storeWorldAside()
  await discardEvents()
  const opened = begun(universe, clock)
  const firstId = await storeUniverse(
    snapshots,
    universeImage(opened.universe, opened.gameClock, opened.tick),
    { era: settings.era, kind: 'automatic', createdAt: new Date(clock.utcMs()) },
  )
  const first = { snapshotId: firstId, physics: PHYSICS }
  const beginning = { snapshotId, first, admin, settings }
  const backupId = await untilKnown(() => factoryReset(sql, beginning), options.onAway)
  kept.adopt(settings)
  engine.switchTimeSync(settings.timeSyncEnabled)
  engine.switchAdaptive(settings.adaptiveTickRate)
  engine.changeTickRate(settings.tickRate)
  engine.changeTimeScale(settings.timeScale)
  await engine.resume()
  await enter(options, opened, 'reset')
  return { ...momentOf(opened), backupId }
}

async function enter(
  { engine, createPool, onReplaced }: WorldStorageOptions,
  opened: OpenedUniverse,
  kind: 'restored' | 'reset',
): Promise<void> {
  await engine.replaceUniverse({ ...opened, pool: createPool(opened.universe) })
  onReplaced(kind)
}

function momentOf({ gameClock, tick }: OpenedUniverse): WorldMoment {
  return { tick, gameTimeMs: publishedUtc(gameClock) }
}
