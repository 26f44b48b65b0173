import type postgres from 'postgres'
import { json } from '../json.ts'
import type { JournalKey } from './journal-reading.ts'
import type { ClockRow } from './journal-record.ts'

/** An era, and how far each of its systems is known. */
export interface KnownEra {
  readonly era: number
  /** The snapshot that was opened, and the version of the physics that made it. */
  readonly snapshotId: number
  readonly physics: number
  /** Of the last command known of each system, by its id. */
  readonly sequences: Readonly<Record<string, number>>
}

/** How far one system is durable. */
export interface SystemHead extends JournalKey {
  /** Its last clock; undefined when none is at or past what is known. */
  readonly clock: ClockRow | undefined
  /** Incarnation of the host that owns it; undefined for a tool. */
  readonly owner: string | undefined
  /** Wall time since that was written, by the database's clock [s]; without one `Infinity`. */
  readonly ageSeconds: number
}

/** How far an era is durable, at one moment. */
export interface EraHeads {
  /** The newest era there is. */
  readonly newest: number
  /** A later snapshot of another physics: what follows it was made by that. */
  readonly otherPhysics: { readonly snapshotId: number; readonly physics: number } | undefined
  readonly systems: readonly SystemHead[]
}

type HeadRow = Omit<ClockRow, 'remainder'> & {
  readonly systemId: string
  readonly newest: number
  readonly otherId: number | null
  readonly otherPhysics: number
  readonly remainder: string | null
  readonly denominator: string
  readonly owner: string | null
  readonly ageSeconds: number | null
}

/**
 * Reads, in one statement, how far an era is durable. All rows up to a clock are there by then.
 *
 * @param known  with one system at least
 */
export async function eraHeads(sql: postgres.ISql, known: KnownEra): Promise<EraHeads> {
  const { era, snapshotId, physics, sequences } = known
  const places = Object.entries(sequences).map(([system, sequence]) => ({ system, sequence }))
  const rows = await sql<HeadRow[]>`
    select given.system as "systemId", (select max(era) from era) as newest,
      other.id::float8 as "otherId", other.physics as "otherPhysics",
      (select host from system_owner where system_owner.system = given.system) as owner, last.*
    from jsonb_to_recordset(${json(sql, places)}) as given (system text, sequence bigint)
    left join lateral (
      select id, physics from snapshot
      where era = ${era} and id > ${snapshotId} and complete and physics <> ${physics}
      order by id limit 1
    ) as other on true
    left join lateral (
      select sequence::float8 as sequence, lattice::float8 as lattice, remainder, denominator,
        tick::float8 as tick, tick_rate as "tickRate", time_scale as "timeScale", paused,
        extract(epoch from clock_timestamp() - written_at)::float8 as "ageSeconds"
      from clock
      where era = ${era} and clock.system = given.system and clock.sequence >= given.sequence
      order by clock.sequence desc limit 1
    ) as last on true`
  const [{ newest, otherId, otherPhysics }] = rows as unknown as [HeadRow]
  return {
    newest,
    otherPhysics: otherId === null ? undefined : { snapshotId: otherId, physics: otherPhysics },
    systems: rows.map((row) => ({
      era,
      systemId: row.systemId,
      clock: clockOf(row),
      owner: row.owner ?? undefined,
      ageSeconds: row.ageSeconds ?? Infinity,
    })),
  }
}

function clockOf(row: HeadRow): ClockRow | undefined {
  const { sequence, lattice, remainder, denominator, tick, tickRate, timeScale, paused } = row
  if (remainder === null) return undefined
  const time = { remainder: [remainder, denominator] as const, tick, tickRate, timeScale, paused }
  return { sequence, lattice, ...time }
}
