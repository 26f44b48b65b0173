import type postgres from 'postgres'

/** Snapshots of the schedule and of clean stops that stay, beside each era's first. */
export interface Keeping {
  /** the newest, whatever their age */
  readonly keep: number
  /** and those so long after the last one kept of their era [ms]; by default none */
  readonly apartMs?: number
}

interface Candidate {
  readonly id: number
  readonly isScheduled: boolean
  readonly createdMs: number
  /** of its era; null when that is forgotten */
  readonly firstId: number | null
}

/** Ids of the complete snapshots that need not stay. */
export async function superfluous(
  sql: postgres.ISql,
  { keep, apartMs = Infinity }: Keeping,
): Promise<number[]> {
  const candidates = await sql<Candidate[]>`
    select id::float8 as id, kind in ('automatic', 'stop') as "isScheduled",
      (extract(epoch from created_at) * 1000)::float8 as "createdMs",
      snapshot_id::float8 as "firstId"
    from snapshot left join era using (era) where complete order by id`
  const scheduled = candidates.filter(({ isScheduled }) => isScheduled)
  const newest = new Set(keep > 0 ? scheduled.slice(-keep) : [])
  const keptMs = new Map<number, number>()
  const stays = (one: Candidate): boolean => {
    const { id, createdMs, firstId } = one
    if (firstId === null || id < firstId) return newest.has(one)
    const isApart = createdMs - (keptMs.get(firstId) ?? createdMs) >= apartMs
    if (id === firstId || (one.isScheduled && isApart)) keptMs.set(firstId, createdMs)
    else return newest.has(one)
    return true
  }
  return candidates.filter((one) => !stays(one) && one.isScheduled).map(({ id }) => id)
}
