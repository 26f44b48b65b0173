/** Who owns the star systems of a cluster, by the database. */
import { SYSTEM_IDS } from '@orrery/game'
import { type HostRow, listHosts, listOwners } from '@orrery/store'
import { testPatience } from '@orrery/testkit/tier'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../trials/game-directory.ts'
import type { Member } from './members.ts'

/** Beats of a host that lives are never so old [s]. */
const SILENT_SECONDS = 2

/** A follower that is so close can take over at once [s of game time]. */
const LAG_SECONDS_MAX = 60

const LOOK_MS = 20

/**
 * Waits until something holds; a failed look, as while the database is away, is repeated.
 *
 * @param msMax  on a free machine; `TEST_PATIENCE` times as long at most [ms]
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what, msMax }: { readonly what: string; readonly msMax: number },
): Promise<void> {
  const endMs = performance.now() + msMax * testPatience()
  let failure: unknown
  while (performance.now() < endMs) {
    const held = await Promise.resolve()
      .then(holds)
      .catch((error: unknown) => {
        failure = error
        return false
      })
    if (held) return
    await sleep(LOOK_MS)
  }
  throw new Error(`Not within ${msMax / 1000} s: ${what}`, { cause: failure })
}

/** A host and the star systems that it owns. */
export interface Owner {
  readonly member: Member
  readonly systemIds: readonly string[]
}

/** The hosts that own systems. */
export async function ownersOf(sql: Sql, members: readonly Member[]): Promise<Owner[]> {
  return (await listHosts(sql)).flatMap(({ address, systems: systemIds }) => {
    const member = members.find((one) => one.address === address)
    return member && systemIds.length > 0 ? [{ member, systemIds }] : []
  })
}

/** Whether each host lives, and all systems are owned by them or followed. */
export async function isWhole(sql: Sql, members: readonly Member[]): Promise<boolean> {
  const rows = (await listHosts(sql)).filter(isLive)
  const owned = new Set(rows.flatMap(({ systems }) => systems))
  return (
    rows.length === members.length &&
    members.every((member) => rows.some(({ address }) => address === member.address)) &&
    SYSTEM_IDS.every((id) => owned.has(id)) &&
    rows.every(({ systems, lag }) => systems.length > 0 || (lag ?? Infinity) < LAG_SECONDS_MAX)
  )
}

function isLive({ ageSeconds }: HostRow): boolean {
  return ageSeconds !== null && ageSeconds < SILENT_SECONDS
}

/** The claims of all systems, as one text. */
export async function claimsOf(sql: Sql): Promise<string> {
  return (await listOwners(sql)).map(({ system, claim }) => `${system} ${claim}`).join()
}
