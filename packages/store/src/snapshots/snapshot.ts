import type postgres from 'postgres'
import { StoreError } from '../error.ts'
import { type Ownership, owned } from '../ownership.ts'
import { type Keeping, type SnapshotSystems, interrupted, superfluous } from './kept-snapshots.ts'
import type { NewSnapshot, Snapshot, SnapshotKind, SnapshotSummary } from './snapshot-record.ts'
import { type StoredSnapshot, state, write } from './snapshot-parts.ts'

/** A snapshot that was passed over, and why. */
export interface UnusableSnapshot {
  readonly id: number
  readonly reason: string
}

/** The stored snapshots; one that is incomplete or damaged does not exist. */
export interface Snapshots {
  /**
   * Compresses and stores a state and returns the snapshot's id.
   *
   * @throws StoreError `ERR_SNAPSHOT_INVALID` when one of its numbers is no exact whole number;
   *   `ERR_FENCED`; what `durable` throws
   */
  store(snapshot: NewSnapshot): Promise<number>
  /** The newest usable snapshot, of one era (no older than its first) or of any. */
  newest(era?: number): Promise<Snapshot | undefined>
  /** One snapshot with its state; undefined when it is unknown, incomplete or damaged. */
  byId(id: number): Promise<Snapshot | undefined>
  /** Complete snapshots, newest first. */
  list(kind?: SnapshotKind): Promise<SnapshotSummary[]>
  /** Deletes one that no era begins with; false when it is unknown. */
  delete(id: number): Promise<boolean>
  /**
   * Deletes of what the schedule and clean stops have stored all that need not stay, and what
   * interrupted ones have left; never an era's first, an admin's or a backup's, and none with a
   * system that the owner has lost. Returns how many complete ones went.
   */
  prune(keeping: Keeping): Promise<number>
}

function verifyWhole(snapshot: NewSnapshot, name: 'tick' | 'lattice'): void {
  if (Number.isSafeInteger(snapshot[name])) return
  const message = `A snapshot's ${name} is a whole number: ${snapshot[name]}.`
  throw new StoreError('ERR_SNAPSHOT_INVALID', message)
}

/**
 * The snapshots behind a database.
 *
 * @param onUnusable receives every incomplete or damaged snapshot that is passed over
 * @param owner without it whoever has the database to itself writes
 */
export function snapshots(
  sql: postgres.Sql,
  onUnusable: (snapshot: UnusableSnapshot) => void = () => {},
  owner?: Ownership,
): Snapshots {
  // Every bigint here is below 2^53, checked when stored, so float8 carries it exactly.
  const summary = sql`
    id::float8 as id, era, kind, tick::float8 as tick, lattice::float8 as lattice,
    sequences, physics, game_time as "gameTime", created_at as "createdAt",
    byte_count::float8 as "byteCount"`
  const all = sql`${summary}, header, part_count as "partCount", checksum, complete`
  const writing = new Set<number>()

  async function byId(id: number): Promise<Snapshot | undefined> {
    const [row] = await sql<StoredSnapshot[]>`select ${all} from snapshot where id = ${id}`
    if (row === undefined) return undefined
    const bytes = await state(sql, row)
    if (typeof bytes === 'string') {
      onUnusable({ id, reason: bytes })
      return undefined
    }
    const { partCount: _partCount, checksum: _checksum, complete: _complete, ...snapshot } = row
    return { ...snapshot, bytes }
  }

  return {
    async store(snapshot) {
      for (const name of ['tick', 'lattice'] as const) verifyWhole(snapshot, name)
      return write(sql, snapshot, { writing, owner })
    },
    async newest(era) {
      for (const id of await newestFirst(sql, era)) {
        const snapshot = await byId(id)
        if (snapshot !== undefined) return snapshot
      }
      return undefined
    },
    async byId(id) {
      return Number.isSafeInteger(id) ? byId(id) : undefined
    },
    async list(kind) {
      const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`
      return [
        ...(await sql<SnapshotSummary[]>`
          select ${summary} from snapshot where complete and ${ofKind} order by id desc`),
      ]
    },
    async delete(id) {
      const { count } = await sql`
        delete from snapshot where id = ${id} and id not in (select snapshot_id from era)
          and ${owned(sql, owner)}`
      return count > 0
    },
    async prune(keeping) {
      const old = await superfluous(sql, keeping)
      const left = await interrupted(sql)
      // One by one: an interruption costs one deletion. Its parts go with each.
      const remove = async ({ id, systems }: SnapshotSystems): Promise<number> => {
        const { count } = await sql`
          delete from snapshot where id = ${id} and ${owned(sql, owner, systems)}`
        return count
      }
      let gone = 0
      for (const one of old) gone += await remove(one)
      for (const one of left) if (!writing.has(one.id)) await remove(one)
      return gone
    },
  }
}

/** Ids of the snapshots of an era, or of all. */
async function newestFirst(sql: postgres.Sql, era: number | undefined): Promise<number[]> {
  // What a restore or reset that failed has stored for the era may be older than its first.
  const ofEra =
    era === undefined
      ? sql`true`
      : sql`era = ${era}
          and id >= coalesce((select snapshot_id from era where era = ${era}), 0)`
  const rows = await sql<{ id: number }[]>`
    select id::float8 as id from snapshot where ${ofEra} order by id desc`
  return rows.map(({ id }) => id)
}

/** Ids of the newest whole snapshots of the schedule and of clean stops, as a query. */
export function newestIds(
  sql: postgres.ISql,
  count: number,
): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    select id from snapshot where complete and kind in ('automatic', 'stop') and ${isWhole(sql)}
    order by id desc limit ${Math.max(count, 0)}`
}

/** A condition: a snapshot has all star systems of the first one of its era. */
export function isWhole(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    not exists (
      select from era join snapshot as first on first.id = era.snapshot_id
      where era.era = snapshot.era
        and not snapshot.sequences ?& array(select jsonb_object_keys(first.sequences)))`
}
