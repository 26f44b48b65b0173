import type postgres from 'postgres'
import type { ChunkRow } from './indexing-job.ts'

type Sql = postgres.Sql
type Transaction = postgres.TransactionSql

/** The index of the library, or of one version's uploads. */
export interface Generation {
  readonly id: string
  /** null is the library */
  readonly version_id: string | null
  readonly fingerprint: string
  readonly chunks: number
  readonly sources: number
}

/** Bytes of an index that go through the database in one statement: others wait for less. */
const PART_BYTES = 131_072

/** Rows that are removed in one statement, for the same reason. */
const ROWS_REMOVED: Readonly<Record<string, number>> = { knowledge_chunk: 256, knowledge_part: 8 }

/** The generations that searches use. */
export async function currentGenerations(sql: Sql): Promise<readonly Generation[]> {
  return sql<Generation[]>`
    select id, version_id, fingerprint, chunks, sources from knowledge_generation where current`
}

/** The index of the library, and of a version's uploads; undefined where there is none. */
export async function generationsFor(
  sql: Sql,
  versionId: string | undefined,
): Promise<{ library: Generation | undefined; uploads: Generation | undefined }> {
  const rows = await sql<Generation[]>`
    select id, version_id, fingerprint, chunks, sources from knowledge_generation
    where current and (version_id is null or version_id = ${versionId ?? null})`
  return {
    library: rows.find(({ version_id }) => version_id === null),
    uploads: rows.find(({ version_id }) => version_id !== null),
  }
}

/** @returns its id; undefined when the version is gone */
export async function addGeneration(
  sql: Sql,
  { version_id, fingerprint, chunks, sources }: Omit<Generation, 'id'>,
): Promise<string | undefined> {
  const rows = await sql<{ id: string }[]>`
    insert into knowledge_generation (version_id, fingerprint, chunks, sources)
    select ${version_id}::uuid, ${fingerprint}, ${chunks}, ${sources}
    where ${version_id}::uuid is null or exists (select 1 from version where id = ${version_id})
    returning id`
  return rows.at(0)?.id
}

/** Adds chunks to a generation; those of uploads that are gone are left out. */
export async function addChunks(
  sql: Sql,
  generation: string,
  rows: readonly ChunkRow[],
): Promise<void> {
  const json = sql.json(rows as unknown as postgres.JSONValue)
  await sql`
    insert into knowledge_chunk
      (generation, ordinal, id, source_file, upload_id, section, checklist_item, priority, content)
    select ${generation}, ordinal, id, source_file, upload_id, section, checklist_item, priority,
      content
    from jsonb_to_recordset(${json}) as chunk (ordinal integer, id uuid, source_file text,
      upload_id uuid, section text, checklist_item text, priority text, content text)
    where upload_id is null or exists (select 1 from upload where upload.id = upload_id)`
}

/** Adds the encoded index of a generation. */
export async function addBytes(sql: Sql, generation: string, bytes: Uint8Array): Promise<void> {
  for (let ordinal = 0; ordinal * PART_BYTES < bytes.length; ordinal++) {
    const part = bytes.subarray(ordinal * PART_BYTES, (ordinal + 1) * PART_BYTES)
    await sql`
      insert into knowledge_part values (${generation}, ${ordinal}, ${Buffer.from(part)})`
  }
}

/** The encoded index of a generation; undefined when it is gone. */
export async function generationBytes(
  sql: Sql,
  generation: string,
): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = []
  for (;;) {
    const [row] = await sql<({ bytes: Buffer } | undefined)[]>`
      select bytes from knowledge_part
      where generation = ${generation} and ordinal = ${parts.length}`
    if (!row) break
    parts.push(row.bytes)
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts)
}

/** Makes new generations current, and those that are neither new nor kept no longer. */
export async function publish(
  transaction: Transaction,
  added: readonly string[],
  kept: { readonly library: boolean; readonly versions: readonly string[] },
): Promise<void> {
  await transaction`
    update knowledge_generation set current = false
    where current and not (version_id is null and ${kept.library})
      and (version_id is null or version_id <> all (${kept.versions as string[]}::uuid[]))`
  await transaction`
    update knowledge_generation set current = true where id = any (${added as string[]}::bigint[])`
}

/**
 * Removes all generations that are not current, a few rows at a time.
 *
 * Only for whoever holds the run: another's unfinished generation is not current either.
 */
export async function removeLeftovers(sql: Sql): Promise<void> {
  const rows = await sql<{ id: string }[]>`select id from knowledge_generation where not current`
  for (const { id } of rows) {
    await removeRows(sql, 'knowledge_part', id)
    await removeRows(sql, 'knowledge_chunk', id)
    await sql`delete from knowledge_generation where id = ${id}`
  }
}

async function removeRows(sql: Sql, table: string, generation: string): Promise<void> {
  const step = ROWS_REMOVED[table]
  const [{ last }] = await sql<[{ last: number }]>`
    select coalesce(max(ordinal), -1) as last from ${sql(table)} where generation = ${generation}`
  for (let start = 0; start <= last; start += step) {
    await sql`
      delete from ${sql(table)}
      where generation = ${generation} and ordinal >= ${start} and ordinal < ${start + step}`
  }
}

/** A chunk's text and place, as a search answers with. */
export interface ChunkText extends Omit<ChunkRow, 'upload_id' | 'priority'> {
  readonly priority: 'critical' | 'recommended' | 'optional' | null
}

/** The chunks of a generation with these numbers; fewer when it has been replaced. */
export async function chunkTexts(
  sql: Sql,
  generation: string,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, ChunkText>> {
  if (ordinals.length === 0) return new Map()
  const rows = await sql<ChunkText[]>`
    select ordinal, id, source_file, section, checklist_item, priority, content
    from knowledge_chunk
    where generation = ${generation} and ordinal = any (${ordinals as number[]}::integer[])`
  return new Map(rows.map((row) => [row.ordinal, row]))
}
