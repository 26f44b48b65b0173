/** Kills one game again and again, and compares what comes back with what was acknowledged. */
import { createGameClient } from '@orrery/client'
import { latticeFromUtc } from '@orrery/sim'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './asking.ts'
import { type DatabaseKind, type GameDatabase, createGameDatabase } from './databases.ts'
import { type GameProcess, startGame } from './game-process.ts'
import { judge } from './judgement.ts'
import { Ledger } from './ledger.ts'
import { startLoad } from './load.ts'
import { type Moment, momentOf, strike } from './moments.ts'
import { type Desk, type Office, PASSWORD, endReplacement } from './office.ts'
import { OrderBook } from './order-book.ts'
import { tryPasswords } from './people.ts'
import { type Random, seededRandom } from './random.ts'
import { type Sight, sightOf } from './sight.ts'
import { keptOrders, replayed, shipDifferences } from './stored.ts'
import { changeLevel } from './world-deeds.ts'

export interface CrashLoopOptions {
  readonly kind: DatabaseKind
  readonly kills: number
  readonly seed: number
  /** people who fly */
  readonly clients: number
  /** longest that a game runs before it is killed [ms] */
  readonly loadMsMax: number
  /** after so many kills the whole journal is flown again */
  readonly replayEvery: number
  /** after so many kills the journal is read */
  readonly readEvery: number
  /** whether it is killed while it is made, too */
  readonly isMadeTwice: boolean
  readonly tell: (line: string) => void
}

export interface CrashLoopResult {
  readonly kills: number
  readonly acknowledged: number
  readonly digests: number
  /** from a start to listening, of all starts after a kill [ms] */
  readonly readyMs: readonly number[]
  /** what was lost, or is otherwise than it must be */
  readonly violations: readonly string[]
  /** commands whose outcome the server did not know */
  readonly unknown: number
}

const ADMIN = { username: 'chief', password: PASSWORD }

/** A start is taken to last so long before one has been seen [ms]. */
const READY_MS = { pglite: 6000, postgresql: 3000 } as const

/** Game time within which a digest is made and kept, at least one. */
const DIGEST_SECONDS = 200

/** Passwords are hashed to be tried. */
const PASSWORDS_TRIED = 2

/** One game and all that is known of it. */
interface Run {
  readonly options: CrashLoopOptions
  readonly database: GameDatabase
  readonly variables: Readonly<Record<string, string>>
  readonly random: Random
  readonly office: Office
  readonly book: OrderBook
  readonly violations: string[]
  readonly readyMs: number[]
  /** what was there before anybody made anything */
  known: ReadonlySet<string> | undefined
  token: string
  /** a game that came back and was not killed yet */
  back: Back | undefined
  kills: number
  digests: number
  /** eras that are over, and were flown again as they ended */
  readonly ended: Set<number>
  /** how the game was killed since it was up last */
  struck: string[]
}

/** @throws {Error} where the database does not run at all */
export async function crashLoop(options: CrashLoopOptions): Promise<CrashLoopResult> {
  const run = await beginRun(options)
  const { kills, replayEvery } = options
  try {
    if (options.isMadeTwice) await killStarting(run)
    while (run.kills < kills) {
      const isLast = run.kills === kills - 1
      if (isLast || run.kills % replayEvery === replayEvery - 1) await killAtRest(run)
      else if (acknowledged(run) > 0 && run.random.next() < 0.2) await killStarting(run)
      else await killLoaded(run, momentOf(run.random))
    }
  } catch (error) {
    run.violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    await run.back?.game.kill()
    await run.database.remove()
  }
  const { office, digests, violations, readyMs } = run
  return {
    kills: run.kills,
    acknowledged: acknowledged(run),
    digests,
    violations: [...violations, ...office.faults],
    readyMs,
    unknown: office.unknown,
  }
}

async function beginRun(options: CrashLoopOptions): Promise<Run> {
  const { kind, seed } = options
  const random = seededRandom(seed)
  const database = await createGameDatabase(kind)
  return {
    options,
    database,
    variables: {
      ...database.environment,
      JWT_SECRET_KEY: randomBytes(32).toString('hex'),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      MAX_SHIPS: '2000',
      WORKERS: '1',
      LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
      HANDSHAKES_PER_MINUTE: '1000000',
    },
    random,
    office: {
      ledger: new Ledger(),
      faults: [],
      unknown: 0,
      random,
      ids: new Map(),
      pilots: [],
      captures: new Map(),
      passwords: new Set(),
      names: 0,
      era: 0,
    },
    book: new OrderBook(),
    violations: [],
    readyMs: [],
    known: undefined,
    token: '',
    back: undefined,
    kills: 0,
    digests: 0,
    ended: new Set(),
    struck: [],
  }
}

function acknowledged({ book, office }: Run): number {
  return book.accepted + office.ledger.acknowledged
}

function count(run: Run, how: string): void {
  run.kills++
  run.struck.push(`${run.kills} ${how}`)
}

/** Kills a game before it listens, while it opens its database or does its journal again. */
async function killStarting(run: Run): Promise<void> {
  const { kind } = run.options
  await run.back?.game.kill()
  run.back = undefined
  const usualMs = run.readyMs.at(-1) ?? READY_MS[kind]
  const ms = run.random.next() * usualMs
  const game = startGame(run.variables)
  await sleep(ms)
  await game.kill()
  count(run, `start +${ms.toFixed(0)} ms`)
}

/** Kills a game while everybody is at it. */
async function killLoaded(run: Run, moment: Moment): Promise<void> {
  const { options, book, random } = run
  const { game, desk, url } = await running(run)
  await makeReady(desk)
  const load = await startLoad(desk, book, { url, clients: options.clients })
  await sleep((1 + random.next()) * 0.5 * options.loadMsMax)
  const when = await strike(moment, { load, game, random })
  count(run, `${moment} ${when}`)
  await load.end()
  if (run.kills % options.readEvery === 0) {
    run.violations.push(...book.differences(await run.database.read(keptOrders)))
  }
}

/** Kills a game that is paused: it can be compared with what its journal gives, to the bit. */
async function killAtRest(run: Run): Promise<void> {
  const { office, options, violations } = run
  const { game, desk, url } = await running(run)
  await makeReady(desk)
  await gameSeconds(desk, DIGEST_SECONDS)
  await ask(office, [['house', 'paused', true]], () => desk.admin.game.pause())
  // Its batch carries the clock of the pause, which is otherwise kept within a second.
  await changeLevel(desk)
  const sight = await sightOf(url, run.token, desk.admin)
  await game.kill()
  count(run, 'at rest')
  const { replays, kept } = await run.database.read(async (sql) => {
    return { replays: await replayed(sql, run.ended), kept: await keptOrders(sql) }
  })
  violations.push(...run.book.differences(kept))
  for (const { era, index, commands, digests, ships, differences } of replays) {
    run.digests += digests
    violations.push(...differences)
    options.tell(
      `  era ${era} once more: ${commands} commands, ${digests} digests, ` +
        `${ships.size} ships at index ${index}`,
    )
    if (era === office.era) {
      const found = shipDifferences(sight.ships, ships)
      violations.push(...found.map((text) => `replayed: ${text}`))
    } else run.ended.add(era)
  }
  run.back = await comeBack(run)
  const recovered = shipDifferences(sight.ships, run.back.sight.ships)
  violations.push(...recovered.map((text) => `recovered: ${text}`))
}

/** The game that has come back, or comes back now, to be killed. */
async function running(run: Run): Promise<Back> {
  const back = run.back ?? (await comeBack(run))
  run.back = undefined
  return back
}

interface Back {
  readonly game: GameProcess
  readonly url: string
  readonly desk: Desk
  readonly sight: Sight
}

/** Starts the game and compares it with the ledger. @throws {Error} when it does not come up */
async function comeBack(run: Run): Promise<Back> {
  const { office, random, violations, options } = run
  const game = startGame(run.variables)
  const url = await game.ready
  run.readyMs.push(game.readyMs())
  const client = createGameClient({ url })
  if (run.token === '') run.token = (await client.adminLogin(...credentials())).token
  const admin = client.admin(run.token)
  const sight = await sightOf(url, run.token, admin)
  const found: string[] = []
  if (!run.known) {
    run.known = new Set(sight.things.keys())
    office.era = sight.era
  }
  if (office.ledger.replacing) endReplacement(office, sight.era === office.era + 1)
  if (sight.era !== office.era) found.push(`era ${sight.era}, must be ${office.era}`)
  office.era = sight.era
  for (const [key, id] of sight.ids) office.ids.set(key, id)
  found.push(...judge(office.ledger, sight, run.known), ...game.fatal())
  const desk = { office, random, game: client, admin, systems: sight.systems }
  found.push(...(await tryPasswords(desk, PASSWORDS_TRIED)))
  const struck = run.struck.splice(0).join(', ') || 'made'
  violations.push(...found.map((text) => `after ${struck}: ${text}`))
  const index = latticeFromUtc(Date.parse(sight.gameTime))
  options.tell(
    `${options.kind} ${struck}: era ${sight.era}, index ${index}, ` +
      `${acknowledged(run)} acknowledged, lost=${found.length}, ` +
      `ready in ${(game.readyMs() / 1000).toFixed(2)} s`,
  )
  return { game, url, desk, sight }
}

/** Goes on, fast enough for digests, and lets people in. */
async function makeReady({ office, admin }: Desk): Promise<void> {
  const { ledger } = office
  if (!ledger.isCertain('paused', false)) {
    await ask(office, [['house', 'paused', false]], () => admin.game.resume())
  }
  if (ledger.isCertain('scale', 1)) {
    await ask(office, [['house', 'scale', 100]], () => admin.game.changeTimeScale(100))
  }
  if (!ledger.isCertain('open', true)) {
    await ask(office, [['house', 'open', true]], () => admin.registrations.open())
  }
}

async function gameSeconds({ game }: Desk, seconds: number): Promise<void> {
  const now = async (): Promise<number> => Date.parse((await game.status()).game_time)
  const endMs = (await now()) + 1000 * seconds
  while ((await now()) < endMs) await sleep(20)
}

function credentials(): readonly [string, string] {
  return [ADMIN.username, ADMIN.password]
}
