import type postgres from 'postgres'
import { type Era, eras } from './era.ts'
import { type Ownership, owned, requireOwned, seemsOwned } from '../ownership.ts'
import { type Snapshots, isWhole, newestIds } from '../snapshots/snapshot.ts'

interface PossibleStart {
  readonly id: number
  readonly era: number
  readonly createdAt: Date
  readonly sequences: Readonly<Record<string, number>>
  readonly lattice: number
  readonly physics: number
}

/** What of the journal stays. */
export interface JournalKeeping {
  /** newest snapshots of the schedule and of clean stops from which it can be replayed */
  readonly keep: number
  /** and what was written since [Unix ms] */
  readonly sinceMs: number
  /** ends it after a deletion; the next pruning continues */
  readonly signal?: AbortSignal
  /** without it whoever has the database to itself prunes */
  readonly owner?: Ownership
}

/** Of what is deleted, and what may end that. */
type Deletion = Pick<JournalKeeping, 'signal' | 'owner'>

// Some milliseconds: a stop waits for one deletion of each table at most.
const ROWS_DELETED_AT_ONCE = 2000

/**
 * Moves the beginning of each era to the newest snapshot of the schedule or of a clean stop that
 * has all its systems and that all that stays follows, and deletes the journal before it; of past
 * eras that have ended before, all but their snapshots. The newest era stays, and as evidence,
 * whole, the last one whose digests differed. A damaged snapshot begins nothing.
 *
 * @throws StoreError `ERR_FENCED` when the owner has lost a system
 */
export async function pruneJournal(
  sql: postgres.Sql,
  snapshots: Pick<Snapshots, 'byId'>,
  { keep, sinceMs, ...deletion }: JournalKeeping,
): Promise<void> {
  const starts = await sql<PossibleStart[]>`
    select id::float8 as id, era, created_at as "createdAt", sequences,
      lattice::float8 as lattice, physics
    from snapshot
    where complete and kind in ('automatic', 'stop') and ${isWhole(sql)}
      or id in (select snapshot_id from era)
    order by id desc`
  const [{ oldest }] = await sql<[{ oldest: number | null }]>`
    select min(id)::float8 as oldest from (${newestIds(sql, keep)}) as newest`
  const isPast = ({ createdAt }: PossibleStart): boolean => createdAt.getTime() <= sinceMs
  const all = await eras(sql).list()
  const evidence = all.findLastIndex(({ reason }) => reason === 'mismatch') - 1
  for (const [place, era] of all.entries()) {
    const next = all.at(place + 1)
    if (place === evidence) continue
    // An era begins with a later snapshot only when that is past, too.
    if (next && starts.some((one) => one.id === next.snapshotId && isPast(one))) {
      await deleteEra(sql, era.era, deletion)
      continue
    }
    const possible = starts.filter(
      (one) =>
        one.era === era.era &&
        one.id >= era.snapshotId &&
        one.id <= (oldest ?? Infinity) &&
        isPast(one),
    )
    const start = await firstSound(snapshots, era, possible)
    if (start) await shorten(sql, era, start, deletion)
  }
}

async function shorten(
  sql: postgres.Sql,
  { era }: Era,
  start: PossibleStart,
  deletion: Deletion,
): Promise<void> {
  // First, so that an interruption leaves rows before the start, not a start before the rows.
  const { count } = await sql`
    update era set snapshot_id = ${start.id}, physics = ${start.physics}
    where era = ${era} and ${owned(sql, deletion.owner)}`
  if (count === 0) await requireOwned(sql, deletion.owner)
  for (const [system, sequence] of Object.entries(start.sequences)) {
    const ofSystem = sql`era = ${era} and system = ${system}`
    await deleteRows(sql, 'journal', sql`${ofSystem} and sequence <= ${sequence}`, deletion)
    await deleteRows(sql, 'clock', sql`${ofSystem} and sequence < ${sequence}`, deletion)
  }
  const passed = sql`era = ${era} and lattice < ${start.lattice}`
  await deleteRows(sql, 'digest', passed, deletion)
  await deleteRows(sql, 'hand_off', sql`${passed} and state <> 'departed'`, deletion)
}

async function firstSound(
  snapshots: Pick<Snapshots, 'byId'>,
  { snapshotId }: Era,
  possible: readonly PossibleStart[],
): Promise<PossibleStart | undefined> {
  for (const one of possible) {
    if (one.id === snapshotId) return one
    if ((await snapshots.byId(one.id)) !== undefined) return one
  }
  return undefined
}

async function deleteEra(sql: postgres.Sql, era: number, deletion: Deletion): Promise<void> {
  for (const table of ['journal', 'clock', 'digest', 'hand_off'] as const) {
    await deleteRows(sql, table, sql`era = ${era}`, deletion)
  }
  // Its rows belong to it until all are deleted.
  if (deletion.signal?.aborted) return
  await sql`delete from era where era = ${era} and ${owned(sql, deletion.owner)}`
}

async function deleteRows(
  sql: postgres.Sql,
  table: 'journal' | 'clock' | 'digest' | 'hand_off',
  condition: postgres.PendingQuery<postgres.Row[]>,
  { signal, owner }: Deletion,
): Promise<void> {
  for (;;) {
    if (signal?.aborted) return
    const { count } = await sql`
      delete from ${sql(table)} where ctid in (
        select ctid from ${sql(table)} where ${condition} limit ${ROWS_DELETED_AT_ONCE})
        and ${seemsOwned(sql, owner)}`
    if (count === ROWS_DELETED_AT_ONCE) continue
    if (count === 0) await requireOwned(sql, owner)
    return
  }
}
