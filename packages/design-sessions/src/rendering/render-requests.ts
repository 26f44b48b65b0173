import { HttpError } from '@orrery/http'
import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { badRequest, notFound } from '../errors.ts'
import { LEASE_SECONDS, type LeaseColumns, freeLeases, isHeld, renewed } from '../lease.ts'
import { type Artifact, isReport } from '../records/artifacts.ts'
import { replaceOutputs } from './outputs.ts'
import type { RenderedFile } from './jobs.ts'

/** Artifacts that wait, of all versions. */
const WAITING_MAX = 500

/** A request whose artifact's rendering took the whole service down is not tried for ever. */
const ATTEMPTS_MAX = 3

const REQUEST: LeaseColumns = {
  table: 'render_request',
  holder: 'taken_until',
  time: 'taken_until',
  ahead: LEASE_SECONDS,
}

/** The same where an insertion meets a row. */
const PRESENT = { ...REQUEST, holder: 'present.taken_until', time: 'present.taken_until' }

/** A request in the hands of this process. */
export interface Claim {
  readonly artifact: Artifact
  readonly ordinal: string
  /** it was in hands so often before, and never came to an end */
  readonly isHopeless: boolean
}

/** What came of a claim. */
export type Outcome = { readonly files: readonly RenderedFile[] } | { readonly error: string }

/**
 * Puts an artifact in the queue, as `rendering`; asked for again it keeps its place, and what is
 * made of the same source and contents is not made twice at a time.
 *
 * @throws {HttpError} 404; 400 `No source code to render`; 503 when the queue is full
 */
export async function addRequest(sql: postgres.Sql, artifactId: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, artifactId)
    if (!artifact) throw notFound('Artifact')
    if (!isReport(artifact) && !artifact.source_code?.trim()) {
      throw badRequest('No source code to render')
    }
    const [{ others }] = await transaction<[{ others: number }]>`
      select count(*)::integer as others from render_request where artifact_id <> ${artifactId}`
    if (others >= WAITING_MAX) throw queueFull()
    const isDocument = isReport(artifact) || artifact.engine === 'markdown'
    const embedded = isDocument ? await contentsOf(transaction, artifact) : undefined
    const subject = subjectOf(artifact, embedded)
    // What waits keeps its place. What is in hand is broken off if something else is wanted now.
    await transaction`
      insert into render_request as present (artifact_id, subject)
      values (${artifactId}, ${subject})
      on conflict (artifact_id) do update set
        ordinal = case when present.taken_until is null
          then present.ordinal else excluded.ordinal end,
        subject = excluded.subject, attempts = 0, taken_until = null
      where present.subject <> excluded.subject or not ${isHeld(sql, PRESENT)}`
    await transaction`
      update artifact set render_status = 'rendering', render_error = null
      where id = ${artifactId}`
  })
}

function queueFull(): HttpError {
  return new HttpError(503, 'busy', 'Too many renders wait; try again', {
    headers: { 'Retry-After': '10' },
  })
}

async function lockedArtifact(
  sql: postgres.TransactionSql,
  id: string,
): Promise<Artifact | undefined> {
  const [artifact] = await sql<Artifact[]>`
    select * from artifact where id = ${id} for no key update`
  return artifact
}

function subjectOf({ engine, source_code: source }: Artifact, embedded = ''): string {
  return createHash('sha256').update(`${engine}\0${source}\0${embedded}`).digest('base64')
}

/** Another text whenever something of a version has changed that a document may show. */
async function contentsOf(
  sql: postgres.TransactionSql,
  { id, version_id: versionId }: Artifact,
): Promise<string> {
  const parts = await sql<{ part: string }[]>`
    select 1 as place, concat_ws(' ', count(*), max(updated_at)) as part
    from artifact where version_id = ${versionId} and id <> ${id}
    union all select 2, concat_ws(' ', count(*), max(updated_at))
    from adr where version_id = ${versionId}
    union all select 3, concat_ws(' ', count(*), max(updated_at))
    from question where version_id = ${versionId}
    union all select 4, concat_ws(' ', count(*), max(updated_at))
    from coverage_item where version_id = ${versionId}
    order by place`
  return parts.map(({ part }) => part).join()
}

/** Whether an artifact waits or is being rendered, by whatever process. */
export async function isRequested(sql: postgres.ISql, artifactId: string): Promise<boolean> {
  const [row] = await sql`select 1 from render_request where artifact_id = ${artifactId}`
  return row !== undefined
}

/** Frees the requests of the process before: of an embedded database, which has one owner. */
export async function freeDeadClaims(sql: postgres.ISql): Promise<void> {
  await freeLeases(sql, REQUEST)
}

/** Takes the oldest request that nobody has in hand. */
export async function claimRequest(sql: postgres.ISql): Promise<Claim | undefined> {
  const [claimed] = await sql<{ artifact_id: string; ordinal: string; attempts: number }[]>`
    update render_request set attempts = attempts + 1, ${renewed(sql, REQUEST)}
    where artifact_id = (
      select artifact_id from render_request where not ${isHeld(sql, REQUEST)}
      order by ordinal limit 1 for update skip locked
    )
    returning artifact_id, ordinal::text, attempts`
  if (!claimed) return undefined
  const { artifact_id: id, ordinal, attempts } = claimed
  const [artifact] = await sql<Artifact[]>`select * from artifact where id = ${id}`
  // Removed in between, and the request with it: there may be others.
  return artifact ? { artifact, ordinal, isHopeless: attempts > ATTEMPTS_MAX } : claimRequest(sql)
}

/** Keeps others from taking what is in hand; says of which claims the result is still wanted. */
export async function renewClaims(
  sql: postgres.ISql,
  ordinals: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ ordinal: string }[]>`
    update render_request set ${renewed(sql, REQUEST)}
    where ordinal = any(${[...ordinals]}::bigint[])
    returning ordinal::text`
  return new Set(rows.map(({ ordinal }) => ordinal))
}

/** Gives a claim back, to be taken again, after a pause. */
export async function returnClaim(
  sql: postgres.ISql,
  { ordinal }: Claim,
  pauseSeconds: number,
): Promise<void> {
  await sql`
    update render_request
    set attempts = attempts - 1, ${renewed(sql, { ...REQUEST, ahead: pauseSeconds })}
    where ordinal = ${ordinal}`
}

/** Ends a claim; its outcome counts unless something else is wanted by now. */
export async function endClaim(
  sql: postgres.Sql,
  { artifact: { id }, artifact: rendered, ordinal }: Claim,
  outcome: Outcome,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, id)
    const [wanted] = await transaction`
      delete from render_request where ordinal = ${ordinal} returning 1`
    // A changed artifact was set to `pending` with its change.
    if (!artifact || !wanted || subjectOf(artifact) !== subjectOf(rendered)) return
    if ('error' in outcome) {
      await transaction`
        update artifact set render_status = 'error', render_error = ${outcome.error}
        where id = ${id}`
      return
    }
    await replaceOutputs(transaction, id, outcome.files)
    await transaction`
      update artifact set render_status = 'success', render_error = null, outputs_stale = false,
        output_paths = ${outcome.files.map(({ filename }) => filename)}
      where id = ${id}`
  })
}
