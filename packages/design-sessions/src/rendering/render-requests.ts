import { HttpError } from '@orrery/http'
import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { badRequest, notFound } from '../errors.ts'
import { LEASE_SECONDS, type LeaseColumns, freeLeases, isHeld, renewed } from '../lease.ts'
import { type Artifact, isReport } from '../records/artifacts.ts'
import { replaceOutputs } from './outputs.ts'
import type { Drawing } from './jobs.ts'

/** Queued artifacts of one client, and of all. */
const CLIENT_WAITING_MAX = 500
const WAITING_MAX = 2500

/** Bytes of a source that move a request back by as much as one more request. */
const BYTES_PER_TURN = 1024

/** An artifact that repeatedly ends the service is not tried again. */
const ATTEMPTS_MAX = 3

const REQUEST: LeaseColumns = {
  table: 'render_request',
  holder: 'taken_until',
  time: 'taken_until',
  ahead: LEASE_SECONDS,
}

/** REQUEST within `on conflict`, where columns need the table's name. */
const PRESENT = { ...REQUEST, holder: 'present.taken_until', time: 'present.taken_until' }

/** A request that this process renders. */
export interface Claim {
  readonly artifact: Artifact
  readonly ordinal: string
  /** the address that asked */
  readonly client: string
  /** it was claimed too often without a result */
  readonly isHopeless: boolean
}

/** The result of a claim. */
export type Outcome = Drawing | { readonly error: string }

/**
 * Queues an artifact as `rendering`. A repeated request keeps its place; equal sources and contents
 * are rendered once at a time.
 *
 * @param client  clients take turns, small sources come first
 * @throws {HttpError} 404; 400 `No source code to render`; 503 when the queue is full
 * @source Golestani 1994, A self-clocked fair queueing scheme for broadband applications
 */
export async function addRequest(
  sql: postgres.Sql,
  artifactId: string,
  client = '',
): Promise<void> {
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, artifactId)
    if (!artifact) throw notFound('Artifact')
    if (!isReport(artifact) && !artifact.source_code?.trim()) {
      throw badRequest('No source code to render')
    }
    const turn = await nextTurn(transaction, artifact, client)
    const isDocument = isReport(artifact) || artifact.engine === 'markdown'
    const embedded = isDocument ? await contentsOf(transaction, artifact) : undefined
    const subject = subjectOf(artifact, embedded)
    // A waiting request keeps its place. A claimed one is cancelled if its subject has changed.
    await transaction`
      insert into render_request as present (artifact_id, subject, client, turn)
      values (${artifactId}, ${subject}, ${client}, ${turn})
      on conflict (artifact_id) do update set
        client = case when present.taken_until is null
          then present.client else excluded.client end,
        turn = case when present.taken_until is null then present.turn else excluded.turn end,
        ordinal = case when present.taken_until is null
          then present.ordinal else excluded.ordinal end,
        subject = excluded.subject, attempts = 0, taken_until = null
      where present.subject <> excluded.subject or not ${isHeld(sql, PRESENT)}`
    await transaction`
      update artifact set render_status = 'rendering', render_error = null
      where id = ${artifactId}`
  })
}

/** Behind what the client has queued and what is rendered now. */
async function nextTurn(
  sql: postgres.TransactionSql,
  { id, source_code: source }: Artifact,
  client: string,
): Promise<number> {
  const [{ all, own, begun }] = await sql<[{ all: number; own: number; begun: number }]>`
    select count(*)::integer as all,
      count(*) filter (where client = ${client})::integer as own,
      coalesce(max(turn) filter (where client = ${client} or taken_until is not null), 0) as begun
    from render_request where artifact_id <> ${id}`
  if (own >= CLIENT_WAITING_MAX || all >= WAITING_MAX) throw queueFull()
  return begun + 1 + Buffer.byteLength(source ?? '') / BYTES_PER_TURN
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

/** Changes whenever a record of the version changes that a document may show. */
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

/** Whether an artifact is queued or being rendered, by any process. */
export async function isRequested(sql: postgres.ISql, artifactId: string): Promise<boolean> {
  const [row] = await sql`select 1 from render_request where artifact_id = ${artifactId}`
  return row !== undefined
}

/** Frees the requests of an earlier process: of an embedded database, which has one owner. */
export async function freeDeadClaims(sql: postgres.ISql): Promise<void> {
  await freeLeases(sql, REQUEST)
}

/**
 * Claims the next free request.
 *
 * @param busy  clients that have their share of renders
 */
export async function claimRequest(
  sql: postgres.ISql,
  busy: readonly string[] = [],
): Promise<Claim | undefined> {
  const [claimed] = await sql<Claimed[]>`
    update render_request set attempts = attempts + 1, ${renewed(sql, REQUEST)}
    where artifact_id = (
      select artifact_id from render_request
      where not ${isHeld(sql, REQUEST)} and client <> all(${[...busy]}::text[])
      order by turn, ordinal limit 1 for update skip locked
    )
    returning artifact_id, ordinal::text, client, attempts`
  if (!claimed) return undefined
  const { artifact_id: id, attempts, ...claim } = claimed
  const [artifact] = await sql<Artifact[]>`select * from artifact where id = ${id}`
  // The artifact was removed together with its request.
  if (!artifact) return claimRequest(sql, busy)
  return { artifact, ...claim, isHopeless: attempts > ATTEMPTS_MAX }
}

type Claimed = Pick<Claim, 'ordinal' | 'client'> & {
  readonly artifact_id: string
  readonly attempts: number
}

/**
 * Renews claims.
 *
 * @returns those that are still wanted
 */
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

/** Returns a claim to the queue for another attempt after a pause. */
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

/** Ends a claim; its result is stored unless the artifact has changed. */
export async function endClaim(
  sql: postgres.Sql,
  { artifact: { id }, artifact: rendered, ordinal }: Claim,
  outcome: Outcome,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const artifact = await lockedArtifact(transaction, id)
    const [wanted] = await transaction`
      delete from render_request where ordinal = ${ordinal} returning 1`
    // A change has already set the artifact to `pending`.
    if (!artifact || !wanted || subjectOf(artifact) !== subjectOf(rendered)) return
    if ('error' in outcome) {
      await transaction`
        update artifact set render_status = 'error', render_error = ${outcome.error}
        where id = ${id}`
      return
    }
    const { outputs, notes } = outcome
    await replaceOutputs(transaction, id, outputs)
    await transaction`
      update artifact set render_status = 'success', outputs_stale = false,
        render_error = ${notes.length > 0 ? notes.join('\n') : null},
        output_paths = ${outputs.map(({ filename }) => filename)}
      where id = ${id}`
  })
}
