import { Refusal } from '@orrery/game'
import { SlidingWindow, rateLimited } from '@orrery/http'

const MINUTE_MS = 60_000

/** Wrong passwords of each account, counted together for all routes that ask for one's own. */
export interface OwnPasswords {
  /**
   * Runs what checks an own password and rejects when it is wrong: a stolen token must not open
   * the way to guess it. An outage counts as no attempt.
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
      let isWrong = false
      try {
        return await check()
      } catch (error) {
        isWrong = error instanceof Refusal && error.code !== 'E008'
        throw error
      } finally {
        if (!isWrong) attempts.takeBack(playerId)
      }
    },
  }
}
