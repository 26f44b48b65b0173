import { HttpError } from '@orrery/http'

/** Runs some tasks at a time; others wait in their order. */
export class WaitingLine {
  readonly #what: string
  readonly #waitingMax: number
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param what  is refused when too many wait, such as `searches` */
  constructor(what: string, { at = 1, waitingMax }: { at?: number; waitingMax: number }) {
    this.#what = what
    this.#free = at
    this.#waitingMax = waitingMax
  }

  /**
   * Runs a task in its turn.
   *
   * @throws {HttpError} 503 when too many wait
   */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await this.#turn()
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingMax) {
      const message = `Too many ${this.#what} wait; try again`
      throw new HttpError(503, 'busy', message, { headers: { 'Retry-After': '1' } })
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
