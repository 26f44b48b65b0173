/** Concurrent load on a server: pilots and two admins. */
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from './scenario.ts'
import type { OrderHistory } from './order-history.ts'
import { type Operation, ACCOUNT_OPERATIONS, register } from './account-operations.ts'
import { startPilots } from './pilots.ts'
import { WORLD_OPERATIONS } from './world-operations.ts'

/** Longest pause between two operations [ms]. */
const REST_MS_MAX = 150

/** Concurrent registrations. */
const REGISTERING = 8

export interface Load {
  /** starts an operation as the next one; resolves once its first request is sent */
  provoke(operation: Operation): Promise<void>
  /** all pilots send several orders at once */
  burst(): void
  /** resolves when every request has an answer or can no longer have one */
  end(): Promise<void>
}

/** Connects all pilots, after replacing those whose accounts were removed. */
export async function startLoad(
  session: Session,
  history: OrderHistory,
  {
    url,
    clients,
    hasMines,
  }: { readonly url: string; readonly clients: number; readonly hasMines: boolean },
): Promise<Load> {
  const { scenario, random } = session
  await fillPilots(session, clients)
  const over = new AbortController()
  const context = { scenario, history, hasMines, over: over.signal }
  const pilots = await startPilots(context, scenario.pilots, { url, random })
  const wanted: { operation: Operation; begun: () => void }[] = []
  const world = operations(session, WORLD_OPERATIONS, over.signal, wanted)
  const accounts = operations(
    { ...session, random: random.branch() },
    ACCOUNT_OPERATIONS,
    over.signal,
    [],
  )
  const bursts: Promise<unknown>[] = []
  return {
    provoke: (operation) => new Promise((begun) => void wanted.push({ operation, begun })),
    burst: () => void bursts.push(...pilots.map((pilot) => pilot.burst())),
    end: async () => {
      over.abort()
      for (const pilot of pilots) pilot.close()
      await Promise.all([world, accounts, ...bursts, ...pilots.map(({ done }) => done)])
    },
  }
}

/** Registers as many pilots as are missing. */
export async function fillPilots(session: Session, clients: number): Promise<void> {
  const { scenario } = session
  scenario.pilots = scenario.pilots.filter(({ username }) =>
    scenario.model.isCertain(`account:${username}`, true),
  )
  let asked = scenario.pilots.length
  const lane = async (): Promise<void> => {
    while (asked++ < clients) {
      const account = await register(session, 'pilot')
      if (!account) return
      scenario.pilots.push(account)
    }
  }
  await Promise.all(Array.from({ length: REGISTERING }, lane))
}

/** Runs random operations one after the other. */
async function operations(
  session: Session,
  table: ReadonlyMap<Operation, number>,
  over: AbortSignal,
  wanted: { operation: Operation; begun: () => void }[],
): Promise<void> {
  const { random } = session
  while (!over.aborted) {
    const next = wanted.shift()
    const running = (next?.operation ?? weighted(table, random))(session)
    next?.begun()
    await running
    await sleep(random.below(REST_MS_MAX), undefined, { signal: over }).catch(() => undefined)
  }
}

function weighted(table: ReadonlyMap<Operation, number>, random: Chance): Operation {
  const bag = [...table].flatMap(([operation, weight]) =>
    Array.from({ length: weight }, () => operation),
  )
  return random.pick(bag)
}
