/**
 * What a password is hashed for. Admins come first; logins and registrations take turns, so that
 * neither keeps the other waiting.
 */
export type PasswordLane = 'admin' | 'login' | 'registration'

/** Hashes that may wait in a lane; each takes tens of milliseconds, so more would wait too long. */
const WAITING_MAX = 64

/** Too many hashes wait already; the caller answers that the server is overloaded. */
export class PasswordsBusyError extends Error {}

/** Runs one piece of work at a time, chosen by its lane. */
export interface PasswordLanes {
  /** @throws {PasswordsBusyError} when the lane is full */
  enqueue<Result>(lane: PasswordLane, work: () => Promise<Result>): Promise<Result>
  /** how many wait in all lanes, the one at work included */
  waiting(): number
}

export function createPasswordLanes(): PasswordLanes {
  const lanes: Record<PasswordLane, (() => Promise<void>)[]> = {
    admin: [],
    login: [],
    registration: [],
  }
  let atWork = 0
  let turn: Exclude<PasswordLane, 'admin'> = 'login'
  const next = (): (() => Promise<void>) | undefined => {
    const first = lanes.admin.shift()
    if (first) return first
    const other = turn === 'login' ? 'registration' : 'login'
    const chosen = lanes[turn].length > 0 ? turn : other
    turn = chosen === 'login' ? 'registration' : 'login'
    return lanes[chosen].shift()
  }
  const serve = async (): Promise<void> => {
    atWork = 1
    for (let work = next(); work; work = next()) await work()
    atWork = 0
  }
  return {
    enqueue: (lane, work) => {
      if (lanes[lane].length >= WAITING_MAX) {
        return Promise.reject(new PasswordsBusyError('Too many logins wait.'))
      }
      return new Promise((resolve, reject) => {
        lanes[lane].push(() => work().then(resolve, reject))
        if (atWork === 0) void serve()
      })
    },
    waiting: () => atWork + Object.values(lanes).reduce((sum, { length }) => sum + length, 0),
  }
}
