/** One of those that wait. */
interface Waiting {
  readonly start: () => Promise<unknown>
}

/** Runs one after the other what owners ask for; of what waits, each owner's in turn. */
export class FairLine {
  /** by owner, the one whose turn it is first; none is empty */
  readonly #waiting = new Map<string, Waiting[]>()
  #isRunning = false

  add<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const start = (): Promise<unknown> => work().then(resolve, reject)
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), { start }])
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (const [owner, [next, ...others]] of this.#turns()) {
      // Behind the others, until its turn comes again.
      this.#waiting.delete(owner)
      if (others.length > 0) this.#waiting.set(owner, others)
      await next.start()
    }
    this.#isRunning = false
  }

  /** The first owner and what it has waiting, as long as there is one. */
  *#turns(): Iterable<readonly [owner: string, waiting: readonly Waiting[]]> {
    for (;;) {
      const [first] = this.#waiting
      if (!first) return
      yield first
    }
  }
}
