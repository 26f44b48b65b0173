import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { type LeaseColumns, isHeld, renewed } from '../lease.ts'
import type { Progress, Tally } from './progress.ts'

type Sql = postgres.Sql

/** The only row of the table; its lease is the right to change the index. */
export const RUN: LeaseColumns = {
  table: 'knowledge_run',
  holder: 'owner',
  time: 'beat',
  ahead: 0,
}

export interface RunResult extends Tally {
  readonly status: 'completed' | 'cancelled' | 'timed_out'
  readonly duration_seconds: number
}

/** The present or the last run. */
export interface RunState {
  readonly running: boolean
  /** started by the service itself */
  readonly automatic: boolean
  readonly paused: boolean
  readonly started_at: Date | null
  readonly timeout_seconds: number | null
  readonly progress: Progress | null
  readonly last_result: RunResult | null
  readonly last_error: string | null
  readonly last_indexed_at: Date | null
}

export async function runState(sql: Sql): Promise<RunState> {
  const [row] = await sql<[RunState]>`
    select ${isHeld(sql, RUN)} as running, automatic, coalesce(signal = 'pause', false) as paused,
      started_at, coalesce(run_timeout_seconds, timeout_seconds) as timeout_seconds,
      progress, last_result, last_error, last_indexed_at
    from knowledge_run`
  return row
}

export interface Lease {
  readonly owner: string
}

/**
 * Takes the right to change the index.
 *
 * @param timeoutSeconds  of this run; by default that of `limitRun`
 * @returns undefined while another process holds it
 */
export async function takeLease(
  sql: Sql,
  { automatic, timeoutSeconds }: { automatic: boolean; timeoutSeconds: number | undefined },
): Promise<Lease | undefined> {
  const owner = randomUUID()
  const { count } = await sql`
    update knowledge_run set owner = ${owner}, ${renewed(sql, RUN)}, automatic = ${automatic},
      signal = null, started_at = clock_timestamp(), progress = null,
      run_timeout_seconds = ${timeoutSeconds ?? null}
    where not ${isHeld(sql, RUN)}`
  return count === 1 ? { owner } : undefined
}

/** What a renewal returns. */
export interface Renewal {
  readonly signal: 'pause' | 'stop' | null
  readonly isLate: boolean
}

/**
 * Renews the lease and stores the progress.
 *
 * @returns undefined when the lease is lost
 */
export async function renewRun(
  sql: Sql,
  { owner }: Lease,
  progress: Progress | undefined,
): Promise<Renewal | undefined> {
  const json = progress === undefined ? null : sql.json({ ...progress })
  const rows = await sql<{ signal: Renewal['signal']; is_late: boolean }[]>`
    update knowledge_run set ${renewed(sql, RUN)}, progress = coalesce(${json}::json, progress)
    where owner = ${owner}
    returning signal, coalesce(
      started_at + make_interval(secs => coalesce(run_timeout_seconds, timeout_seconds))
        < clock_timestamp(), false) as is_late`
  const [row] = rows
  return rows.length === 0 ? undefined : { signal: row.signal, isLate: row.is_late }
}

/** Signals the holder; false when none runs, or it has that signal already. */
export async function signalRun(sql: Sql, signal: 'pause' | 'stop' | null): Promise<boolean> {
  const isPossible = {
    stop: sql`true`,
    pause: sql`signal is null`,
    resume: sql`signal = 'pause'`,
  }[signal ?? 'resume']
  const { count } = await sql`
    update knowledge_run set signal = ${signal}
    where ${isHeld(sql, RUN)} and ${isPossible}`
  return count === 1
}

/** Turns an automatic run into a requested one; false when none runs. */
export async function joinAutomatic(sql: Sql): Promise<boolean> {
  const { count } = await sql`
    update knowledge_run set automatic = false where ${isHeld(sql, RUN)} and automatic`
  return count === 1
}

/** Seconds that runs may take, from the present one on; null sets no limit. */
export async function limitRun(sql: Sql, seconds: number | null): Promise<void> {
  await sql`update knowledge_run set timeout_seconds = ${seconds}, run_timeout_seconds = null`
}

/** What the index must be like in every process. */
export interface IndexState {
  /** changes with every index */
  readonly generation: string
  readonly indexed: boolean
  /** whether uploads are searched */
  readonly with_uploads: boolean
}

export async function indexState(sql: Sql): Promise<IndexState> {
  const [row] = await sql<[IndexState]>`
    select generation::text, last_indexed_at is not null as indexed, with_uploads
    from knowledge_run`
  return row
}

export type Ending =
  | { readonly error: string }
  | { readonly result: RunResult; readonly includeUploads?: boolean }

/**
 * Releases the lease and stores the result.
 *
 * @returns the generation of the index; undefined when the lease is lost
 */
export async function endRun(
  sql: Sql,
  { owner }: Lease,
  ending: Ending,
): Promise<string | undefined> {
  const { result, error, includeUploads } = { ...ABSENT, ...ending }
  const isIndexed = result?.status === 'completed'
  const rows = await sql<{ generation: string }[]>`
    update knowledge_run set owner = null, signal = null, progress = null, automatic = false,
      run_timeout_seconds = null,
      last_result = ${result ? sql.json({ ...result, errors: [...result.errors] }) : null},
      last_error = ${error ?? null},
      with_uploads = coalesce(${includeUploads ?? null}, with_uploads),
      generation = generation + ${isIndexed ? 1 : 0},
      last_indexed_at = case when ${isIndexed} then clock_timestamp() else last_indexed_at end
    where owner = ${owner}
    returning generation::text`
  return rows.at(0)?.generation
}

const ABSENT: {
  readonly result?: RunResult
  readonly error?: string
  readonly includeUploads?: boolean
} = {}

/** Removes the index; false while a run holds it. */
export async function clearIndex(sql: Sql): Promise<boolean> {
  const { count } = await sql`
    update knowledge_run set generation = generation + 1, last_result = null, last_error = null,
      last_indexed_at = null
    where not ${isHeld(sql, RUN)}`
  return count === 1
}
