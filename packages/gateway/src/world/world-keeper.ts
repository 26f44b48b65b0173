import type { Database } from '@orrery/database'
import {
  type Engine,
  type Pool,
  type WallClock,
  type World,
  imageClock,
  publishedUtc,
  worldImage,
} from '@orrery/engine'
import {
  type Settings,
  type SnapshotSummary,
  type Snapshots,
  accounts as accountRecords,
  factoryReset,
} from '@orrery/store'
import type { Config } from '../config.ts'
import { environmentAdmin } from '../accounts/environment-admin.ts'
import { DEFAULT_SETTINGS, type KeptSettings } from './kept-settings.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { asRefusal, refusal } from '../refusal.ts'
import { type InTurn, createTurns } from '../turns.ts'
import {
  type OpenedWorld,
  begun,
  newWorld,
  openStored,
  reconcile,
  storeWorld,
} from './world-keeping.ts'

/** Wall time between two automatic snapshots. */
const SNAPSHOT_MS = 60_000

/** Automatic snapshots that are kept, and as many of clean stops. */
const SNAPSHOTS_KEPT = 2

/** Where a world stands. */
export interface WorldMoment {
  readonly tick: number
  readonly gameTimeMs: number
}

/** Stores the running world, and puts another in its place. */
export interface WorldKeeper {
  /** stores the world as it is published now */
  snapshot(): Promise<WorldMoment & { readonly id: number }>
  /** stored worlds, newest first; those an admin asked for, or all but backups */
  list(which: 'admin' | 'all'): Promise<SnapshotSummary[]>
  /**
   * Goes on from a stored world: accounts and settings stay, every account with a ship has one.
   * Undefined when there is no such snapshot, or it is damaged.
   */
  restore(id: number): Promise<WorldMoment | undefined>
  /**
   * Puts everything aside as a backup and begins again: a new world, no account but the
   * environment's admin.
   *
   * @throws {HttpError} 400 E003 when the environment names no admin
   */
  reset(): Promise<WorldMoment & { readonly backupId: string }>
  /** stores the world now and then */
  start(): void
  /** waits for what runs, and stores the world for the next start */
  stop(): Promise<void>
}

export interface WorldKeeperOptions {
  readonly engine: Engine
  readonly sql: Database['sql']
  readonly snapshots: Snapshots
  readonly kept: KeptSettings
  readonly config: Config
  readonly passwords: Passwords
  readonly clock: WallClock
  /** while it has its turn no account is made or deleted */
  readonly accountTurn: InTurn
  readonly createPool: (world: World) => Pool
  /** lets nothing more of the present world be written, before it is wiped */
  readonly forgetEvents: () => Promise<void>
  readonly onReplaced: (kind: 'restored' | 'reset') => void
  readonly onError: (error: unknown) => void
}

export function createWorldKeeper(options: WorldKeeperOptions): WorldKeeper {
  const { engine, snapshots, kept, accountTurn, onError } = options
  const { settings } = kept
  const inTurn = createTurns()
  let timer: ReturnType<typeof setInterval> | undefined
  let isKeeping = false

  const store = async (
    kind: 'admin' | 'automatic' | 'stop' | 'backup',
  ): Promise<WorldMoment & { readonly id: number }> => {
    const image = await engine.image()
    const { header } = image
    const id = await storeWorld(snapshots, image, { era: settings.era, kind })
    return { id, tick: header.tick, gameTimeMs: publishedUtc(imageClock(header)) }
  }

  /** Stores what the next start opens, in the place of older ones; never a world that broke. */
  const keep = async (kind: 'automatic' | 'stop'): Promise<void> => {
    if (engine.status().faulted) return
    await store(kind)
    await snapshots.prune({ kind, keep: SNAPSHOTS_KEPT })
  }

  return {
    snapshot: () => inTurn(() => store('admin')),
    list: async (which) =>
      which === 'admin'
        ? snapshots.list('admin')
        : (await snapshots.list()).filter(({ kind }) => kind !== 'backup'),
    restore: (id) => inTurn(() => accountTurn(() => restoreWorld(options, id))),
    reset: () =>
      inTurn(() => accountTurn(() => resetWorld(options, async () => (await store('backup')).id))),
    start: () => {
      timer = setInterval(() => {
        // While the database is away one waits, not one for each minute.
        if (isKeeping) return
        isKeeping = true
        inTurn(() => keep('automatic'))
          .catch(onError)
          .finally(() => {
            isKeeping = false
          })
      }, SNAPSHOT_MS)
    },
    stop: async () => {
      clearInterval(timer)
      await inTurn(async () => {
        await engine.stop()
        await keep('stop')
      })
    },
  }
}

async function restoreWorld(
  options: WorldKeeperOptions,
  id: number,
): Promise<WorldMoment | undefined> {
  const { engine, sql, snapshots, kept, config } = options
  const stored = await snapshots.byId(id)
  if (!stored || stored.kind === 'backup') return undefined
  const opened = await openStored(stored, config).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw refusal('E008', `Snapshot ${id} does not open: ${reason}`)
  })
  return engine.atRest(async () => {
    const named = engine.world.roster.byId.values()
    const names = new Map([...named].map(({ shipId, name }) => [shipId, name]))
    const everybody = await accountRecords(sql).list()
    try {
      reconcile(opened.world, everybody, names)
    } catch (error) {
      throw asRefusal(error)
    }
    const era = kept.settings.era + 1
    // Stored before it is entered: a start after a crash finds the era's first world.
    const { world, gameClock, tick } = opened
    await storeWorld(snapshots, worldImage(world, gameClock, tick), { era, kind: 'automatic' })
    await kept.changeSettings({ era })
    await enter(options, opened, 'restored')
    return momentOf(opened)
  })
}

async function resetWorld(
  options: WorldKeeperOptions,
  storeWorldAside: () => Promise<number>,
): Promise<WorldMoment & { readonly backupId: string }> {
  const { engine, sql, snapshots, kept, config, passwords, clock, forgetEvents } = options
  const admin = await environmentAdmin(passwords, config)
  if (!admin) {
    const message = 'ADMIN_USERNAME and ADMIN_PASSWORD are not set: nobody could log in after it'
    throw refusal('E003', message, 400)
  }
  const world = await newWorld(clock, { seed: config.worldSeed, shipsMax: config.shipsMax })
  const fresh: Settings = {
    ...DEFAULT_SETTINGS,
    worldSeed: config.worldSeed,
    era: kept.settings.era + 1,
  }
  return engine.atRest(async () => {
    const snapshotId = await storeWorldAside()
    await forgetEvents()
    const backupId = await factoryReset(sql, { snapshotId, admin, settings: fresh })
    kept.adopt(fresh)
    engine.switchTimeSync(fresh.timeSyncEnabled)
    engine.switchAdaptive(fresh.adaptiveTickRate)
    engine.changeTickRate(fresh.tickRate)
    engine.changeTimeScale(fresh.timeScale)
    await engine.resume()
    const opened = begun(world, clock)
    await enter(options, opened, 'reset')
    await storeWorld(snapshots, await engine.image(), { era: fresh.era, kind: 'automatic' })
    return { ...momentOf(opened), backupId }
  })
}

async function enter(
  { engine, createPool, onReplaced }: WorldKeeperOptions,
  opened: OpenedWorld,
  kind: 'restored' | 'reset',
): Promise<void> {
  await engine.replaceWorld({ ...opened, pool: createPool(opened.world) })
  onReplaced(kind)
}

function momentOf({ gameClock, tick }: OpenedWorld): WorldMoment {
  return { tick, gameTimeMs: publishedUtc(gameClock) }
}
