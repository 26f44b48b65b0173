/** Ships that go from star system to star system, one after the other at each gateway. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../crash/run.ts'
import type { Session } from '../crash/scenario.ts'
import { transfer } from '../crash/traffic.ts'
import type { Sql } from '../trials/game-directory.ts'

/** Time for a ship to arrive, also where its host or the database is away [ms]. */
const ARRIVAL_MS_MAX = 60_000
const LOOK_MS = 5

/** Longest pause between two jumps [ms]. */
const REST_MS_MAX = 300

export interface Jump {
  /** from the request to the durable arrival [ms] */
  readonly ms: number
  /** something was done to the cluster meanwhile */
  readonly isDisturbed: boolean
}

export interface Jumps {
  readonly done: readonly Jump[]
  /** something is done to the cluster from now on, or no more */
  disturbed(isDisturbed: boolean): void
  /** resolves when each ship has arrived */
  end(): Promise<unknown>
}

export function startJumps(
  { random, scenario, violations }: Run,
  sessions: readonly Session[],
  { sql, opened }: { readonly sql: Sql; readonly opened: AsyncDisposableStack },
): Jumps {
  const over = new AbortController()
  const broken = new AbortController()
  const done: Jump[] = []
  let disturbances = 0
  let isDisturbed = false
  const idle = [...scenario.pilots]
  const jump = async (session: Session): Promise<void> => {
    const [account] = idle.splice(session.random.below(idle.length), 1)
    const tally = { transfers: 0 }
    const before = isDisturbed ? -1 : disturbances
    const startMs = performance.now()
    await transfer(session, account, tally)
    const hasArrived = await arrives(sql, account.shipId, broken.signal)
    const ms = performance.now() - startMs
    idle.push(account)
    if (!hasArrived) violations.push(`ship ${account.shipId} does not arrive`)
    else if (tally.transfers > 0) done.push({ ms, isDisturbed: before !== disturbances })
  }
  const lane = async (session: Session): Promise<void> => {
    while (!over.signal.aborted) {
      await jump(session)
      const rest = session.random.below(REST_MS_MAX)
      await sleep(rest, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const lanes = sessions.map((session) =>
    lane({ ...session, random: random.branch() }).catch((error: unknown) => {
      violations.push(String(Object(error).stack))
    }),
  )
  const end = (): Promise<unknown> => {
    over.abort()
    return Promise.all(lanes)
  }
  opened.defer(async () => {
    broken.abort()
    await end()
  })
  return {
    done,
    disturbed: (now) => {
      isDisturbed = now
      if (now) disturbances++
    },
    end,
  }
}

/** Waits until a ship is under way no more; what fails while the database is away is repeated. */
async function arrives(sql: Sql, shipId: string, broken: AbortSignal): Promise<boolean> {
  const endMs = performance.now() + ARRIVAL_MS_MAX
  while (performance.now() < endMs && !broken.aborted) {
    const rows = await sql`
      select from hand_off where ship_id = ${shipId} and state = 'departed'`.catch(() => [0])
    if (rows.length === 0) return true
    await sleep(LOOK_MS)
  }
  return false
}
