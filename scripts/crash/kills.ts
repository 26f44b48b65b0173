/** The kills of a run: during a start, under load, and at rest. */
import { type ServiceProcess, killProcesses, postmaster, serverProcesses } from '@orrery/testkit'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { storedHandOffs } from './transfers/hand-offs.ts'
import { send } from './requests.ts'
import { type Load, startLoad } from './load.ts'
import { type Moment, randomMoment, killAt } from './moments.ts'
import type { Session } from './scenario.ts'
import { inspect, isDurableAgain, prepare, restart, runningServer, startServer } from './restart.ts'
import type { RunningServer, Run, Victim } from './run.ts'
import { observe } from './observation.ts'
import { storedOrders, replayed, shipDifferences } from './stored-world.ts'
import { changeLevel } from './world-operations.ts'

/** Assumed duration of the first start [ms]. */
const READY_MS = 2000

/** A tick of 100 s passes a multiple of 64 s, and two later ones let its digest be stored [s]. */
const DIGEST_SECONDS = 400

/** Time for a server to end after SIGTERM [ms]. */
const STOPPED_MS_MAX = 30_000

const POSTGRES_PARTS = ['all', 'postmaster', 'session'] as const

/** Kills a server before it listens: while it opens its database or replays its journal. */
export async function killStarting(run: Run, victim: Exclude<Victim, 'database'>): Promise<void> {
  await run.running?.game.kill()
  run.running = undefined
  const ms = run.random.share() * (run.readyMs.at(-1) ?? READY_MS)
  const game = startServer(run)
  await sleep(ms)
  countKill(run, `${await kill(run, game, victim)}, start +${ms.toFixed(0)} ms`)
}

/** Kills under load. When the journal is not read, the next start may find the database ending. */
export async function killLoaded(run: Run, victim: Victim): Promise<void> {
  const { options, history, random } = run
  const server = await runningServer(run)
  const { game, session, url } = server
  await prepare(session)
  const moment = randomMoment(random)
  const hasMines = run.mines !== undefined
  const load = await startLoad(session, history, { url, clients: options.clients, hasMines })
  await sleep((1 + random.share()) * 0.5 * options.loadMsMax)
  countKill(run, await killAt(moment, { load, game, random, kill: () => kill(run, game, victim) }))
  if (victim === 'database') await checkOutage(run, server, { load, moment })
  else await load.end()
  if (run.kills % options.readEvery === 0) {
    run.violations.push(...history.differences(await run.directory.read(storedOrders)))
  }
}

/** After a loss of its database a server serves again, and its state survives a kill. */
async function checkOutage(
  run: Run,
  { game, session, url }: RunningServer,
  { load, moment }: { readonly load: Load; readonly moment: Moment },
): Promise<void> {
  const { options, violations } = run
  await sleep(0.5 * options.loadMsMax)
  await load.end()
  if (moment === 'stop') {
    const late = sleep(STOPPED_MS_MAX, true, { ref: false })
    const isLate = await Promise.race([game.ended.then(() => false), late])
    if (isLate) violations.push(`after ${run.killed.join(', ')}: the server does not end`)
  } else {
    await checkGoesOn(run, { game, session, url })
  }
  await game.kill()
  run.killed.push('then the server')
}

/** After a loss of its database a server keeps commands again, and shows what it should. */
export async function checkGoesOn(
  run: Run,
  { game, session, url }: Omit<RunningServer, 'observed'>,
): Promise<void> {
  await checkDurability(run, session)
  await inspect(run, { game, url }, 'goes on')
}

async function checkDurability({ violations, killed }: Run, session: Session): Promise<void> {
  const isServing = await isDurableAgain(session)
  if (!isServing) violations.push(`after ${killed.join(', ')}: no command becomes durable again`)
}

/** Kills while the game is paused, so that its state equals a replay of its journal to the bit. */
export async function killAtRest(run: Run, victim: Victim): Promise<void> {
  const { scenario } = run
  const { game, session, url } = await runningServer(run)
  await prepare(session)
  await gameSeconds(session, DIGEST_SECONDS)
  await send(scenario, [['server', 'paused', true]], () => session.admin.game.pause())
  // Its batch contains the clock of the pause, which is otherwise stored within a second.
  await changeLevel(session)
  const observed = await observe(url, run.token, session.admin)
  countKill(run, `${await kill(run, game, victim)}, at rest`)
  if (victim === 'database') {
    await checkDurability(run, session)
    await game.kill()
  }
  await compareReplay(run, observed)
  run.running = await restart(run)
  const recovered = shipDifferences(observed.ships, run.running.observed.ships)
  run.violations.push(...recovered.map((text) => `recovered: ${text}`))
}

/** Compares ships and digests with a replay of the stored journal. */
async function compareReplay(run: Run, observed: RunningServer['observed']): Promise<void> {
  const { scenario, options, violations } = run
  const { replays, kept, faults } = await run.directory.read(async (sql) => ({
    replays: await replayed(sql, run.ended, run.mines?.modules),
    kept: await storedOrders(sql),
    faults: (await storedHandOffs(sql, run.mines !== undefined)).faults,
  }))
  violations.push(...run.history.differences(kept), ...faults)
  for (const { era, index, commands, digests, ships, differences } of replays) {
    run.digests += digests
    violations.push(...differences)
    options.print(
      `  era ${era} replayed: ${commands} commands, ${digests} digests, ` +
        `${ships.size} ships at index ${index}`,
    )
    if (era === scenario.era) {
      const found = shipDifferences(observed.ships, ships)
      violations.push(...found.map((text) => `replayed: ${text}`))
    } else run.ended.add(era)
  }
}

/** Kills a victim; returns its description. */
async function kill(
  { directory, random }: Run,
  game: ServiceProcess,
  victim: Victim,
): Promise<string> {
  if (victim === 'database') {
    const part = random.pick(POSTGRES_PARTS)
    killPostgres(directory.database, part, random)
    return `PostgreSQL's ${part}`
  }
  const ended = game.kill()
  if (victim === 'both') killPostgres(directory.database, 'all', random)
  await ended
  return victim
}

/** Kills all of a PostgreSQL server, its first process, or one that serves a connection. */
function killPostgres(
  directory: string,
  part: (typeof POSTGRES_PARTS)[number],
  random: Run['random'],
): void {
  const pids = serverProcesses(directory)
  if (part === 'all') killProcesses(pids)
  if (part === 'postmaster') killProcesses(pids.filter((pid) => pid === postmaster(directory)))
  const sessions = part === 'session' ? pids.filter(isSession) : []
  if (sessions.length > 0) killProcesses([random.pick(sessions)])
}

function isSession(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: orrery ')
  } catch {
    return false
  }
}

/** Registers a kill, with its description. */
export function countKill(run: Run, how: string): void {
  run.kills++
  run.killed.push(`${run.kills} ${how}`)
}

async function gameSeconds({ game }: Session, seconds: number): Promise<void> {
  const now = async (): Promise<number> => Date.parse((await game.status()).game_time)
  const endMs = (await now()) + 1000 * seconds
  while ((await now()) < endMs) await sleep(20)
}
