/** What pilots do with the rules of mining and missions. */
import type { ModulesClient } from '@orrery/client/flight'
import type { Chance } from '@orrery/testkit'
import { type RequestLog, send } from '../requests.ts'

export interface Miner {
  readonly log: RequestLog
  readonly modules: ModulesClient
  readonly random: Chance
}

/** Asteroids and offers of a new world. */
const ASTEROIDS = 36
const OFFERS = 8

/** Sold at once at most [kg]. */
const SOLD_MAX = 3000

type MineOperation = (miner: Miner) => Promise<unknown>

function command(
  module: string,
  name: string,
  values?: (random: Chance) => Record<string, number>,
): MineOperation {
  return ({ log, modules, random }) =>
    send(log, [], () => modules.command(module, name, values?.(random)))
}

const drill = command('mining', 'drill', (random) => ({ asteroid: 1 + random.below(ASTEROIDS) }))
const sell = command('mining', 'sell', (random) => ({ kg: 1 + SOLD_MAX * random.share() }))
const take = command('missions', 'take', (random) => ({ offer: 1 + random.below(OFFERS) }))

/** One of these is chosen at a time; repeated entries have a greater weight. */
export const MINE_OPERATIONS: readonly MineOperation[] = [
  drill,
  drill,
  drill,
  command('mining', 'stop'),
  sell,
  sell,
  sell,
  take,
  command('missions', 'collect'),
  command('missions', 'handIn'),
  command('missions', 'giveUp'),
]
