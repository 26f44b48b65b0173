import type { WallClock } from '@orrery/engine'
import { type Applicant, createLoginQueue } from './login-queue.ts'

/** What a password is hashed for, when it is not for a login. */
export type PasswordLane = 'trusted' | 'registration'

/** Hashes that may wait in a lane; each takes tens of milliseconds, so more would wait too long. */
const WAITING_MAX = 64

/** Too many hashes wait already; the caller answers that the server is overloaded. */
export class PasswordsBusyError extends Error {}

/**
 * Runs one piece of work at a time: those of people who have shown who they are first; logins and
 * registrations take turns, so that neither keeps the other waiting.
 */
export interface PasswordLanes {
  /** @throws {PasswordsBusyError} when the lane is full */
  enqueue<Result>(lane: PasswordLane, work: () => Promise<Result>): Promise<Result>
  /** @throws {PasswordsBusyError} when others are served before, and there are too many */
  login(applicant: Applicant, work: () => Promise<boolean>): Promise<boolean>
  /** how many wait in all lanes, the one at work included */
  waiting(): number
}

export function createPasswordLanes(clock: Pick<WallClock, 'monotonicMs'>): PasswordLanes {
  const lanes: Record<PasswordLane, (() => Promise<void>)[]> = { trusted: [], registration: [] }
  const logins = createLoginQueue(clock)
  let atWork = 0
  let isLoginsTurn = true
  const next = (): (() => Promise<void>) | undefined => {
    const first = lanes.trusted.shift()
    if (first) return first
    const isLogin = logins.waiting() > 0 && (isLoginsTurn || lanes.registration.length === 0)
    isLoginsTurn = !isLogin
    return isLogin ? logins.shift() : lanes.registration.shift()
  }
  const serve = async (): Promise<void> => {
    if (atWork > 0) return
    atWork = 1
    for (let work = next(); work; work = next()) await work()
    atWork = 0
  }
  return {
    enqueue: (lane, work) => {
      if (lanes[lane].length >= WAITING_MAX) return Promise.reject(busy())
      return new Promise((resolve, reject) => {
        lanes[lane].push(() => work().then(resolve, reject))
        void serve()
      })
    },
    login: async (applicant, work) => {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>()
      logins.add(
        applicant,
        () => work().then(resolve, reject),
        () => reject(busy()),
      )
      void serve()
      const fits = await promise
      if (fits) logins.succeeded(applicant)
      return fits
    },
    waiting: () => atWork + logins.waiting() + lanes.trusted.length + lanes.registration.length,
  }
}

function busy(): PasswordsBusyError {
  return new PasswordsBusyError('Too many logins wait.')
}
