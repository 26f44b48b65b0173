/**
 * How late ticks start in a process that flies many ships, moves some and takes commands, with a
 * journal or without one.
 */
import { migrate, openDatabase } from '@orrery/database'
import { Engine, addShip, createPool, systemClock, openedInside } from '@orrery/engine/testing'
import { claimWorld, journal, migrations } from '@orrery/store'
import { percentile } from '@orrery/testkit/report'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { begun, createJournalWriter, newUniverse } from '@orrery/game'

export interface KeptFlight {
  readonly journal: 'none' | 'embedded'
  readonly ships: number
  readonly rateHz: number
  readonly commandsPerSecond: number
  /** ships that are moved to another star system between two ticks, once a second */
  readonly transfers: number
  readonly seconds: number
}

export interface TickLateness {
  /** how long after they were due ticks started [ms] */
  readonly lateMsP50: number
  readonly lateMsP99: number
  /** from a tick's start to its end [ms] */
  readonly durationMsP99: number
  readonly durationMsMax: number
  /** from when the latest tick was due to its end [ms] */
  readonly dueToEndMsMax: number
  readonly ticksDropped: number
  readonly commands: number
  /** durable ones, and the longest time until all of one second were [ms] */
  readonly transfers: number
  readonly transfersMsMax: number
}

/** Code is compiled, and the ephemeris made on to its horizon, in this time. */
const SETTLE_MS = 15_000

const COMMANDS_MS = 10

const TRANSFERS_MS = 1000

async function flight(options: KeptFlight): Promise<TickLateness> {
  const { ships, rateHz, seconds } = options
  const made = await newUniverse(systemClock, { seed: 'bench', shipsMax: ships })
  const opened = openedInside(begun(made, systemClock))
  const ids = Array.from({ length: ships }, () => randomUUID())
  for (const [i, id] of ids.entries()) addShip(opened.universe.worlds[0], id, `Ship ${i}`)
  const fail = (error: unknown): void => {
    console.error(error)
    process.exit(1)
  }
  const kept = await keeping(options, () => engine, fail)
  const lateMs: number[] = []
  const durationMs: number[] = []
  const dueToEndMs: number[] = []
  const engine: Engine = new Engine({
    ...opened,
    pool: createPool(opened.universe, 1, fail),
    clock: systemClock,
    tickRate: rateHz,
    timeScale: 1,
    paused: false,
    ...(kept && { journal: kept.writer }),
    onDigest: (digest) => kept?.writer.digest(digest),
    onPublish: () => undefined,
    onTick: (timing) => {
      lateMs.push(timing.lateMs)
      durationMs.push(timing.durationMs)
      dueToEndMs.push(timing.lateMs + timing.durationMs)
    },
    onFault: fail,
  })
  kept?.writer.start()
  engine.start()
  let commands = 0
  const startMs = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - startMs) / 1000) * options.commandsPerSecond
    for (; commands < due; commands++) {
      const control = { thrustLevel: (commands % 100) / 1000 }
      engine.control(ids[(commands * 7) % ids.length], control, null).kept.catch(fail)
    }
  }, COMMANDS_MS)
  const moves = startTransfers(engine, ids.slice(0, options.transfers), fail)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  for (const samples of [lateMs, durationMs, dueToEndMs, moves.ms]) samples.length = 0
  const { ticksDropped } = engine.status()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  clearInterval(timer)
  await moves.end()
  const dropped = engine.status().ticksDropped - ticksDropped
  await engine.stop()
  await kept?.end()
  return {
    lateMsP50: percentile(lateMs, 0.5),
    lateMsP99: percentile(lateMs, 0.99),
    durationMsP99: percentile(durationMs, 0.99),
    durationMsMax: Math.max(...durationMs),
    dueToEndMsMax: Math.max(...dueToEndMs),
    ticksDropped: dropped,
    commands,
    transfers: moves.ms.length * options.transfers,
    transfersMsMax: Math.max(0, ...moves.ms),
  }
}

/** Moves ships together to the next star system, once a second. */
function startTransfers(
  engine: Engine,
  ids: readonly string[],
  fail: (error: unknown) => void,
): { readonly ms: number[]; end(): Promise<void> } {
  const systemIds = engine.systems().map(({ id }) => id)
  const ms: number[] = []
  let turn = 0
  let last: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    const systemId = systemIds[++turn % systemIds.length]
    const startMs = performance.now()
    last = Promise.all(
      ids.map((shipId) => engine.execute({ kind: 'transfer_ship', shipId, systemId })),
    )
    last.then(() => ms.push(performance.now() - startMs)).catch(fail)
  }, TRANSFERS_MS)
  return {
    ms,
    end: async () => {
      clearInterval(timer)
      await last
    },
  }
}

/** A journal in a new database; undefined without one. */
async function keeping(
  { journal: kind }: KeptFlight,
  engine: () => Engine,
  fail: (error: unknown) => void,
): Promise<{ writer: ReturnType<typeof createJournalWriter>; end(): Promise<void> } | undefined> {
  if (kind === 'none') return undefined
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  const database = await openDatabase({ directory, schema: 'game' })
  await migrate(database, migrations)
  const kept = journal(database.sql)
  const writer = createJournalWriter({
    append: (batch) => kept.append(batch),
    fence: await claimWorld(database.sql),
    clock: systemClock,
    era: () => 1,
    moment: () => engine().clock(),
    onAway: () => fail(new Error('The database is away.')),
    onLost: () => undefined,
    onBack: () => undefined,
    onFenced: () => undefined,
    onSystemStopped: (_, error) => fail(error),
    onError: fail,
  })
  return {
    writer,
    end: async () => {
      await writer.stop()
      await database.close()
      await rm(directory, { recursive: true })
    },
  }
}

console.log(JSON.stringify(await flight(JSON.parse(process.argv[2]) as KeptFlight)))
process.exit(0)
