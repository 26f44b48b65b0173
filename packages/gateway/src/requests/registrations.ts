import { refusal } from '@orrery/game'
import { SlidingWindow, rateLimited } from '@orrery/http'
import type { AppParts } from '../app-parts.ts'

const HOUR_MS = 3_600_000

/** Whether and how many accounts an address may make, over all routes that make them. */
export interface Registrations {
  /** @throws {Refusal} 403 E020 */
  ensureOpen(): Promise<void>
  /** Makes an account. @throws {HttpError} 429 where an address has made too many */
  counted<Result>(address: string, make: () => Promise<Result>): Promise<Result>
}

export function createRegistrations({
  config: { registrationsPerHour: limit },
  settings,
  isRegistrationOpen,
}: Pick<AppParts, 'config' | 'settings' | 'isRegistrationOpen'>): Registrations {
  const made = limit === 0 ? undefined : new SlidingWindow({ limit, windowMs: HOUR_MS })
  return {
    ensureOpen: async () => {
      // Closed since by another process: the change itself looks again.
      if (!settings.registrationOpen && !(await isRegistrationOpen())) throw refusal('E020')
    },
    counted: async (address, make) => {
      const attempt = made?.attempt(address) ?? { allowed: true }
      if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
      try {
        return await make()
      } catch (error) {
        // Only accounts count, not names that were taken.
        made?.takeBack(address)
        throw error
      }
    },
  }
}
