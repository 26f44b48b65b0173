/** Commands that were sent before another one of the same ship, and have no answer yet. */
export interface EarlierCommands {
  /** id of the last one; undefined when all have an answer */
  last(this: void): string | undefined
  /** resolves when all have an answer */
  answered(this: void): Promise<unknown>
}

/** Knows the commands of each ship that have no answer yet, in the order of their sending. */
export class OpenCommands {
  readonly #ships = new Map<string, Map<string, Promise<unknown>>>()

  /** Sends a command; those of the same ship that come after it know it until it has an answer. */
  send<Answer>(
    shipId: string,
    id: string,
    act: (earlier: EarlierCommands) => Promise<Answer>,
  ): Promise<Answer> {
    const open = this.#ships.get(shipId) ?? new Map<string, Promise<unknown>>()
    this.#ships.set(shipId, open)
    const before = [...open]
    const answer = act({
      last: () => before.findLast(([earlier]) => open.has(earlier))?.[0],
      answered: () => Promise.allSettled(before.map(([, done]) => done)),
    }).finally(() => {
      open.delete(id)
      if (open.size === 0) this.#ships.delete(shipId)
    })
    open.set(id, answer)
    return answer
  }
}
