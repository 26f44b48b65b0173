/** The moments of kills under load. */
import type { Chance, ServiceProcess } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'
import { type Operation, register } from './account-operations.ts'
import { reset, restore, snapshot } from './world-operations.ts'

/** What happens at the time of a kill. */
export type Moment = 'load' | 'burst' | 'snapshot' | 'restore' | 'reset' | 'registration' | 'stop'

/** Weight, and longest delay from its begin to the kill [ms]. */
const MOMENTS: Readonly<Record<Moment, readonly [weight: number, delayMsMax: number]>> = {
  load: [30, 0],
  burst: [25, 30],
  snapshot: [15, 300],
  restore: [10, 600],
  registration: [10, 200],
  stop: [6, 800],
  reset: [4, 1500],
}

const OPERATIONS: Partial<Record<Moment, Operation>> = {
  snapshot,
  restore,
  reset,
  registration: (session) => register(session, 'guest'),
}

/** Longest wait for an operation to begin, while the admin waits for another answer [ms]. */
const BEGUN_MS_MAX = 5000

export function randomMoment(random: Chance): Moment {
  const bag = (Object.keys(MOMENTS) as Moment[]).flatMap((moment) =>
    Array.from({ length: MOMENTS[moment][0] }, () => moment),
  )
  return random.pick(bag)
}

/** Causes a moment and kills during it; returns a description. */
export async function killAt(
  moment: Moment,
  {
    load,
    game,
    random,
    kill,
  }: { load: Load; game: ServiceProcess; random: Chance; kill: () => Promise<string> },
): Promise<string> {
  const operation = OPERATIONS[moment]
  if (operation) await Promise.race([load.provoke(operation), sleep(BEGUN_MS_MAX)])
  if (moment === 'burst') load.burst()
  if (moment === 'stop') void game.stop()
  const delayMs = random.share() * MOMENTS[moment][1]
  await sleep(delayMs)
  return `${await kill()}, ${moment} +${delayMs.toFixed(0)} ms`
}
