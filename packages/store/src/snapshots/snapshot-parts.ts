import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type postgres from 'postgres'
import { type Ownership, owned, requireOwned } from '../ownership.ts'
import type { NewSnapshot, Snapshot } from './snapshot-record.ts'

/** A snapshot's row. */
export interface StoredSnapshot extends Omit<Snapshot, 'bytes'> {
  readonly partCount: number
  readonly checksum: string
  readonly complete: boolean
}

// Beside parts of 1 MiB the journal's slowest commits take twice as long.
const PART_BYTES_MAX = 64 * 1024
const PART_REST_MS = 2

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

function parts(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / PART_BYTES_MAX)
  return Array.from({ length: count }, (_, ordinal) =>
    bytes.subarray(ordinal * PART_BYTES_MAX, (ordinal + 1) * PART_BYTES_MAX),
  )
}

/** The state of a snapshot's row, or the reason why it is unusable. */
export async function state(sql: postgres.Sql, row: StoredSnapshot): Promise<Uint8Array | string> {
  if (!row.complete) return 'incomplete'
  const hash = createHash('sha256')
  const pieces: Uint8Array[] = []
  // One part per query: to decode all at once would hold up the ticks of this thread.
  for (let ordinal = 0; ordinal < row.partCount; ordinal += 1) {
    const [part] = await sql<{ bytes: Uint8Array }[]>`
      select bytes from snapshot_part where snapshot_id = ${row.id} and ordinal = ${ordinal}`
    if (part === undefined) return `part ${ordinal} of ${row.partCount} is missing`
    hash.update(part.bytes)
    pieces.push(part.bytes)
  }
  if (hash.digest('hex') !== row.checksum) return 'the checksum does not match'
  const maxOutputLength = Math.max(row.byteCount, 1)
  try {
    const bytes = await decompress(Buffer.concat(pieces), { maxOutputLength })
    return bytes.length === row.byteCount ? bytes : `${bytes.length} bytes, not ${row.byteCount}`
  } catch (error) {
    return `not ${row.byteCount} bytes compressed by zstd: ${String(error)}`
  }
}

/**
 * Stores a snapshot and returns its id.
 *
 * @param more `writing` holds the id until it is complete or given up
 * @throws StoreError `ERR_FENCED` when the owner has lost a system that is in it
 */
export async function write(
  sql: postgres.Sql,
  snapshot: NewSnapshot,
  { writing, owner }: { readonly writing: Set<number>; readonly owner: Ownership | undefined },
): Promise<number> {
  const { era, kind, tick, lattice, sequences, physics, gameTime, header, bytes } = snapshot
  const pieces = parts(await compress(bytes))
  const row = {
    era,
    kind,
    tick,
    lattice,
    sequences: sql.json(sequences),
    physics,
    game_time: gameTime,
    header: sql.json(header),
    part_count: pieces.length,
    byte_count: bytes.length,
    checksum: '',
    ...(snapshot.createdAt && { created_at: snapshot.createdAt }),
  }
  const [{ id }] = await sql<[{ id: number }]>`
    insert into snapshot ${sql(row)} returning id::float8 as id`
  writing.add(id)
  try {
    // Taken part by part: all at once it would hold up the ticks of this thread.
    const hash = createHash('sha256')
    for (const [ordinal, piece] of pieces.entries()) {
      hash.update(piece)
      await sql`insert into snapshot_part ${sql({ snapshot_id: id, ordinal, bytes: piece })}`
      // The journal and the ticks, which share disk and processors with it, go first.
      await setTimeout(PART_REST_MS)
    }
    await snapshot.durable?.()
    const checksum = hash.digest('hex')
    const { count } = await sql`
      update snapshot set complete = true, checksum = ${checksum}
      where id = ${id} and ${owned(sql, owner, Object.keys(sequences))}`
    if (count === 0) await requireOwned(sql, owner, Object.keys(sequences))
    return id
  } finally {
    writing.delete(id)
  }
}
