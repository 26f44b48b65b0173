import { busy } from './errors.ts'
import { Turns } from './turns.ts'

/** Places of a line. */
export interface LineOptions {
  /** tasks that run at a time; 1 by default */
  readonly at?: number
  /** those of one client; all by default */
  readonly share?: number
  readonly waitingMax: number
}

/** Runs some tasks at a time; clients that wait take turns. */
export class WaitingLine {
  readonly #what: string
  readonly #turns: Turns<PromiseWithResolvers<() => void>>
  #free: number

  /** @param what  is refused when too many wait, such as `searches` */
  constructor(what: string, { at = 1, share = at, waitingMax }: LineOptions) {
    this.#what = what
    this.#free = at
    this.#turns = new Turns({ waitingMax, share })
  }

  /**
   * Runs a task in its turn.
   *
   * @throws {HttpError} 503 when too many wait
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = Promise.withResolvers<() => void>()
    this.#turns.add(turn)?.reject(busy(`Too many ${this.#what} wait; try again`, 1))
    this.#start()
    const end = await turn.promise
    try {
      return await task()
    } finally {
      end()
      this.#free++
      this.#start()
    }
  }

  #start(): void {
    while (this.#free > 0) {
      const next = this.#turns.take()
      if (!next) return
      this.#free--
      next.job.resolve(next.end)
    }
  }
}
