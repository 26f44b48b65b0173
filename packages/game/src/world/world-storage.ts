import { errorText } from '@orrery/database'
import { type WallClock, imageClock, publishedUtc } from '@orrery/engine'
import { type Backup, type SnapshotKind, shipOwners } from '@orrery/store'
import type { GameConfig } from '../game-config.ts'
import type { JournalWriter } from '../journal/journal-writer.ts'
import { refusal } from '../refusal.ts'
import { type SerialQueue, createSerialQueue } from '../serial-queue.ts'
import { carriedBackup, lastMigration, packBackup } from './backup-file.ts'
import { type RestorePreview, restorePreview } from './restore-preview.ts'
import {
  type Retention,
  type RetentionOptions,
  type StoredWorld,
  createRetention,
} from './retention.ts'
import type { SnapshotSchedule } from './snapshot-schedule.ts'
import { type OpenedUniverse, openAnew, sequencesOf, storeUniverse } from './stored-universe.ts'
import {
  type ReplacedMoment,
  type ReplacementOptions,
  type WorldMoment,
  momentOf,
  newBeginning,
  resetWorld,
  restoreBackup,
  restoreWorld,
} from './world-replacement.ts'

/** Interval of the checks whether a snapshot is due. */
const LOOK_MS = 1000

/** A stored world, and what its restore would undo. */
export interface StoredPreview extends StoredWorld {
  readonly undoes: RestorePreview
}

type StoredMoment = WorldMoment & { readonly id: number }

/** Which star systems are stored; by default all. */
type SystemSelection = (systemId: string) => boolean

/** Stores the running world, and replaces it. */
export interface WorldStorage {
  /** stores the world as it is published now */
  snapshot(): Promise<StoredMoment>
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
  reset(): Promise<ReplacedMoment>
  /**
   * Stores accounts, settings and the world as it is published now; no account changes meanwhile.
   * The oldest backups that were made so are deleted beyond those to keep.
   */
  backUp(): Promise<Backup>
  /** a backup as a file, with password hashes; undefined when there is no such backup */
  packBackup(backupId: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** false when there is no such backup */
  deleteBackup(backupId: string): Promise<boolean>
  /**
   * Goes on from a backup, with its accounts and settings; the present ones become a backup.
   * Undefined when there is no such backup.
   *
   * @throws {Refusal} E008 when its world does not open
   */
  restoreBackup(backupId: string): Promise<ReplacedMoment | undefined>
  /** stores the world now and then */
  start(): void
  /**
   * Waits for what runs, ends the journal, and stores the world for the next start.
   *
   * @param handOver  gives the world to another process; where it does, none is stored
   */
  stop(handOver?: () => Promise<boolean>): Promise<void>
}

export interface WorldStorageOptions
  extends RetentionOptions, Omit<ReplacementOptions, 'onAway' | 'config' | 'clock'> {
  readonly journal: Pick<JournalWriter, 'durable' | 'atRest' | 'metrics' | 'stop'>
  readonly schedule: SnapshotSchedule
  readonly config: GameConfig
  readonly clock: WallClock
  /** resolves when the events that happened until now are written: no start makes them again */
  readonly eventsWritten: () => Promise<void>
  /** work in it excludes account changes */
  readonly accountQueue: SerialQueue
  readonly onError: (error: unknown) => void
}

export function createWorldStorage(given: WorldStorageOptions): WorldStorage {
  const { engine, snapshots, kept, journal, schedule, accountQueue, eventsWritten, onError } = given
  const enqueue = createSerialQueue()
  const stopping = new AbortController()
  const retention = createRetention(given, stopping.signal)
  const options: ReplacementOptions = {
    ...given,
    onAway: (error) => {
      onError(error)
      stopping.signal.throwIfAborted()
    },
  }

  const store = async (kind: SnapshotKind, isSelected?: SystemSelection): Promise<StoredMoment> => {
    const { era } = kept.settings
    schedule.begun()
    const image = await engine.image(isSelected)
    const { header } = image
    const durable = async (): Promise<void> => {
      await journal.durable(sequencesOf(header))
      await eventsWritten()
    }
    const createdAt = new Date(given.clock.utcMs())
    const id = await storeUniverse(snapshots, image, { era, kind, durable, createdAt })
    const [first] = header.worlds
    return { id, tick: first.tick, gameTimeMs: publishedUtc(imageClock(first)) }
  }
  // Until it is a backup's, a snapshot is one that the schedule may delete.
  const storeWorld = async (): Promise<number> => (await store('automatic')).id

  /** Stores what the next start opens, in the place of older ones; never a world that broke. */
  const keep = async (kind: 'automatic' | 'stop'): Promise<void> => {
    if (engine.status().faulted) return
    await store(kind, goingOn(journal))
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
      const opened = await storedWorld(options, retention, id)
      return opened && replacing(() => restoreWorld(options, opened))
    },
    reset: async () => {
      const beginning = await newBeginning(options)
      return replacing(() => resetWorld(options, beginning, storeWorld))
    },
    ...backupStorage(options, { enqueue, accountQueue, replacing, storeWorld }),
    start: () => {
      const keepOne = (): Promise<void> => enqueue(() => keep('automatic')).catch(onError)
      keepWhenDue(given.clock, stopping.signal, schedule, keepOne)
    },
    stop: async (handOver = async () => false) => {
      stopping.abort()
      await enqueue(async () => {
        await engine.stop()
        await journal.stop()
        if (!(await handOver())) await keep('stop').catch(unlessTaken(onError))
      })
    },
  }
}

/** Another owner may take the world in the moment in which this one ends. */
function unlessTaken(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (Object(error).code !== 'ERR_FENCED') throw error
    onError(error)
  }
}

/** The star systems whose journal goes on. */
function goingOn(journal: Pick<JournalWriter, 'metrics'>): SystemSelection {
  const stopped = new Set(journal.metrics().stopped.map(({ systemId }) => systemId))
  return (systemId) => !stopped.has(systemId)
}

/** How backups are made, deleted and restored. */
function backupStorage(
  options: ReplacementOptions,
  work: {
    readonly enqueue: SerialQueue
    readonly accountQueue: SerialQueue
    readonly replacing: SerialQueue
    readonly storeWorld: () => Promise<number>
  },
): Pick<WorldStorage, 'backUp' | 'packBackup' | 'deleteBackup' | 'restoreBackup'> {
  const { sql, backups, config } = options
  const { enqueue, accountQueue, replacing, storeWorld } = work
  return {
    backUp: () =>
      enqueue(async () => {
        const backup = await accountQueue(async () => backups.create(await storeWorld()))
        await backups.prune({ keep: config.backupsKept })
        return backup
      }),
    // One at a time: a whole world is in memory.
    packBackup: (backupId) =>
      enqueue(async () => {
        const backup = await backups.byId(backupId)
        return backup && packBackup(await carriedBackup(sql, backup), await lastMigration(sql))
      }),
    deleteBackup: (backupId) => enqueue(() => backups.delete(backupId)),
    restoreBackup: async (backupId) => {
      const backup = await backups.byId(backupId)
      const opened = backup && (await backedUpWorld(options, backup))
      return opened && replacing(() => restoreBackup(options, { opened, backupId }, storeWorld))
    },
  }
}

/** Stores the world now and then; while the database is away one waits, not one for each time. */
function keepWhenDue(
  clock: WallClock,
  stopping: AbortSignal,
  schedule: SnapshotSchedule,
  keep: () => Promise<void>,
): void {
  let isKeeping = false
  const look = (): void => {
    cancel = clock.after(LOOK_MS, look)
    if (isKeeping || !schedule.isDue()) return
    isKeeping = true
    void keep().finally(() => {
      isKeeping = false
    })
  }
  let cancel = clock.after(LOOK_MS, look)
  stopping.addEventListener('abort', () => cancel())
}

/** A stored world, opened; undefined when the id is unknown or the snapshot is damaged. */
async function storedWorld(
  { snapshots, config }: ReplacementOptions,
  retention: Pick<Retention, 'list'>,
  id: number,
): Promise<OpenedUniverse | undefined> {
  const isListed = (await retention.list()).some((one) => one.id === id)
  const stored = isListed ? await snapshots.byId(id) : undefined
  if (!stored) return undefined
  return openAnew(stored, config).catch((error: unknown) => {
    throw refusal('E008', `Snapshot ${id} does not open: ${errorText(error)}`)
  })
}

/** @throws {Refusal} */
async function backedUpWorld(
  { snapshots, config }: ReplacementOptions,
  { snapshotId }: Backup,
): Promise<OpenedUniverse> {
  const stored = await snapshots.byId(snapshotId)
  if (!stored) throw refusal('E008', 'The world of this backup is damaged')
  return openAnew(stored, config).catch((error: unknown) => {
    throw refusal('E008', `The world of this backup does not open: ${errorText(error)}`)
  })
}

async function preview(
  options: ReplacementOptions,
  retention: Pick<Retention, 'list'>,
  id: number,
): Promise<StoredPreview | undefined> {
  const { engine, sql } = options
  const opened = await storedWorld(options, retention, id)
  const summary = (await retention.list()).find((one) => one.id === id)
  if (!opened || !summary) return undefined
  const accounts = await shipOwners(sql)
  const present = { universe: engine.universe, ...engine.status() }
  const stored = { ...opened, ...momentOf(opened) }
  return { ...summary, undoes: restorePreview(present, stored, accounts) }
}
