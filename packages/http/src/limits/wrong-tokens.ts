import { rateLimited } from './rate-limit.ts'
import { SlidingWindow } from './sliding-window.ts'

const PER_MINUTE = 600
const MINUTE_MS = 60_000

/**
 * Wrong tokens of each address, 600 a minute. Right ones are not counted and never refused, so that
 * one client cannot lock out others of the same address.
 */
export class WrongTokens {
  readonly #window = new SlidingWindow({ limit: PER_MINUTE, windowMs: MINUTE_MS })

  /** Counts one. @throws {HttpError} 429 `rate_limited` beyond the limit, in place of a 401 */
  count(address: string): void {
    const attempt = this.#window.attempt(address)
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
  }
}
