import type postgres from 'postgres'
import type { ChunkRow } from './indexing-job.ts'

type Sql = postgres.Sql
type Transaction = postgres.TransactionSql

/** The index of the library, or of one version's uploads. */
export interface Generation {
  readonly id: string
  /** null for the library */
  readonly version_id: string | null
  readonly fingerprint: string
  readonly chunks: number
  readonly sources: number
}

/** The generations in use. */
export async function currentGenerations(sql: Sql): Promise<readonly Generation[]> {
  return sql<Generation[]>`
    select id, version_id, fingerprint, chunks, sources from knowledge_generation where current`
}

/** The generations in use for a search. */
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

/** @returns its id; undefined when the version has been removed */
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

/** Adds chunks to a generation, except those of removed uploads. */
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

export async function addPart(
  sql: Sql,
  { generation, ordinal }: { readonly generation: string; readonly ordinal: number },
  bytes: Uint8Array,
): Promise<void> {
  await sql`insert into knowledge_part values (${generation}, ${ordinal}, ${Buffer.from(bytes)})`
}

/** The encoded index of a generation; undefined when it has been removed. */
export async function generationBytes(
  sql: Sql,
  generation: string,
): Promise<Uint8Array | undefined> {
  const parts = await sql<{ bytes: Buffer }[]>`
    select bytes from knowledge_part where generation = ${generation} order by ordinal`
  return parts.length === 0 ? undefined : Buffer.concat(parts.map(({ bytes }) => bytes))
}

/** Makes new generations current, and those that are not kept obsolete. */
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
 * Removes all generations that are not current, unfinished ones included: only for the holder of
 * the run.
 */
export async function removeLeftovers(sql: Sql): Promise<void> {
  await sql`delete from knowledge_generation where not current`
}

/** A chunk as a search answers it. */
export interface ChunkText extends Omit<ChunkRow, 'upload_id' | 'priority'> {
  readonly priority: 'critical' | 'recommended' | 'optional' | null
}

/** Chunks of a generation by number; fewer when it has been replaced. */
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
