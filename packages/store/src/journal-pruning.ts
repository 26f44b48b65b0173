import type postgres from 'postgres'
import { type Era, eras } from './era.ts'
import { type Snapshots, newestIds } from './snapshot.ts'

interface KeptSnapshot {
  readonly id: number
  readonly era: number
  readonly sequences: Readonly<Record<string, number>>
  readonly lattice: number
  readonly physics: number
}

// Some milliseconds: a stop waits for one deletion at most, and what was deleted stays deleted.
const ROWS_DELETED_AT_ONCE = 2000

/**
 * Deletes the journal before each era's oldest kept snapshot, which that era then begins with, and
 * eras without a kept one; the newest era always stays. Kept are what admins and backups have
 * stored and the newest `keep` others: `snapshots.prune` of the same number may follow. A snapshot
 * that is damaged begins nothing.
 */
export async function pruneJournal(
  sql: postgres.Sql,
  snapshots: Pick<Snapshots, 'byId'>,
  { keep }: { readonly keep: number },
): Promise<void> {
  const kept = await sql<KeptSnapshot[]>`
    select id::float8 as id, era, sequences, lattice::float8 as lattice, physics
    from snapshot
    where complete and (kind in ('admin', 'backup') or id in (${newestIds(sql, keep)}))
    order by id`
  const all = await eras(sql).list()
  for (const era of all) {
    const candidates = kept.filter((row) => row.era === era.era && row.id >= era.snapshotId)
    if (candidates.length > 0) await shorten(sql, snapshots, era, candidates)
    else if (era !== all.at(-1)) await deleteEra(sql, era.era)
  }
}

async function shorten(
  sql: postgres.Sql,
  snapshots: Pick<Snapshots, 'byId'>,
  era: Era,
  candidates: readonly KeptSnapshot[],
): Promise<void> {
  const start = await oldestSound(snapshots, era, candidates)
  if (start === undefined) return
  // First, so that an interruption leaves rows before the start, not a start before the rows.
  await sql`
    update era set snapshot_id = ${start.id}, physics = ${start.physics} where era = ${era.era}`
  // The journal of all systems together, '', ends before the first snapshot that does not name it.
  const sequences = { '': Number.MAX_SAFE_INTEGER, ...start.sequences }
  for (const [system, sequence] of Object.entries(sequences)) {
    const ofSystem = sql`era = ${era.era} and system = ${system}`
    await deleteRows(sql, 'journal', sql`${ofSystem} and sequence <= ${sequence}`)
    await deleteRows(sql, 'clock', sql`${ofSystem} and sequence < ${sequence}`)
  }
  const passed = sql`era = ${era.era} and lattice < ${start.lattice}`
  await deleteRows(sql, 'digest', passed)
  await deleteRows(sql, 'hand_off', sql`${passed} and arrived`)
}

async function oldestSound(
  snapshots: Pick<Snapshots, 'byId'>,
  era: Era,
  candidates: readonly KeptSnapshot[],
): Promise<KeptSnapshot | undefined> {
  for (const candidate of candidates) {
    if (candidate.id === era.snapshotId) return candidate
    if ((await snapshots.byId(candidate.id)) !== undefined) return candidate
  }
  return undefined
}

async function deleteEra(sql: postgres.Sql, era: number): Promise<void> {
  for (const table of ['journal', 'clock', 'digest', 'hand_off'] as const) {
    await deleteRows(sql, table, sql`era = ${era}`)
  }
  await sql`delete from era where era = ${era}`
}

async function deleteRows(
  sql: postgres.Sql,
  table: 'journal' | 'clock' | 'digest' | 'hand_off',
  condition: postgres.PendingQuery<postgres.Row[]>,
): Promise<void> {
  for (;;) {
    const { count } = await sql`
      delete from ${sql(table)} where ctid in (
        select ctid from ${sql(table)} where ${condition} limit ${ROWS_DELETED_AT_ONCE})`
    if (count < ROWS_DELETED_AT_ONCE) return
  }
}
