import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { StoreError } from './error.ts'
import { HOST_LOCK, type Host, removeGone } from './hosts.ts'
import { json } from './json.ts'

/** Longest wait of a claim for a batch that is being written. */
const CLAIM_LOCK_MS = 2000

/** A star system's row, without its host. */
export interface OwnerRow {
  readonly system: string
  /** raised by each claim */
  readonly fence: number
  /** a UUID, made by each claim */
  readonly claim: string
  /** of the last batch written */
  readonly sequence: number
}

/** A star system's row, and what its owner shows of itself at this moment. */
export interface SystemSeen extends OwnerRow {
  /** undefined for a tool */
  readonly host: string | undefined
  readonly address: string | undefined
  /** incarnation of the host that an operator wants it on, if there is such a host */
  readonly wanted: string | undefined
  /** 0 for a process that raises none */
  readonly beats: number
  /** whether no session holds the lock of its host */
  readonly isLockFree: boolean
  /** age of the oldest session; all locks end with a server that restarts, or is another one [s] */
  readonly sessionSeconds: number
}

/** The star systems of one owner. */
export class Ownership {
  #rows: ReadonlyMap<string, OwnerRow>

  constructor(rows: readonly OwnerRow[]) {
    this.#rows = bySystem(rows)
  }

  /** As it claimed them; other ones once it has renewed them. */
  claims(): ReadonlyMap<string, OwnerRow> {
    return this.#rows
  }

  /** Goes on with claims that replace those it had. */
  adopt(rows: readonly OwnerRow[]): void {
    this.#rows = bySystem(rows)
  }

  /** Takes claims of more systems. */
  add(rows: readonly OwnerRow[]): void {
    this.#rows = bySystem([...this.#rows.values(), ...rows])
  }

  /** Gives up a system. */
  drop(system: string): void {
    this.#rows = bySystem([...this.#rows.values()].filter((row) => row.system !== system))
  }
}

function bySystem(rows: readonly OwnerRow[]): ReadonlyMap<string, OwnerRow> {
  return new Map(rows.map((row) => [row.system, row]))
}

/** The systems of some claims whose rows show other ones. */
export function lostOf(
  claims: Iterable<Pick<OwnerRow, 'system' | 'fence' | 'claim'>>,
  rows: readonly OwnerRow[],
): string[] {
  const found = bySystem(rows)
  return Array.from(claims).flatMap(({ system, fence, claim }) => {
    const row = found.get(system)
    return row?.fence === fence && row.claim === claim ? [] : [system]
  })
}

export function fenced(systemIds: readonly string[]): StoreError {
  const message = `Another owner has taken ${systemIds.join(', ')}.`
  return new StoreError('ERR_FENCED', message, { systemIds })
}

/** Rows of the owners in the order of ids, in which all lock them. */
export function rowsInOrder(
  sql: postgres.ISql,
  isLocking: boolean = false,
  systemIds?: readonly string[],
): Promise<OwnerRow[]> {
  return sql<OwnerRow[]>`
    select system, fence::float8 as fence, claim, sequence::float8 as sequence from system_owner
    ${systemIds ? sql`where system = any(${systemIds})` : sql``}
    order by system ${isLocking ? sql`for no key update` : sql``}`
}

/** The rows of all star systems in the order of ids. */
export function listOwners(sql: postgres.Sql): Promise<OwnerRow[]> {
  return rowsInOrder(sql)
}

type Absent = 'host' | 'address' | 'wanted'

/** The rows of all star systems in the order of ids, with what their owners show. */
export async function seenSystems(sql: postgres.Sql): Promise<SystemSeen[]> {
  const rows = await sql<(Omit<SystemSeen, Absent> & Record<Absent, null>)[]>`
    select system, fence::float8 as fence, claim, sequence::float8 as sequence, host, address,
      (select incarnation from host where incarnation = wanted_host) as wanted,
      coalesce(beats, 0)::float8 as beats,
      coalesce(pg_try_advisory_xact_lock(${HOST_LOCK}, hashtext(host::text)), true)
        as "isLockFree",
      (select extract(epoch from clock_timestamp() - min(backend_start))::float8
        from pg_stat_activity where usename = current_user) as "sessionSeconds"
    from system_owner left join host on host.incarnation = system_owner.host
    order by system`
  return rows.map((row) => ({
    ...row,
    host: row.host ?? undefined,
    address: row.address ?? undefined,
    wanted: row.wanted ?? undefined,
  }))
}

/**
 * Names the host that is to own a system; the owner gives it to that one.
 *
 * @returns false where there is no such system or host, or that is drained or has a wrong clock
 */
export async function wantOn(
  sql: postgres.ISql,
  { system, host }: { readonly system: string; readonly host: string },
): Promise<boolean> {
  const { count } = await sql`
    update system_owner set wanted_host = ${host}
    where system = ${system} and exists (
      select from host
      where incarnation = ${host} and clock_state <> 'wrong'
        and address not in (select address from drained_host))`
  return count > 0
}

/**
 * Gives systems to another host, which finds its claims in their rows. What was on its way from the
 * owner has ended by then, and all that it writes later is refused.
 *
 * @throws StoreError `ERR_FENCED`
 */
export async function giveSystems(
  sql: postgres.ISql,
  owner: Ownership,
  { systems, host }: { readonly systems: readonly string[]; readonly host: string },
): Promise<void> {
  const given = await sql<{ system: string }[]>`
    update system_owner set fence = system_owner.fence + 1, claim = gen_random_uuid(),
      host = ${host}
    from ${claimsIn(sql, owner, systems)}
    where (system_owner.system, system_owner.fence, system_owner.claim)
      = (given.system, given.fence, given.claim)
    returning system_owner.system`
  for (const system of systems) owner.drop(system)
  const lost = systems.filter((id) => !given.some(({ system }) => system === id))
  if (lost.length > 0) throw fenced(lost)
}

/** Which systems are claimed, and for which host. */
export interface NewClaim {
  /** created when missing; by default all there are */
  readonly systemIds?: readonly string[]
  /** without it a tool claims */
  readonly host?: Host
  /** the rows that it is to replace, by default those there are; others are another's claim */
  readonly seen?: readonly OwnerRow[]
}

/**
 * Takes star systems: raises the fence of each and gives it a new claim. Whatever an owner before
 * is still writing has ended by then, and all that it writes later is refused.
 *
 * @throws StoreError `ERR_CLAIM_LOST` when another takes one in the same moment
 */
export async function claimSystems(
  sql: postgres.Sql,
  { systemIds, host, seen: expected }: NewClaim = {},
): Promise<Ownership> {
  if (systemIds && systemIds.length > 0) {
    const rows = systemIds.toSorted().map((system) => ({ system }))
    await sql`insert into system_owner ${sql(rows)} on conflict (system) do nothing`
  }
  const known = new Map(expected?.map((row) => [row.system, row]))
  const found = await rowsInOrder(sql, false, systemIds)
  const seen = found.map((row) => known.get(row.system) ?? row)
  const ids = seen.map(({ system }) => system)
  const lost = (systems: readonly string[], cause?: unknown): StoreError => {
    const message = `Another server takes ${systems.join(', ')} in this moment.`
    return new StoreError('ERR_CLAIM_LOST', message, { cause, systemIds: systems })
  }
  // Another owner has claimed what had no row, or none that was seen.
  const unseen = expected
    ? found.filter(({ system, fence }) => !known.has(system) && fence > 0)
    : []
  if (unseen.length > 0) throw lost(unseen.map(({ system }) => system))
  const take = (): Promise<OwnerRow[]> =>
    sql.begin(async (transaction) => {
      await transaction`select set_config('lock_timeout', ${`${CLAIM_LOCK_MS}ms`}, true)`
      const others = lostOf(seen, await rowsInOrder(transaction, true, ids))
      if (others.length > 0) throw lost(others)
      await claim(transaction, ids, host)
      return rowsInOrder(transaction, false, ids)
    })
  // Whoever observed an owner for seconds does not wait for it again.
  if (expected) await endStandstill(sql)
  const isLocked = (error: unknown): boolean => Object(error).code === '55P03'
  try {
    return new Ownership(
      await take().catch(async (error: unknown) => {
        if (!isLocked(error)) throw error
        await endStandstill(sql)
        return take()
      }),
    )
  } catch (error) {
    throw isLocked(error) ? lost(ids, error) : error
  }
}

/**
 * Ends sessions that hold rows of owners while the server waits for their next message: a stopped
 * process. In the middle of a statement's messages the server's own limit does not count.
 */
async function endStandstill(sql: postgres.Sql): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event = 'ClientRead' and state_change < clock_timestamp() - interval '1 second'
      and pid in (select pid from pg_locks where relation = 'system_owner'::regclass
        and mode in ('RowShareLock', 'RowExclusiveLock'))`
}

async function claim(
  sql: postgres.TransactionSql,
  systemIds: readonly string[],
  host: Host | undefined,
): Promise<void> {
  if (host) {
    await sql`
      insert into host ${sql({ ...host, beats: 1 })} on conflict (incarnation) do nothing`
  }
  await sql`
    update system_owner set fence = fence + 1, claim = gen_random_uuid(),
      host = ${host?.incarnation ?? null}
    where system = any(${systemIds})`
  await removeGone(sql)
}

/** A change of an owner's claims that comes with a change of its world. */
export class Renewal {
  readonly owner: Ownership
  readonly claim: string = randomUUID()
  raised: readonly OwnerRow[] | undefined

  constructor(owner: Ownership) {
    this.owner = owner
  }

  /** To be called when the change is durable. */
  adopt(): void {
    if (this.raised) this.owner.adopt(this.raised)
  }
}

/**
 * Takes all star systems with raised fences, those of other owners too: what was on its way to
 * the world before is refused. The same once more changes nothing.
 *
 * @param sql a transaction to take part in
 * @throws StoreError `ERR_FENCED`
 */
export async function raiseFences(sql: postgres.ISql, renewal: Renewal): Promise<void> {
  const { owner, claim: next } = renewal
  const rows = await rowsInOrder(sql, true)
  const raisedBefore = new Set(rows.filter(({ claim }) => claim === next).map((row) => row.system))
  const lost = lostOf(owner.claims().values(), rows).filter((system) => !raisedBefore.has(system))
  if (lost.length > 0) throw fenced(lost)
  const [own] = owner.claims().keys()
  await sql`
    update system_owner set fence = fence + 1, claim = ${next},
      host = (select host from system_owner where system = ${own ?? null})
    where claim <> ${next}`
  renewal.raised = await rowsInOrder(sql)
}

/**
 * A condition: the owner still has its systems. Their rows stay locked until the commit, so that no
 * other takes them meanwhile.
 *
 * @param owner without one it is true
 * @param systems that it must have as far as it claimed them; by default all that it claimed
 */
export function owned(
  sql: postgres.ISql,
  owner: Ownership | undefined,
  systems?: readonly string[],
): postgres.PendingQuery<postgres.Row[]> {
  if (!owner) return sql`true`
  return sql`
    (select count(*) from (
      select from system_owner join ${claimsIn(sql, owner, systems)} using (system, fence, claim)
      order by system for no key update of system_owner) as held)
    = ${claimsOf(owner, systems).length}`
}

/** The same without a lock: for what the next owner would write, too. */
export function seemsOwned(
  sql: postgres.ISql,
  owner: Ownership | undefined,
): postgres.PendingQuery<postgres.Row[]> {
  if (!owner) return sql`true`
  return sql`
    (select count(*) from system_owner join ${claimsIn(sql, owner)} using (system, fence, claim))
      = ${owner.claims().size}`
}

/**
 * A condition: the owner still has the system in `given."systemId"`. The rows of its systems stay
 * locked until the commit, so that whoever owns one next writes behind this.
 */
export function ownedGiven(
  sql: postgres.ISql,
  owner: Ownership | undefined,
): postgres.PendingQuery<postgres.Row[]> {
  if (!owner) return sql`true`
  const held = [...owner.claims().values()]
  return sql`
    given."systemId" in (
      select system from system_owner join jsonb_to_recordset(${json(sql, held)})
        as claimed (system text, fence bigint, claim uuid) using (system, fence, claim)
      order by system for no key update of system_owner)`
}

/** @throws StoreError `ERR_FENCED` when the owner has lost one of the systems */
export async function requireOwned(
  sql: postgres.ISql,
  owner: Ownership | undefined,
  systems?: readonly string[],
): Promise<void> {
  if (!owner) return
  const lost = lostOf(claimsOf(owner, systems), await rowsInOrder(sql))
  if (lost.length > 0) throw fenced(lost)
}

function claimsOf(owner: Ownership, systems?: readonly string[]): readonly OwnerRow[] {
  const claims = [...owner.claims().values()]
  return systems ? claims.filter(({ system }) => systems.includes(system)) : claims
}

function claimsIn(
  sql: postgres.ISql,
  owner: Ownership,
  systems?: readonly string[],
): postgres.PendingQuery<postgres.Row[]> {
  const given = claimsOf(owner, systems)
  return sql`jsonb_to_recordset(${json(sql, given)})
    as given (system text, fence bigint, claim uuid)`
}
