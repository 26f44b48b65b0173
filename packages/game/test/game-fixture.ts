// The whole game without a network: a real database and real workers, on a clock that moves by
// calls.
import { type Database, migrate, openDatabase } from '@orrery/database'
import {
  Engine,
  type ManeuverEvent,
  type Pool,
  type SystemDigest,
  type Universe,
  type UniverseImage,
  createPool,
  universeImage,
} from '@orrery/engine'
import { migrations } from '@orrery/store'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import type { Applicant } from '../src/accounts/login-queue.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import {
  type AccountChanges,
  type GameConfig,
  type GameRecords,
  type JournalWriter,
  type WorldStorage,
  createAccountChanges,
  createJournalWriter,
  createSnapshotSchedule,
  createSerialQueue,
  createWorldStorage,
  openRecords,
  openUniverse,
} from '../src/index.ts'

export const CONFIG: GameConfig = {
  admin: { username: 'Chief', password: 'password' },
  shipsMax: 256,
  worldSeed: 'seed',
  journalMs: Infinity,
  backupsKept: 2,
}

/** Who logs in under a name. */
export function applicant(username: string): Applicant {
  return { address: '192.0.2.1', username }
}

/** The database of a test file, and how to empty it. */
export async function openGameDatabase(): Promise<{
  readonly database: Database
  readonly empty: () => Promise<unknown>
}> {
  const root = await mkdtemp(join(tmpdir(), 'orrery-game-'))
  const database = await openDatabase({ directory: join(root, 'game'), schema: 'game' })
  await migrate(database, migrations)
  afterAll(async () => {
    await database.close()
    await rm(root, { recursive: true, force: true })
  })
  const empty = async (): Promise<unknown> => database.sql`
    truncate journal, clock, digest, hand_off, era, backup, snapshot, account, setting, audit
    restart identity cascade`
  return { database, empty }
}

export interface TestGame {
  readonly records: GameRecords
  readonly engine: Engine
  readonly journalWriter: JournalWriter
  readonly accountChanges: AccountChanges
  readonly keeper: WorldStorage
  readonly clock: SimulatedClock
  /** the world as it was opened */
  readonly opened: UniverseImage
  /** estimated by the opening [ms] */
  readonly caughtUpMs: number
  readonly replay: Awaited<ReturnType<typeof openUniverse>>['replay']
  /** maneuver events of the opening, and of the ticks since */
  readonly recoveredEvents: readonly ManeuverEvent[]
  readonly events: ManeuverEvent[]
  /** of the ticks */
  readonly digests: SystemDigest[]
  /** written to the log: level, message, details */
  readonly log: [string, string, object][]
  readonly pools: readonly Pool[]
  /** what the world was replaced for, and how often its events were forgotten */
  readonly replacements: string[]
  readonly errors: unknown[]
  readonly fly: (ticks: number) => Promise<void>
  /** ends all threads without writing anything */
  readonly crash: () => Promise<void>
}

export async function openTestGame(
  database: Database,
  changes: Partial<GameConfig> = {},
): Promise<TestGame> {
  const config = { ...CONFIG, ...changes }
  const clock = simulatedClock(Date.now())
  const log: TestGame['log'] = []
  const errors: unknown[] = []
  const onError = (error: unknown): unknown => errors.push(error)
  const write =
    (level: string) =>
    (details: object, message: string): unknown =>
      log.push([level, message, details])
  const logger = { info: write('info'), error: write('error'), fatal: write('fatal') }
  const watched: Parameters<typeof openRecords>[0]['watched'] = (snapshots) => snapshots
  const records = await openRecords({ database, config, logger, watched })
  const pools: Pool[] = []
  const poolOf = (universe: Universe): Pool => {
    const pool = createPool(universe, 1, onError)
    pools.push(pool)
    return pool
  }
  const ready = await openUniverse({
    records,
    prepared: undefined,
    config,
    logger,
    createPool: poolOf,
  })
  const { events: recoveredEvents, caughtUpMs, replay, ...ticked } = ready
  const opened = universeImage(ticked.universe, ticked.gameClock, ticked.tick)
  const { kept } = records
  const journalWriter = createJournalWriter({
    append: (batch) => records.journal.append(batch),
    fence: records.fence,
    clock,
    era: () => kept.settings.era,
    moment: () => engine.clock(),
    onAway: () => undefined,
    onLost: () => undefined,
    onBack: () => undefined,
    onFenced: () => undefined,
    onError,
  })
  const events: ManeuverEvent[] = []
  const digests: SystemDigest[] = []
  const schedule = createSnapshotSchedule(() => clock.monotonicMs(), caughtUpMs)
  const engine: Engine = new Engine({
    ...ticked,
    ...kept.settings,
    clock,
    journal: journalWriter,
    onPublish: () => undefined,
    onDigest: (digest) => {
      digests.push(digest)
      journalWriter.digest(digest)
    },
    onManeuver: (event) => void events.push(event),
    onTick: ({ phases }) => schedule.flown(phases.flight),
    onFault: onError,
  })
  const accountQueue = createSerialQueue()
  const accountChanges = createAccountChanges({
    accounts: records.accounts,
    change: records.changeAccounts,
    engine,
    settled: () => journalWriter.durable(),
    passwords: records.passwords,
    accountQueue,
    isOpen: () => kept.settings.registrationOpen,
  })
  const replacements: string[] = []
  const keeper = createWorldStorage({
    ...records,
    engine,
    config,
    clock,
    journal: journalWriter,
    schedule,
    accountQueue,
    createPool: poolOf,
    discardEvents: async () => void replacements.push('events forgotten'),
    onReplaced: (kind) => replacements.push(kind),
    onError,
  })
  journalWriter.start()
  engine.start()
  const settled = (): Promise<void> => engine.whenSettled(() => undefined)
  return {
    records,
    engine,
    journalWriter,
    accountChanges,
    keeper,
    clock,
    opened,
    caughtUpMs,
    replay,
    recoveredEvents,
    events,
    digests,
    log,
    pools,
    replacements,
    errors,
    fly: async (ticks) => {
      const { tick: start } = engine.status()
      while (engine.status().tick < start + ticks) {
        await clock.advance(1000 / kept.settings.tickRate)
        await settled()
      }
    },
    crash: () => engine.stop(),
  }
}
