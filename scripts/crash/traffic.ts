/** Ships that are moved between star systems, many at a time, while their pilots steer. */
import { api } from '@orrery/client/routes'
import { STATION_ID } from '../trials/random-orders.ts'
import { fillPilots } from './load.ts'
import { type Pilot, startPilots } from './pilots.ts'
import { send } from './requests.ts'
import type { Run, RunningServer } from './run.ts'
import type { Account, Session } from './scenario.ts'

/** Where pilots mine, one of so many ships is moved to no other star system. */
const SETTLED_EACH = 3

/** One of so many of them begins a round beside the station. */
const PLACED_ONE_IN = 4

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
  { options, history, mines, random }: Run,
  { session, url, game }: RunningServer,
  tally: Tally,
): Promise<Traffic> {
  const { scenario } = session
  await fillPilots(session, options.clients)
  const over = new AbortController()
  const hasMines = mines !== undefined
  const context = { scenario, history, hasMines, over: over.signal }
  const pilots = await startPilots(context, scenario.pilots, { url, random })
  const [settled, idle] = partition(scenario.pilots, (i) => hasMines && i % SETTLED_EACH === 0)
  const lane = async (): Promise<void> => {
    while (!over.signal.aborted && game.running()) {
      const [account] = idle.splice(random.below(idle.length), 1)
      await transfer(session, account, tally)
      idle.push(account)
    }
  }
  const lanes = Math.min(LANES, idle.length)
  const placed = settled.filter(() => random.oneIn(PLACED_ONE_IN))
  const requests: Promise<unknown>[] = [
    ...Array.from({ length: lanes }, lane),
    ...placed.map((account) => place(session, account)),
  ]
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

function partition<Item>(
  items: readonly Item[],
  isFirst: (place: number) => boolean,
): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (_, place) => {
    return isFirst(place) ? 'first' : 'second'
  })
  return [first, second]
}

/** Moves a ship to where it can dock. */
async function place({ scenario, admin }: Session, { shipId }: Account): Promise<void> {
  await send(scenario, [], () =>
    admin.call(api.alterShip, { ship_id: shipId, station_id: STATION_ID }),
  )
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
