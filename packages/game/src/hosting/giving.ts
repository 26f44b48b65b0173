import type { Database } from '@orrery/database'
import { PHYSICS } from '@orrery/sim'
import { type Host, type HostRow, listHosts, mayOwn } from '@orrery/store'
import { HOME_ID } from '../game-records.ts'
import { rankedHosts } from './ranking.ts'

type Sql = Database['sql']

/** Beats of a host that lives are never so old [s]. */
const SILENT_SECONDS = 2

/** One that is to go on at once with a system is no farther behind [s of wall time]. */
const BEHIND_SECONDS = 1

/** A host that is not to own any more what it owns. */
type Leaving = Pick<Host, 'incarnation' | 'physics'>

/** A star system that is to go to another host. */
export interface Move {
  readonly systemId: string
  readonly host: string
}

/**
 * What an unfit host gives away next; the home system is another's only with all that is left.
 *
 * @param own  that it owns
 */
export async function drainMove(
  sql: Sql,
  host: Host,
  own: readonly string[],
): Promise<Move | undefined> {
  const systemId = own.find((id) => id !== HOME_ID)
  if (systemId === undefined) return undefined
  // One that flies systems would have to end that before it leads.
  const heir = own.includes(HOME_ID) ? await heirOf(sql, host) : undefined
  const others = (await candidates(sql, host)).filter(
    (one) => isReady(one) && one.incarnation !== heir,
  )
  const target = await firstThere(sql, rankedHosts(systemId, others))
  return target === undefined ? undefined : { systemId, host: target }
}

/**
 * The host that is to lead in place of another one: one that owns nothing, which goes on at once;
 * else one that flies systems.
 */
export async function heirOf(sql: Sql, host: Leaving): Promise<string | undefined> {
  return firstThere(sql, (await standingBy(sql, host)).filter(isReady))
}

/** The host that is to claim the world in place of one that is gone: also one that follows none. */
export async function claimantOf(sql: Sql, host: Leaving): Promise<string | undefined> {
  return firstThere(sql, await standingBy(sql, host))
}

/**
 * Whether a system can be given to a host that is to fly on at once: it flies, or follows closely.
 *
 * @param timeScale  of the system
 */
export async function mayBeGiven(
  sql: Sql,
  incarnation: string,
  timeScale: number,
): Promise<boolean> {
  const host = (await listHosts(sql)).find((one) => one.incarnation === incarnation)
  const { lag, systems } = host ?? { lag: null, systems: [] }
  // One physics flies all systems.
  if (host?.physics !== PHYSICS) return false
  const isClose = lag !== null && lag <= BEHIND_SECONDS * Math.max(1, timeScale)
  return (isClose || systems.length > 0) && mayOwn(sql, incarnation)
}

/**
 * Others in the order in which they are to lead: first those that own nothing and follow. A release
 * with the next physics is after all of this one.
 */
async function standingBy(sql: Sql, host: Leaving): Promise<readonly HostRow[]> {
  const next = { ...host, physics: host.physics + 1 }
  const others = [...(await candidates(sql, host)), ...(await candidates(sql, next))]
  const turn = (one: HostRow): number => {
    if (one.physics !== host.physics) return isReady(one) ? 3 : 4
    if (one.systems.length > 0) return 2
    return isReady(one) ? 0 : 1
  }
  return rankedHosts(HOME_ID, others).toSorted((a, b) => turn(a) - turn(b))
}

/** Whether a host follows, so that it goes on at once. */
function isReady({ lag, systems }: HostRow): boolean {
  return lag !== null || systems.length > 0
}

/** Hosts but one that live and may own its systems. */
async function candidates(sql: Sql, host: Leaving): Promise<readonly HostRow[]> {
  return (await listHosts(sql)).filter(
    ({ ageSeconds, clockState, incarnation, isDrained, physics }) =>
      incarnation !== host.incarnation &&
      physics === host.physics &&
      !isDrained &&
      clockState !== 'wrong' &&
      (ageSeconds ?? Infinity) < SILENT_SECONDS,
  )
}

async function firstThere(sql: Sql, hosts: readonly HostRow[]): Promise<string | undefined> {
  for (const { incarnation } of hosts) if (await mayOwn(sql, incarnation)) return incarnation
  return undefined
}
