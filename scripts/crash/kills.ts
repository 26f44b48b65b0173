/** The kills of a run: while a game starts, under load, and at rest. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './asking.ts'
import { type GameProcess, startGame } from './game-process.ts'
import { type Load, startLoad } from './load.ts'
import { type Moment, momentOf, strike } from './moments.ts'
import type { Desk } from './office.ts'
import { killPostgres } from './postgres-processes.ts'
import { comeBack, look, makeReady, running, servesAgain } from './return.ts'
import type { Back, Run, Victim } from './run.ts'
import { sightOf } from './sight.ts'
import { keptOrders, replayed, shipDifferences } from './stored.ts'
import { changeLevel } from './world-deeds.ts'

/** A start is taken to last so long before one has been seen [ms]. */
const READY_MS = 2000

/** Game time within which a digest is made and kept, at least one. */
const DIGEST_SECONDS = 200

/** A server that was told to stop has ended, one way or another, within this time [ms]. */
const STOPPED_MS_MAX = 30_000

const PARTS = ['all', 'postmaster', 'session'] as const

/** Kills a game before it listens, while it opens its database or repeats its journal. */
export async function killStarting(run: Run, victim: Exclude<Victim, 'database'>): Promise<void> {
  await run.back?.game.kill()
  run.back = undefined
  const ms = run.random.share() * (run.readyMs.at(-1) ?? READY_MS)
  const game = startGame(run.variables)
  await sleep(ms)
  count(run, `${await kill(run, game, victim)}, start +${ms.toFixed(0)} ms`)
}

/** Kills under load. Where the journal is not read, the next start meets the database's end. */
export async function killLoaded(run: Run, victim: Victim): Promise<void> {
  const { options, book, random } = run
  const back = await running(run)
  const { game, desk, url } = back
  await makeReady(desk)
  const moment = momentOf(random)
  const load = await startLoad(desk, book, { url, clients: options.clients })
  await sleep((1 + random.share()) * 0.5 * options.loadMsMax)
  count(run, await strike(moment, { load, game, random, kill: () => kill(run, game, victim) }))
  if (victim === 'database') await outlive(run, back, { load, moment })
  else await load.end()
  if (run.kills % options.readEvery === 0) {
    run.violations.push(...book.differences(await run.directory.read(keptOrders)))
  }
}

/** A server outlives its database: it serves on, and what it shows is stored when it is killed. */
async function outlive(
  run: Run,
  { game, desk, url }: Back,
  { load, moment }: { readonly load: Load; readonly moment: Moment },
): Promise<void> {
  const { options, violations } = run
  await sleep(0.5 * options.loadMsMax)
  await load.end()
  if (moment === 'stop') {
    const late = sleep(STOPPED_MS_MAX, true, { ref: false })
    const isLate = await Promise.race([game.ended.then(() => false), late])
    if (isLate) violations.push(`after ${run.struck.join(', ')}: the server does not end`)
  } else {
    await serveOn(run, desk)
    await look(run, { game, url }, 'goes on')
  }
  await game.kill()
  run.struck.push('then the server')
}

async function serveOn({ violations, struck }: Run, desk: Desk): Promise<void> {
  const isServing = await servesAgain(desk)
  if (!isServing) violations.push(`after ${struck.join(', ')}: no command becomes durable again`)
}

/** Kills while the game is paused: it can be compared with what its journal gives, to the bit. */
export async function killAtRest(run: Run, victim: Victim): Promise<void> {
  const { office } = run
  const { game, desk, url } = await running(run)
  await makeReady(desk)
  await gameSeconds(desk, DIGEST_SECONDS)
  await ask(office, [['house', 'paused', true]], () => desk.admin.game.pause())
  // Its batch carries the clock of the pause, which is otherwise kept within a second.
  await changeLevel(desk)
  const sight = await sightOf(url, run.token, desk.admin)
  count(run, `${await kill(run, game, victim)}, at rest`)
  if (victim === 'database') {
    await serveOn(run, desk)
    await game.kill()
  }
  await compareReplay(run, sight)
  run.back = await comeBack(run)
  const recovered = shipDifferences(sight.ships, run.back.sight.ships)
  run.violations.push(...recovered.map((text) => `recovered: ${text}`))
}

/** Compares ships and digests with those that the stored journal gives. */
async function compareReplay(run: Run, sight: Back['sight']): Promise<void> {
  const { office, options, violations } = run
  const { replays, kept } = await run.directory.read(async (sql) => {
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
}

/** Kills all that is to die at once; returns what that was. */
async function kill(
  { directory, random }: Run,
  game: GameProcess,
  victim: Victim,
): Promise<string> {
  if (victim === 'database') {
    const part = random.pick(PARTS)
    killPostgres(directory.database, part, random)
    return `PostgreSQL's ${part}`
  }
  const ended = game.kill()
  if (victim === 'both') killPostgres(directory.database, 'all', random)
  await ended
  return victim
}

function count(run: Run, how: string): void {
  run.kills++
  run.struck.push(`${run.kills} ${how}`)
}

async function gameSeconds({ game }: Desk, seconds: number): Promise<void> {
  const now = async (): Promise<number> => Date.parse((await game.status()).game_time)
  const endMs = (await now()) + 1000 * seconds
  while ((await now()) < endMs) await sleep(20)
}
