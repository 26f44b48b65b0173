/** Ore is neither lost nor made: what is in asteroids, in holds and sold is always as much. */
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { send } from '../requests.ts'
import type { RunningServer } from '../run.ts'

/** What a station pays [1/kg]. */
const PRICE = 3

/** Sums of a few thousand numbers of doubles may differ by so much [kg]. */
const GRAM = 1e-3

export interface Ledger {
  /** at the first look [kg] */
  start: number | undefined
  looks: number
  /** at the last look [kg] */
  mined: number
  sold: number
}

export function createLedger(): Ledger {
  return { start: undefined, looks: 0, mined: 0, sold: 0 }
}

/** Says in words what was counted. */
export function ledgerText({ looks, mined, sold }: Ledger): string {
  return `ore counted ${looks} times, ${mined} kg mined, ${sold} kg of it sold`
}

/** Pauses the game and compares the sum; returns what is wrong. */
export async function compareOre(
  ledger: Ledger,
  { session: { admin, scenario }, url, observed }: Omit<RunningServer, 'game'>,
): Promise<string[]> {
  await send(scenario, [['server', 'paused', true]], () => admin.game.pause())
  const { pilots } = scenario
  const miner = pilots.find(({ shipId }) => observed.things.get(`system:${shipId}`) === 'sol')
  if (!miner) return []
  const { tables } = await createModulesClient({ url, token: miner.token }).read()
  const kept = await Promise.all(
    pilots.map(({ shipId }) => admin.call(api.readShipModules, { ship_id: shipId })),
  )
  const holds = kept.map(({ ship_values: { mining } }) => mining)
  const sum = (values: readonly unknown[]): number =>
    values.reduce<number>((all, value) => all + Number(value), 0)
  const left = sum(tables['mining']['asteroid'].map(({ ore }) => ore))
  ledger.sold = sum(holds.map(({ credits }) => credits)) / PRICE
  ledger.mined = sum(holds.map(({ ore }) => ore)) + ledger.sold
  const now = left + ledger.mined
  ledger.start ??= now
  ledger.looks++
  // Of what is no number it is never true.
  const isKept = Math.abs(now - ledger.start) < GRAM
  return isKept ? [] : [`there are ${now} kg of ore, must be ${ledger.start} kg`]
}
