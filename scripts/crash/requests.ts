import { ClientError } from '@orrery/client'
import type { Attempt, Model, Scope, Value } from './model.ts'

/** A key and its new value. */
export type Change = readonly [scope: Scope, key: string, value: Value]

/** The model that requests update, and the faults among their answers. */
export interface RequestLog {
  readonly model: Model
  /** further answers that are no faults: the request may be done all the same */
  readonly outages?: RegExp
  /** answers that are errors of the server */
  readonly faults: string[]
  /** count of answers E008: the server does not know the outcome */
  unknown: number
}

/** Answers during an outage of the database: the request may be done all the same. */
const OUTAGE = /^The database is away|not durable after|do not become durable/

/** Sends a request; returns undefined when it is refused or has no answer. */
export function send<Answer>(
  log: RequestLog,
  changes: readonly Change[],
  request: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const attempts = changes.map((change) => log.model.attempt(...change))
  return sendAttempts(log, attempts, request)
}

/** As `send`, for a request whose attempts are registered. */
export async function sendAttempts<Answer>(
  log: RequestLog,
  attempts: readonly Attempt[],
  request: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const answer = await request()
    for (const attempt of attempts) attempt.acknowledged()
    return answer
  } catch (error) {
    const end = isRefusal(log, error) ? 'refused' : 'unanswered'
    for (const attempt of attempts) attempt[end]()
    return undefined
  }
}

/** Whether a request was executed; undefined when that is unknown. */
export async function hasActed(
  log: RequestLog,
  request: () => Promise<unknown>,
): Promise<boolean | undefined> {
  try {
    await request()
    return true
  } catch (error) {
    return isRefusal(log, error) ? false : undefined
  }
}

/** Whether an error means that a request was not executed. @throws errors of other kinds */
export function isRefusal(log: RequestLog, error: unknown): boolean {
  if (!(error instanceof ClientError)) throw error
  const isOutage = OUTAGE.test(error.message) || log.outages?.test(error.message)
  const isFault = error.status === 500 && !isOutage
  if (isFault || error.code === 'bad_answer') log.faults.push(error.message)
  if (error.code === 'E008') log.unknown++
  return error.code.startsWith('E') && error.code !== 'E008'
}
