import type postgres from 'postgres'

/** First half of the key of each host's advisory lock. */
export const HOST_LOCK = 0x68_6f_73_74

/** Rows of hosts that have not beaten for so long are removed. */
const GONE = '1 minute'

/** Beats between two removals of such rows. */
const REMOVAL_BEATS = 256

/** A process that may own star systems. */
export interface Host {
  /** a UUID, made by each start */
  readonly incarnation: string
  /** URL at which other processes reach it */
  readonly address: string
  readonly cores: number
  readonly physics: number
  readonly release: string
}

/** What changes while a host lives. */
export interface HostState {
  /** share of the time that ticks take */
  readonly load: number
  /** behind the owner that it follows [s of game time]; null while it follows none */
  readonly lag: number | null
}

/** `off` is worth a warning; a host whose clock is `wrong` owns nothing while another one can. */
export type ClockState = 'right' | 'off' | 'wrong'

/** The clock of a host's machine beside that of the database. */
export interface HostClock {
  /** less that of the database [s]; null until it is known */
  readonly clockOffset: number | null
  readonly clockState: ClockState
}

const UNKNOWN_CLOCK: HostClock = { clockOffset: null, clockState: 'right' }

/** What the database answers to a beat. */
export interface BeatAnswer extends Pick<HostRow, 'isDrained'> {
  /** by its clock, while it had the beat [Unix ms] */
  readonly utcMs: number
}

/** A host as its row shows it. */
export interface HostRow extends Host, HostState, HostClock {
  readonly beats: number
  /** since its last beat, by the database's clock [s]; null before the first */
  readonly ageSeconds: number | null
  readonly since: Date
  /** that it owns, by id */
  readonly systems: readonly string[]
  /** it gives away what it owns, and gets nothing */
  readonly isDrained: boolean
}

/** The session with which a process shows that it lives. */
export interface Beats {
  /** Raises the host's beats, and holds its lock from then on. */
  beat(state: HostState, clock?: HostClock): Promise<BeatAnswer>
}

/**
 * The beats of a host. Its row is made when it is missing.
 *
 * @param sql  of one connection, which nothing else uses
 */
export function beats(sql: postgres.Sql, host: Host): Beats {
  let lockedBy: number | undefined
  return {
    beat: async (state, { clockOffset, clockState } = UNKNOWN_CLOCK) => {
      const row = { ...host, ...state, clock_offset: clockOffset, clock_state: clockState }
      const [{ pid, count, ...answer }] = await sql<[{ pid: number; count: number } & BeatAnswer]>`
        insert into host ${sql(row)}
        on conflict (incarnation) do update set beats = host.beats + 1, load = excluded.load,
          lag = excluded.lag, clock_offset = excluded.clock_offset,
          clock_state = excluded.clock_state, beat_at = clock_timestamp()
        returning pg_backend_pid() as pid, beats::float8 as count, ${drained(sql)} as "isDrained",
          1000 * extract(epoch from clock_timestamp())::float8 as "utcMs"`
      if (count % REMOVAL_BEATS === 0) await removeGone(sql)
      if (pid === lockedBy) return answer
      // A new session has no lock. A host that looks at it in this moment may have it.
      const [{ locked }] = await sql<[{ locked: boolean }]>`
        select pg_try_advisory_lock(${HOST_LOCK}, hashtext(${host.incarnation})) as locked`
      lockedBy = locked ? pid : undefined
      return answer
    },
  }
}

/** Removes the rows of hosts that are long gone and own nothing. */
export async function removeGone(sql: postgres.ISql): Promise<void> {
  await sql`
    delete from host
    where coalesce(beat_at, since) < clock_timestamp() - ${GONE}::interval
      and incarnation not in (select host from system_owner where host is not null)`
}

/** A host that has not beaten for so long lives no more. */
const SILENT = '2 seconds'

function drained(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`(host.address in (select address from drained_host))`
}

/**
 * Whether a host may be given star systems: it beats, holds its lock, which the end of its process
 * frees, is not drained, and its clock is not wrong.
 */
export async function mayOwn(sql: postgres.Sql, incarnation: string): Promise<boolean> {
  const [row] = await sql<[{ mayOwn: boolean }?]>`
    select clock_timestamp() - beat_at < ${SILENT}::interval and not ${drained(sql)}
      and clock_state <> 'wrong'
      and not pg_try_advisory_xact_lock(${HOST_LOCK}, hashtext(incarnation::text)) as "mayOwn"
    from host where incarnation = ${incarnation} and beat_at is not null`
  return row?.mayOwn ?? false
}

/** All hosts, those that own star systems first. */
export function listHosts(sql: postgres.Sql): Promise<HostRow[]> {
  return sql<HostRow[]>`
    select incarnation, address, cores, physics, release, load, lag, beats::float8 as beats, since,
      extract(epoch from clock_timestamp() - beat_at)::float8 as "ageSeconds",
      ${drained(sql)} as "isDrained", clock_offset as "clockOffset", clock_state as "clockState",
      coalesce(array_agg(system order by system) filter (where system is not null), '{}') as systems
    from host left join system_owner on host.incarnation = system_owner.host
    group by incarnation order by count(system) desc, since, incarnation`
}

/**
 * Drains a host, or ends that. What was wanted on it is so no more.
 *
 * @returns false where there is no such host
 */
export async function drainHost(
  sql: postgres.Sql,
  { host, drained: isDrained }: { readonly host: string; readonly drained: boolean },
): Promise<boolean> {
  const [row] = await sql<[{ address: string }?]>`
    select address from host where incarnation = ${host}`
  if (!row) return false
  if (!isDrained) {
    await sql`delete from drained_host where address = ${row.address}`
    return true
  }
  await sql.begin(async (transaction) => {
    await transaction`insert into drained_host ${sql(row)} on conflict (address) do nothing`
    await transaction`update system_owner set wanted_host = null where wanted_host = ${host}`
  })
  return true
}
