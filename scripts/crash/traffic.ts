/** Ships that are moved between star systems, many at a time, while their pilots steer. */
import { fillPilots } from './load.ts'
import { type Pilot, startPilots } from './pilots.ts'
import { send } from './requests.ts'
import type { Run, RunningServer } from './run.ts'
import type { Account, Session } from './scenario.ts'

/** Concurrent transfers. */
const LANES = 64

export interface Traffic {
  readonly pilots: readonly Pilot[]
  /** ends transfers and orders; the sockets stay */
  rest(this: void): Promise<unknown>
  /** further requests, for which the end waits */
  add(this: void, request: Promise<unknown>): void
  /** resolves when every request has an answer */
  answered(this: void): Promise<unknown>
  /** resolves when every request has an answer or can no longer have one */
  end(this: void): Promise<unknown>
}

/** Acknowledged transfers. */
export interface Tally {
  transfers: number
}

export async function startTraffic(
  { options, history, random }: Run,
  { session, url, game }: RunningServer,
  tally: Tally,
): Promise<Traffic> {
  const { scenario } = session
  await fillPilots(session, options.clients)
  const over = new AbortController()
  const context = { scenario, history, over: over.signal }
  const pilots = await startPilots(context, scenario.pilots, { url, random })
  const idle = [...scenario.pilots]
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted && game.running()) {
      const [account] = idle.splice(random.below(idle.length), 1)
      await transfer(session, account, tally)
      idle.push(account)
    }
  }
  const lanes = Math.min(LANES, idle.length)
  const requests: Promise<unknown>[] = Array.from({ length: lanes }, lane)
  const answered = (): Promise<unknown> =>
    Promise.all([...requests, ...pilots.map(({ done }) => done)])
  return {
    pilots,
    rest: () => {
      over.abort()
      return answered()
    },
    add: (request) => void requests.push(request),
    answered,
    end: () => {
      over.abort()
      for (const pilot of pilots) pilot.close()
      return answered()
    },
  }
}

/** Moves a ship to another system than the one it is known to be in. */
export async function transfer(
  { scenario, admin, random, systems }: Session,
  { shipId }: Account,
  tally: Tally,
): Promise<void> {
  const key = `system:${shipId}`
  const target = random.pick(systems.filter((id) => !scenario.model.isCertain(key, id)))
  const moved = await send(scenario, [['world', key, target]], () =>
    admin.ships.transfer(shipId, target),
  )
  if (moved) tally.transfers++
}
