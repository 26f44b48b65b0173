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

/** A host as its row shows it. */
export interface HostRow extends Host, HostState {
  readonly beats: number
  /** since its last beat, by the database's clock [s]; null before the first */
  readonly ageSeconds: number | null
  readonly since: Date
  /** that it owns, by id */
  readonly systems: readonly string[]
}

/** The session with which a process shows that it lives. */
export interface Beats {
  /** Raises the host's beats, and holds its lock from then on. */
  beat(state: HostState): Promise<void>
}

/**
 * The beats of a host. Its row is made when it is missing.
 *
 * @param sql  of one connection, which nothing else uses
 */
export function beats(sql: postgres.Sql, host: Host): Beats {
  let lockedBy: number | undefined
  return {
    beat: async (state) => {
      const [{ pid, count }] = await sql<[{ pid: number; count: number }]>`
        insert into host ${sql({ ...host, ...state })}
        on conflict (incarnation) do update set beats = host.beats + 1, load = excluded.load,
          lag = excluded.lag, beat_at = clock_timestamp()
        returning pg_backend_pid() as pid, beats::float8 as count`
      if (count % REMOVAL_BEATS === 0) await removeGone(sql)
      if (pid === lockedBy) return
      // A new session has no lock. A host that looks at it in this moment may have it.
      const [{ locked }] = await sql<[{ locked: boolean }]>`
        select pg_try_advisory_lock(${HOST_LOCK}, hashtext(${host.incarnation})) as locked`
      lockedBy = locked ? pid : undefined
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

/** Whether a host beats, and holds its lock: that of a process that has ended is free at once. */
export async function isHostAlive(sql: postgres.Sql, incarnation: string): Promise<boolean> {
  const [row] = await sql<[{ isAlive: boolean }?]>`
    select clock_timestamp() - beat_at < ${SILENT}::interval
      and not pg_try_advisory_xact_lock(${HOST_LOCK}, hashtext(incarnation::text)) as "isAlive"
    from host where incarnation = ${incarnation} and beat_at is not null`
  return row?.isAlive ?? false
}

/** All hosts, those that own star systems first. */
export function listHosts(sql: postgres.Sql): Promise<HostRow[]> {
  return sql<HostRow[]>`
    select incarnation, address, cores, physics, release, load, lag, beats::float8 as beats, since,
      extract(epoch from clock_timestamp() - beat_at)::float8 as "ageSeconds",
      coalesce(array_agg(system order by system) filter (where system is not null), '{}') as systems
    from host left join system_owner on host.incarnation = system_owner.host
    group by incarnation order by count(system) desc, since, incarnation`
}
