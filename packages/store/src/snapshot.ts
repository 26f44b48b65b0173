import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type postgres from 'postgres'
import { StoreError } from './error.ts'

/** Who asked for a snapshot: an administrator, the schedule, a clean stop, or a factory reset. */
export type SnapshotKind = 'admin' | 'automatic' | 'stop' | 'backup'

/** What a snapshot is of. */
export interface SnapshotSummary {
  readonly id: number
  readonly era: number
  readonly kind: SnapshotKind
  readonly tick: number
  /** Index on the lattice of simulation time, in quanta (1/64 s) since J2000.0 TDB. */
  readonly lattice: number
  readonly gameTime: Date
  readonly createdAt: Date
  /** Length of the state, uncompressed. */
  readonly byteCount: number
}

/** A snapshot with the state itself. */
export interface Snapshot extends SnapshotSummary {
  readonly header: postgres.JSONValue
  readonly bytes: Uint8Array
}

export type NewSnapshot = Omit<Snapshot, 'id' | 'createdAt' | 'byteCount'>

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
   * @throws StoreError `ERR_SNAPSHOT_INVALID` when `tick` or `lattice` is no exact whole number
   */
  store(snapshot: NewSnapshot): Promise<number>
  /** The newest usable snapshot, of one era or of any. */
  newest(era?: number): Promise<Snapshot | undefined>
  /** One snapshot with its state; undefined when it is unknown, incomplete or damaged. */
  byId(id: number): Promise<Snapshot | undefined>
  /** Complete snapshots, newest first. */
  list(kind?: SnapshotKind): Promise<SnapshotSummary[]>
  /**
   * Deletes all but the newest `keep` snapshots of a kind, never those in `spare`, and what
   * interrupted ones have left; returns how many complete ones went.
   */
  prune(options: {
    readonly kind: SnapshotKind
    readonly keep: number
    readonly spare?: readonly number[]
  }): Promise<number>
}

interface SnapshotRow extends Omit<Snapshot, 'bytes'> {
  readonly partCount: number
  readonly checksum: string
  readonly complete: boolean
}

// Small enough that a write between two ticks' journal batches delays neither.
const PART_BYTES_MAX = 256 * 1024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

function parts(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / PART_BYTES_MAX)
  return Array.from({ length: count }, (_, ordinal) =>
    bytes.subarray(ordinal * PART_BYTES_MAX, (ordinal + 1) * PART_BYTES_MAX),
  )
}

function verifyWhole(name: string, value: number): void {
  if (Number.isSafeInteger(value)) return
  throw new StoreError('ERR_SNAPSHOT_INVALID', `A snapshot's ${name} is a whole number: ${value}.`)
}

/** The state of a snapshot's row, or why there is none. */
async function state(sql: postgres.Sql, row: SnapshotRow): Promise<Uint8Array | string> {
  if (!row.complete) return 'incomplete'
  const hash = createHash('sha256')
  const pieces: Uint8Array[] = []
  // One part per query: the journal's writes find room between two of them.
  for (let ordinal = 0; ordinal < row.partCount; ordinal += 1) {
    const [part] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from snapshot_part where snapshot_id = ${row.id} and ordinal = ${ordinal}`
    if (part === undefined) return `part ${ordinal} of ${row.partCount} is missing`
    hash.update(part.bytes)
    pieces.push(part.bytes)
  }
  if (hash.digest('hex') !== row.checksum) return 'the checksum does not match'
  const maxOutputLength = Math.max(row.byteCount, 1)
  const bytes = await decompress(Buffer.concat(pieces), { maxOutputLength })
  return bytes.length === row.byteCount ? bytes : `${bytes.length} bytes, not ${row.byteCount}`
}

async function write(sql: postgres.Sql, snapshot: NewSnapshot): Promise<number> {
  const { era, kind, tick, lattice, gameTime, header, bytes } = snapshot
  const compressed = await compress(bytes)
  const pieces = parts(compressed)
  const row = {
    era,
    kind,
    tick,
    lattice,
    game_time: gameTime,
    header: sql.json(header),
    part_count: pieces.length,
    byte_count: bytes.length,
    checksum: createHash('sha256').update(compressed).digest('hex'),
  }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into snapshot ${sql(row)} returning id::float8 as id`
  for (const [ordinal, piece] of pieces.entries()) {
    await sql`insert into snapshot_part ${sql({ snapshot_id: id, ordinal, bytes: piece })}`
  }
  await sql`update snapshot set complete = true where id = ${id}`
  return id
}

/**
 * The snapshots behind a database.
 *
 * @param onUnusable receives every incomplete or damaged snapshot that is passed over
 */
export function snapshots(
  sql: postgres.Sql,
  onUnusable: (snapshot: UnusableSnapshot) => void = () => {},
): Snapshots {
  // Every bigint here is below 2^53, checked when stored, so float8 carries it exactly.
  const summary = sql`
    id::float8 as id, era, kind, tick::float8 as tick, lattice::float8 as lattice,
    game_time as "gameTime", created_at as "createdAt", byte_count::float8 as "byteCount"`
  const all = sql`${summary}, header, part_count as "partCount", checksum, complete`

  async function byId(id: number): Promise<Snapshot | undefined> {
    const [row] = await sql<SnapshotRow[]>`select ${all} from snapshot where id = ${id}`
    if (row === undefined) return undefined
    const bytes = await state(sql, row)
    if (typeof bytes === 'string') {
      onUnusable({ id, reason: bytes })
      return undefined
    }
    const { era, kind, tick, lattice, gameTime, createdAt, byteCount, header } = row
    return { id, era, kind, tick, lattice, gameTime, createdAt, byteCount, header, bytes }
  }

  return {
    async store(snapshot) {
      verifyWhole('tick', snapshot.tick)
      verifyWhole('lattice', snapshot.lattice)
      return write(sql, snapshot)
    },
    async newest(era) {
      const ofEra = era === undefined ? sql`true` : sql`era = ${era}`
      const rows = await sql<{ id: number }[]>`
        select id::float8 as id from snapshot where ${ofEra} order by id desc`
      for (const { id } of rows) {
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
    async prune({ kind, keep, spare = [] }) {
      const rows = await sql<{ id: number; complete: boolean }[]>`
        select id::float8 as id, complete from snapshot where kind = ${kind} order by id desc`
      const complete = rows.filter((row) => row.complete).map((row) => row.id)
      const old = complete.slice(Math.max(keep, 0)).filter((id) => !spare.includes(id))
      const newest = complete[0] ?? 0
      // An incomplete one above the newest may be the one being written now.
      const interrupted = rows.filter((row) => !row.complete && row.id < newest)
      const doomed = [...old, ...interrupted.map((row) => row.id)]
      for (const id of doomed) await sql`delete from snapshot where id = ${id}`
      return old.length
    },
  }
}
