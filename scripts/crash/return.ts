/** A game after a kill: it comes back, or goes on, and is compared with the ledger. */
import { createGameClient } from '@orrery/client'
import { latticeFromUtc } from '@orrery/sim'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './asking.ts'
import { startGame } from './game-process.ts'
import { judge } from './judgement.ts'
import { type Desk, endReplacement } from './office.ts'
import { tryPasswords } from './people.ts'
import { ADMIN, type Back, type Run, acknowledged } from './run.ts'
import { sightOf } from './sight.ts'
import { changeLevel } from './world-deeds.ts'

/** Passwords are hashed to be tried. */
const PASSWORDS_TRIED = 2

/** A server has its database back, and takes commands, within this time of a kill [ms]. */
const SERVING_MS_MAX = 30_000
const SERVING_LOOK_MS = 50

/** The game that has come back, or comes back now, to be killed. */
export async function running(run: Run): Promise<Back> {
  const back = run.back ?? (await comeBack(run))
  run.back = undefined
  return back
}

/** Starts the game and compares it with the ledger. @throws {Error} when it does not come up */
export async function comeBack(run: Run): Promise<Back> {
  const game = startGame(run.variables)
  const url = await game.ready
  run.readyMs.push(game.readyMs())
  return look(run, { game, url }, `ready in ${(game.readyMs() / 1000).toFixed(2)} s`)
}

/** Compares a game with the ledger, which from then on knows it as it is. */
export async function look(
  run: Run,
  { game, url }: Pick<Back, 'game' | 'url'>,
  remark: string,
): Promise<Back> {
  const { office, random, violations, options } = run
  const client = createGameClient({ url })
  if (run.token === '') {
    run.token = (await client.adminLogin(ADMIN.username, ADMIN.password)).token
  }
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
    `${struck}: era ${sight.era}, index ${index}, ${acknowledged(run)} acknowledged, ` +
      `lost=${found.length}, ${remark}`,
  )
  return { game, url, desk, sight }
}

/** Goes on, fast enough for digests, and lets people in. */
export async function makeReady({ office, admin }: Desk): Promise<void> {
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

/** Waits until commands are durable again; returns whether they are within 30 s. */
export async function servesAgain(desk: Desk): Promise<boolean> {
  const endMs = performance.now() + SERVING_MS_MAX
  while (performance.now() < endMs) {
    if (await changeLevel(desk)) return true
    await sleep(SERVING_LOOK_MS)
  }
  return false
}
