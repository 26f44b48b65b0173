/** When something is killed. */
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GameProcess } from './game-process.ts'
import type { Load } from './load.ts'
import { type Deed, register } from './people.ts'
import { reset, restore, snapshot } from './world-deeds.ts'

/** What is going on as a game dies. */
export type Moment = 'load' | 'burst' | 'snapshot' | 'restore' | 'reset' | 'registration' | 'stop'

/** How often, beside each other, and how long after it began at most [ms]. */
const MOMENTS: Readonly<Record<Moment, readonly [weight: number, delayMsMax: number]>> = {
  load: [30, 0],
  burst: [25, 30],
  snapshot: [15, 300],
  restore: [10, 600],
  registration: [10, 200],
  stop: [6, 800],
  reset: [4, 1500],
}

const DEEDS: Partial<Record<Moment, Deed>> = {
  snapshot,
  restore,
  reset,
  registration: (desk) => register(desk, 'guest'),
}

/** An admin who still waits for an answer does not begin anything else. */
const BEGUN_MS_MAX = 5000

export function momentOf(random: Chance): Moment {
  const bag = (Object.keys(MOMENTS) as Moment[]).flatMap((moment) =>
    Array.from({ length: MOMENTS[moment][0] }, () => moment),
  )
  return random.pick(bag)
}

/** Brings a moment about and kills in it; returns what was killed, and when. */
export async function strike(
  moment: Moment,
  {
    load,
    game,
    random,
    kill,
  }: { load: Load; game: GameProcess; random: Chance; kill: () => Promise<string> },
): Promise<string> {
  const deed = DEEDS[moment]
  if (deed) await Promise.race([load.provoke(deed), sleep(BEGUN_MS_MAX)])
  if (moment === 'burst') load.burst()
  if (moment === 'stop') game.terminate()
  const delayMs = random.share() * MOMENTS[moment][1]
  await sleep(delayMs)
  return `${await kill()}, ${moment} +${delayMs.toFixed(0)} ms`
}
