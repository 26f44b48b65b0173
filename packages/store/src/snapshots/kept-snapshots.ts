import type postgres from 'postgres'

/** Snapshots of the schedule and of clean stops that stay, beside each era's first. */
export interface Keeping {
  /** the newest of each star system, whatever their age */
  readonly keep: number
  /** and those so long after the last one kept of their era [ms]; by default none */
  readonly apartMs?: number
}

/** A snapshot with the star systems that are in it. */
export interface SnapshotSystems {
  readonly id: number
  readonly systems: readonly string[]
}

interface Candidate extends SnapshotSystems {
  readonly isScheduled: boolean
  readonly createdMs: number
  /** of its era; null when that is forgotten */
  readonly firstId: number | null
}

/** The complete snapshots that need not stay. */
export async function superfluous(
  sql: postgres.ISql,
  { keep, apartMs = Infinity }: Keeping,
): Promise<SnapshotSystems[]> {
  const candidates = await sql<Candidate[]>`
    select id::float8 as id, kind in ('automatic', 'stop') as "isScheduled",
      (extract(epoch from created_at) * 1000)::float8 as "createdMs",
      snapshot_id::float8 as "firstId",
      array(select jsonb_object_keys(sequences)) as systems
    from snapshot left join era using (era) where complete order by id`
  const scheduled = candidates.filter(({ isScheduled }) => isScheduled)
  const newest = new Set(keep > 0 ? newestOfEach(scheduled, keep) : [])
  const keptMs = new Map<number, number>()
  const stays = (one: Candidate): boolean => {
    const { id, createdMs, firstId } = one
    if (firstId === null || id < firstId) return newest.has(one)
    const isApart = createdMs - (keptMs.get(firstId) ?? createdMs) >= apartMs
    if (id === firstId || (one.isScheduled && isApart)) keptMs.set(firstId, createdMs)
    else return newest.has(one)
    return true
  }
  return candidates.filter((one) => !stays(one) && one.isScheduled)
}

function newestOfEach(scheduled: readonly Candidate[], keep: number): Candidate[] {
  const all = new Set(scheduled.flatMap(({ systems }) => systems))
  return Array.from(all).flatMap((system) =>
    scheduled.filter(({ systems }) => systems.includes(system)).slice(-keep),
  )
}

/** Those that were not completed; one above the newest may be one that is being written. */
export function interrupted(sql: postgres.ISql): Promise<SnapshotSystems[]> {
  return sql<SnapshotSystems[]>`
    select id::float8 as id, array(select jsonb_object_keys(sequences)) as systems from snapshot
    where not complete and id < (select max(id) from snapshot where complete)`
}
