// The whole game without a network: a real database, and real workers once a ship flies, on a clock
// that moves by calls.
import type { Bus } from '@orrery/bus'
import type { Database } from '@orrery/database'
import {
  Engine,
  type ManeuverEvent,
  type Pool,
  type SystemDigest,
  type Universe,
  type UniverseImage,
  createGameClock,
  createPool,
  systemClock,
  universeImage,
  inside,
  openedInside,
} from '@orrery/engine/testing'
import { advanceChunk } from '@orrery/sim'
import {
  type Account,
  type NewSnapshot,
  accounts,
  claimSystems,
  migrations,
  snapshots,
} from '@orrery/store'
import { type SimulatedClock, deleteAll, openFreshDatabase, simulatedClock } from '@orrery/testkit'
import type { Applicant } from '../src/accounts/login-queue.ts'
import { setTimeout } from 'node:timers/promises'
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
import { createRowStream } from '../src/streaming/row-stream.ts'
import { newUniverse, openStored } from '../src/world/stored-universe.ts'

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

const TABLES = [
  'journal',
  'clock',
  'digest',
  'hand_off',
  'era',
  'backup',
  'snapshot',
  'account',
  'setting',
  'audit',
]

/** The database of a test file, and how to empty it. */
export async function openGameDatabase(): Promise<{
  readonly database: Database
  readonly empty: () => Promise<void>
}> {
  const database = await openFreshDatabase({ schema: 'game', migrations })
  afterAll(() => database.close())
  const { sql } = database
  const empty = async (): Promise<void> => {
    // What a game before is still writing is refused from now on.
    await claimSystems(sql)
    await deleteAll(sql, TABLES)
    await sql`
      select setval(pg_get_serial_sequence('snapshot', 'id'), 1, false),
        setval(pg_get_serial_sequence('audit', 'id'), 1, false)`
  }
  return { database, empty }
}

/** The admin of the environment, from the first game of this process: a hash takes a while. */
let firstAdmin: Account | undefined

type MadeWorld = Pick<NewSnapshot, 'lattice' | 'header' | 'bytes'>

let madeWorld: Promise<MadeWorld> | undefined

/** A copy of a universe that this process makes once: its ephemeris takes half a second. */
async function preparedUniverse(config: GameConfig): Promise<Universe> {
  madeWorld ??= made(config)
  return inside((await openStored(await madeWorld, config)).universe)
}

async function made({ shipsMax, worldSeed: seed }: GameConfig): Promise<MadeWorld> {
  const universe = inside(await newUniverse(systemClock, { seed, shipsMax }))
  const [{ index: lattice }] = universe.worlds
  const { header, bytes } = universeImage(universe, createGameClock(lattice), 0)
  return { lattice, header: JSON.parse(JSON.stringify(header)), bytes }
}

/** A pool of one thread, which starts when it is used first: many worlds are replaced before. */
export function latePool(universe: Universe, onError: (error: unknown) => void): Pool {
  let started: Pool | undefined
  const pool = (): Pool => (started ??= createPool(universe, 1, onError))
  return {
    advance: (rounds) => pool().advance(rounds),
    takeFrozen: () => pool().takeFrozen?.() ?? [],
    status: () => pool().status(),
    get archive() {
      return pool().archive
    },
    close: async () => started?.close(),
  }
}

/** Flies all ships on this thread, for tests of what is around the pool. */
export function callingThread({ worlds }: Universe): Pool {
  return {
    advance: async (rounds) => {
      for (const [place, round] of rounds.entries()) {
        if (!round) continue
        const { state, flight } = worlds[place]
        for (let chunk = 0; chunk < state.chunks; chunk++) {
          advanceChunk(flight, chunk, round.target)
        }
      }
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: async () => undefined,
  }
}

/** Works while all that write a table wait; a promise is returned in an object. */
export function held<Result>(
  sql: Database['sql'],
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (transaction) => {
    await transaction`lock table ${transaction(table)} in share mode`
    return work()
  }) as Promise<Result>
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(2)
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

export interface TestGameConfig extends GameConfig {
  /** where ships fly */
  readonly createPool: (universe: Universe, onError: (error: unknown) => void) => Pool
  /** on which rows and watermarks are published */
  readonly bus?: Pick<Bus, 'publish'>
  /** before a batch is written */
  readonly beforeWrite?: () => Promise<void>
  /** where a world goes on whose owner was killed */
  readonly until?: 'durable' | 'now'
}

export async function openTestGame(
  database: Database,
  changes: Partial<TestGameConfig> = {},
): Promise<TestGame> {
  const {
    createPool: poolFor,
    bus,
    beforeWrite,
    until = 'durable',
    ...config
  } = {
    ...CONFIG,
    createPool: latePool,
    ...changes,
  }
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
  const isNew = (await snapshots(database.sql).list()).length === 0
  if (isNew && firstAdmin) await accounts(database.sql).create(firstAdmin)
  const records = await openRecords({ database, config, logger, clock, watched })
  firstAdmin ??= (await records.accounts.list()).at(0)
  const pools: Pool[] = []
  const poolOf = (universe: Parameters<typeof inside>[0]): Pool => {
    const pool = poolFor(inside(universe), onError)
    pools.push(pool)
    return pool
  }
  const prepared = isNew ? await preparedUniverse(config) : undefined
  const ready = await openUniverse({
    records,
    prepared,
    config,
    logger,
    createPool: poolOf,
    clock: systemClock,
    until,
  })
  const { events: recoveredEvents, caughtUpMs, replay, ...rest } = ready
  const ticked = { ...openedInside(rest), pool: pools.at(-1)! }
  const opened = universeImage(ticked.universe, ticked.gameClock, ticked.tick)
  const { kept } = records
  const now = {
    owner: records.owner,
    era: () => kept.settings.era,
    moment: (): ReturnType<Engine['clock']> => engine.clock(),
  }
  const rows = bus && createRowStream({ ...now, bus, clock })
  const journalWriter = createJournalWriter({
    ...now,
    append: async (batch) => {
      await beforeWrite?.()
      const outcome = await records.journal.append(batch)
      rows?.written(batch)
      return outcome
    },
    clock,
    onAway: () => undefined,
    onBack: () => undefined,
    onFenced: () => undefined,
    onSystemStopped: (_, error) => onError(error),
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
    onPublish: () => rows?.ticked(),
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
    isOpen: () => kept.isRegistrationOpen(),
    invitedMax: 8,
    shipsPerPlayer: 1,
    clock,
  })
  const replacements: string[] = []
  const keeper = createWorldStorage({
    eventsWritten: async () => {},
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
        // All at once: else the ephemeris would grow by a slice for each 5 ms.
        clock.work(1000 / kept.settings.tickRate)
        await clock.advance(0)
        await settled()
      }
    },
    crash: () => engine.stop(),
  }
}
