import { ClientError } from '@orrery/client'
import type { Attempt, Ledger, Realm, Value } from './ledger.ts'

/** A thing and what it is to be. */
export type Change = readonly [realm: Realm, key: string, value: Value]

/** Asks a server for changes, and keeps the ledger of what must have come of them. */
export interface Asking {
  readonly ledger: Ledger
  /** answers no server should give, such as internal errors */
  readonly faults: string[]
  /** commands whose outcome the server itself did not know, by E008 */
  unknown: number
}

/** What a server says of an outage of its database: what was asked for may have been done. */
const OUTAGE = /^The database is away|not durable after|do not become durable/

/** The answer; undefined when the server refused, or none came. */
export function ask<Answer>(
  asking: Asking,
  changes: readonly Change[],
  request: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const attempts = changes.map((change) => asking.ledger.attempt(...change))
  return attempted(asking, attempts, request)
}

/** The answer, as of `ask`, to a request whose attempts the ledger has already. */
export async function attempted<Answer>(
  asking: Asking,
  attempts: readonly Attempt[],
  request: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const answer = await request()
    for (const attempt of attempts) attempt.acknowledged()
    return answer
  } catch (error) {
    const end = isRefusal(asking, error) ? 'refused' : 'unanswered'
    for (const attempt of attempts) attempt[end]()
    return undefined
  }
}

/** Whether a request has acted; undefined when nobody knows. */
export async function hasActed(
  asking: Asking,
  request: () => Promise<unknown>,
): Promise<boolean | undefined> {
  try {
    await request()
    return true
  } catch (error) {
    return isRefusal(asking, error) ? false : undefined
  }
}

/** Whether a request failed so that it has not acted. @throws what is no failure of a request */
export function isRefusal(asking: Asking, error: unknown): boolean {
  if (!(error instanceof ClientError)) throw error
  const isFault = error.status === 500 && !OUTAGE.test(error.message)
  if (isFault || error.code === 'bad_answer') asking.faults.push(error.message)
  if (error.code === 'E008') asking.unknown++
  return error.code.startsWith('E') && error.code !== 'E008'
}
