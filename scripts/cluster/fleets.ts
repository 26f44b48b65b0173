/** Pilots at each gateway of a cluster, who go to the next one when theirs is killed. */
import { type Pilot, startPilots } from '../crash/pilots.ts'
import type { Run } from '../crash/run.ts'
import type { Account } from '../crash/scenario.ts'
import type { Member } from './members.ts'

interface Fleet {
  readonly accounts: readonly Account[]
  place: number
  pilots: readonly Pilot[]
  over: AbortController
}

export interface Fleets {
  /** Those of a gateway go to the next one. */
  left(gateway: number): Promise<void>
  /** All are at the gateway that they began with. */
  back(): Promise<void>
  /** resolves when every order has an answer */
  end(): Promise<void>
}

export async function startFleets(
  { history, mines, random, scenario, violations }: Run,
  gateways: readonly Member[],
  opened: AsyncDisposableStack,
): Promise<Fleets> {
  const ended: Promise<unknown>[] = []
  const open = async (fleet: Fleet, place: number): Promise<void> => {
    fleet.over.abort()
    for (const pilot of fleet.pilots) pilot.close()
    fleet.over = new AbortController()
    fleet.place = place
    const hasMines = mines !== undefined
    const context = { scenario, history, hasMines, over: fleet.over.signal }
    const { url } = gateways[place]
    fleet.pilots = await startPilots(context, fleet.accounts, { url, random: random.branch() })
    const failed = (error: unknown): void => void violations.push(String(Object(error).stack))
    ended.push(...fleet.pilots.map(({ done }) => done.catch(failed)))
  }
  const fleets = gateways.map((_, place): Fleet => ({
    accounts: scenario.pilots.filter((_one, index) => index % gateways.length === place),
    place,
    pilots: [],
    over: new AbortController(),
  }))
  const end = async (): Promise<void> => {
    for (const { over } of fleets) over.abort()
    await Promise.all(ended)
  }
  const close = (): void => {
    for (const { pilots } of fleets) for (const pilot of pilots) pilot.close()
  }
  opened.defer(async () => {
    close()
    await end()
  })
  for (const [place, fleet] of fleets.entries()) await open(fleet, place)
  return {
    left: async (gateway) => {
      for (const fleet of fleets) {
        if (fleet.place === gateway) await open(fleet, (gateway + 1) % gateways.length)
      }
    },
    back: async () => {
      for (const [place, fleet] of fleets.entries()) {
        if (fleet.place !== place) await open(fleet, place)
      }
    },
    end,
  }
}
