import { createHash } from 'node:crypto'
import type { Sql, TransactionSql } from 'postgres'
import { badRequest, notFound } from '../errors.ts'
import { type Artifact, artifacts, isReport } from '../records/artifacts.ts'
import { type Stored, one } from '../tables/table.ts'
import { plainText } from '../plain-text.ts'
import type { Drawing } from '../engines/drawing.ts'
import { replaceOutputs } from './outputs.ts'
import type { NewRender } from './render-line.ts'

/** An artifact that repeatedly ends the service is not tried again. */
const ATTEMPTS_MAX = 3

/** The result of a render; what is missing in a report makes it an error with outputs. */
export type Outcome =
  | (Drawing & { readonly missing?: readonly string[] })
  | { readonly error: string }

/**
 * Stores that an artifact is to be rendered, and returns it as it is then.
 *
 * @param add  queues it; called before the request is committed
 * @throws {HttpError} 404; 400 `No source code to render`; what `add` throws
 */
export function storeRequest(
  sql: Sql,
  artifactId: string,
  client: string,
  add: (render: NewRender) => void,
): Promise<Stored<Artifact>> {
  return sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, artifactId)
    if (!artifact) throw notFound('Artifact')
    const { source_code: source, engine } = artifact
    if (!isReport(artifact) && !source?.trim()) throw badRequest('No source code to render')
    const isDocument = isReport(artifact) || engine === 'markdown'
    const embedded = isDocument ? await contentsOf(transaction, artifact) : undefined
    const bytes = Buffer.byteLength(source ?? '')
    add({ artifactId, client, bytes, subject: subjectOf(artifact, embedded) })
    await transaction`
      insert into render_request (artifact_id, client) values (${artifactId}, ${client})
      on conflict (artifact_id) do update set attempts = 0`
    await transaction`
      update artifact set render_status = 'rendering', render_error = null
      where id = ${artifactId}`
    return one<Artifact>(transaction, artifacts, { id: artifactId })
  })
}

async function lockedArtifact(sql: TransactionSql, id: string): Promise<Artifact | undefined> {
  const [artifact] = await sql<Artifact[]>`
    select * from artifact where id = ${id} for no key update`
  return artifact
}

function subjectOf({ engine, source_code: source }: Artifact, embedded = ''): string {
  return createHash('sha256').update(`${engine}\0${source}\0${embedded}`).digest('base64')
}

/** Changes whenever a record of the version changes that a document may show. */
async function contentsOf(
  sql: TransactionSql,
  { id, version_id: versionId }: Artifact,
): Promise<string> {
  const tables = ['artifact', 'adr', 'question', 'coverage_item']
  const parts = tables.map(
    (table) => sql`
      (select concat_ws(' ', count(*), max(updated_at)) from ${sql(table)}
        where version_id = ${versionId} and id <> ${id}), `,
  )
  const [{ contents }] = await sql<[{ contents: string }]>`
    select concat(${parts} '') as contents`
  return contents
}

/** Requests that an earlier process has left, the oldest first. */
export async function leftRequests(sql: Sql): Promise<readonly NewRender[]> {
  return sql<NewRender[]>`
    select artifact_id as "artifactId", client, '' as subject,
      coalesce(octet_length(source_code), 0) as bytes
    from render_request join artifact on artifact.id = artifact_id order by ordinal`
}

/** An artifact whose render begins; undefined when it has been removed. */
export async function beginRequest(
  sql: Sql,
  { artifactId, client }: NewRender,
): Promise<{ readonly artifact: Artifact; readonly isHopeless: boolean } | undefined> {
  // Waits for the end of the transaction that adds it.
  const [request] = await sql<{ attempts: number }[]>`
    insert into render_request as present (artifact_id, client, attempts)
    select id, ${client}, 1 from artifact where id = ${artifactId}
    on conflict (artifact_id) do update set attempts = present.attempts + 1
    returning attempts`
  const [artifact] = await sql<Artifact[]>`select * from artifact where id = ${artifactId}`
  if (!request || !artifact) return undefined
  return { artifact, isHopeless: request.attempts > ATTEMPTS_MAX }
}

/** An attempt that the service ended itself does not count. */
export async function forgetAttempt(sql: Sql, { artifactId }: NewRender): Promise<void> {
  await sql`
    update render_request set attempts = attempts - 1 where artifact_id = ${artifactId}`
}

/** The artifacts that exist. */
export async function presentArtifacts(
  sql: Sql,
  renders: readonly NewRender[],
): Promise<ReadonlySet<string>> {
  const ids = renders.map(({ artifactId }) => artifactId)
  const rows = await sql<{ id: string }[]>`select id from artifact where id = any(${ids}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Ends a request; its result is stored unless the artifact has changed.
 *
 * @param store  whether it is wanted; asked while the artifact is locked
 */
export async function endRequest(
  sql: Sql,
  rendered: Artifact,
  outcome: Outcome,
  store: () => boolean,
): Promise<void> {
  const { id } = rendered
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, id)
    if (!store()) return
    await transaction`delete from render_request where artifact_id = ${id}`
    // A change has already set the artifact to `pending`.
    if (!artifact || subjectOf(artifact) !== subjectOf(rendered)) return
    await storeOutcome(transaction, id, outcome)
  })
}

/** Stores the drawing of an artifact without a request, unless it has changed or is drawn. */
export async function storeDrawing(sql: Sql, drawn: Artifact, outcome: Outcome): Promise<void> {
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, drawn.id)
    if (!artifact || subjectOf(artifact) !== subjectOf(drawn)) return
    if (artifact.render_status === 'success' && !artifact.outputs_stale) return
    await storeOutcome(transaction, drawn.id, outcome)
  })
}

async function storeOutcome(
  transaction: TransactionSql,
  id: string,
  outcome: Outcome,
): Promise<void> {
  if ('error' in outcome) {
    const error = plainText(outcome.error.replaceAll('\0', '').toWellFormed())
    await transaction`
      update artifact set render_status = 'error', render_error = ${error}
      where id = ${id}`
    return
  }
  const { outputs, notes, missing = [] } = outcome
  const sentences = [...missing, ...notes]
  await replaceOutputs(transaction, id, outputs)
  await transaction`
    update artifact set render_status = ${missing.length > 0 ? 'error' : 'success'},
      outputs_stale = false,
      render_error = ${sentences.length > 0 ? sentences.join('\n') : null},
      output_paths = ${outputs.map(({ filename }) => filename)}
    where id = ${id}`
}
