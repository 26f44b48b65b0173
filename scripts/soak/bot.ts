/** Players one after the other: each registers, comes and goes, and deletes the account. */
import type { AdminClient, GameClient } from '@orrery/client'
import type { SerialQueue } from '@orrery/game'
import type { RegisterResponse } from '@orrery/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD } from '../crash/scenario.ts'
import { Visit, type VisitOptions } from './visit.ts'

export interface BotOptions extends Omit<VisitOptions, 'token' | 'username'> {
  /** of all its accounts' names */
  readonly name: string
  readonly game: GameClient
  /** registrations of all bots, one after the other */
  readonly registering: SerialQueue
  readonly admin: AdminClient
  /** mean length of a visit [ms] */
  readonly visitMs: number
  readonly over: AbortSignal
  /** the visits of all bots that are under way */
  readonly visits: Set<Visit>
}

/** Visits of an account before it is deleted. */
const VISITS_MAX = 4

/** Between two visits, and before a failed registration is repeated [ms]. */
const AWAY_MS_MAX = 3000

/** Plays until all is over. */
export async function play(bot: BotOptions): Promise<void> {
  const { name, game, registering, random, tally, over } = bot
  for (let i = 0; !over.aborted; i++) {
    const username = `${name}_${i}`
    const account = await registering(async () => {
      if (over.aborted) return undefined
      return tally.request('register', () => game.register(username, PASSWORD))
    })
    if (account) {
      tally.registrations++
      await use(bot, account)
    }
    await rest(random.below(AWAY_MS_MAX), over)
  }
}

async function use(bot: BotOptions, account: RegisterResponse): Promise<void> {
  const { random, over } = bot
  for (let left = random.below(VISITS_MAX); !over.aborted; left--) {
    await visit(bot, account, left === 0)
    if (left === 0) return
    await rest(random.below(AWAY_MS_MAX), over)
  }
}

async function visit(bot: BotOptions, account: RegisterResponse, isLast: boolean): Promise<void> {
  const { random, visits, visitMs, over } = bot
  const { token, username } = account
  const one = new Visit({ ...bot, token, username })
  visits.add(one)
  await one.act(performance.now() + visitMs * (0.5 + random.share()), over)
  if (isLast && !over.aborted) await remove(bot, account, one)
  visits.delete(one)
  one.close()
}

/** Deletes an account while its socket is open. */
async function remove(bot: BotOptions, account: RegisterResponse, one: Visit): Promise<void> {
  const { game, admin, random, tally } = bot
  one.isEnding = true
  const isDone = await tally.request('delete account', async () => {
    if (random.oneIn(2)) await admin.players.remove(account.player_id)
    else await game.player(account.token).deleteAccount()
    return true
  })
  if (!isDone) return
  tally.deletions++
  const sinceMs = performance.now()
  if (!(await one.closedByServer())) tally.fault('the socket of a deleted account stays', sinceMs)
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
