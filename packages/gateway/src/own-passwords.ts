import { SlidingWindow, rateLimited } from '@orrery/http'

const MINUTE_MS = 60_000

/** Wrong passwords of each account, counted together for all routes that ask for one's own. */
export interface OwnPasswords {
  /**
   * Runs what checks an own password and rejects when it is wrong: a stolen token must not open
   * the way to guess it.
   *
   * @throws {HttpError} 429 `rate_limited`
   */
  checked<Result>(playerId: string, check: () => Promise<Result>): Promise<Result>
}

/** @param attemptsPerMinute  wrong ones, per account */
export function createOwnPasswords(attemptsPerMinute: number): OwnPasswords {
  const attempts = new SlidingWindow({ limit: attemptsPerMinute, windowMs: MINUTE_MS })
  return {
    checked: async (playerId, check) => {
      const attempt = attempts.attempt(playerId)
      if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
      const result = await check()
      attempts.takeBack(playerId)
      return result
    },
  }
}
