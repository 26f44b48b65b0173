import type { WallClock } from '@orrery/engine'
import { type Applicant, type LoginQueue, createLoginQueue } from './login-queue.ts'

/** Trusted hashes that may wait; each takes tens of milliseconds, so more would wait too long. */
const WAITING_MAX = 64

/** Too many hashes wait already; the caller answers that the server is overloaded. */
export class PasswordsBusyError extends Error {}

/**
 * Runs one piece of work at a time: those of people who have shown who they are first; logins and
 * registrations take turns, so that neither keeps the other waiting.
 */
export interface PasswordLanes {
  /** @throws {PasswordsBusyError} when too many wait */
  trusted<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws {PasswordsBusyError} when others are served before, and there are too many */
  registration<Result>(applicant: Applicant, work: () => Promise<Result>): Promise<Result>
  /** @throws {PasswordsBusyError} when others are served before, and there are too many */
  login(applicant: Applicant, work: () => Promise<boolean>): Promise<boolean>
  /** how many wait in all lanes, the one at work included */
  waiting(): number
}

export function createPasswordLanes(clock: Pick<WallClock, 'monotonicMs'>): PasswordLanes {
  const trusted: (() => Promise<void>)[] = []
  const logins = createLoginQueue(clock)
  const registrations = createLoginQueue(clock)
  let atWork = 0
  let isLoginsTurn = true
  const next = (): (() => Promise<void>) | undefined => {
    const first = trusted.shift()
    if (first) return first
    const isLogin = logins.waiting() > 0 && (isLoginsTurn || registrations.waiting() === 0)
    isLoginsTurn = !isLogin
    return (isLogin ? logins : registrations).shift()
  }
  const serve = async (): Promise<void> => {
    if (atWork > 0) return
    atWork = 1
    for (let work = next(); work; work = next()) await work()
    atWork = 0
  }
  const queued = <Result>(
    queue: LoginQueue,
    applicant: Applicant,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    queue.add(
      applicant,
      () => work().then(resolve, reject),
      () => reject(busy()),
    )
    void serve()
    return promise
  }
  return {
    trusted: (work) => {
      if (trusted.length >= WAITING_MAX) return Promise.reject(busy())
      return new Promise((resolve, reject) => {
        trusted.push(() => work().then(resolve, reject))
        void serve()
      })
    },
    registration: async (applicant, work) => {
      const result = await queued(registrations, applicant, work)
      registrations.succeeded(applicant)
      return result
    },
    login: async (applicant, work) => {
      const fits = await queued(logins, applicant, work)
      if (fits) logins.succeeded(applicant)
      return fits
    },
    waiting: () => atWork + logins.waiting() + registrations.waiting() + trusted.length,
  }
}

function busy(): PasswordsBusyError {
  return new PasswordsBusyError('Too many logins wait.')
}
