/** Runs one after the other what owners ask for; of what waits, each owner's in turn. */
export class FairLine {
  /** by owner, the one whose turn it is first; none is empty */
  readonly #waiting = new Map<string, (() => Promise<unknown>)[]>()
  #isRunning = false

  add<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const start = (): Promise<unknown> => work().then(resolve, reject)
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), start])
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      const [first] = this.#waiting
      if (!first) break
      const [owner, [start, ...others]] = first
      // Behind the others, until its turn comes again.
      this.#waiting.delete(owner)
      if (others.length > 0) this.#waiting.set(owner, others)
      await start()
    }
    this.#isRunning = false
  }
}
