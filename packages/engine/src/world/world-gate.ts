/** What excludes reads and commands: a tick, the copy of ships, the flight of followed ones. */
type Occupation = 'tick' | 'copy' | 'following'

/** Queues reads and commands while a tick or a copy occupies the world. */
export class WorldGate {
  readonly #occupations = new Set<Occupation>()
  readonly #waiting: (() => void)[] = []

  close(occupation: Occupation = 'tick'): void {
    this.#occupations.add(occupation)
  }

  /** Runs what waits, in order, until something occupies the world again. */
  open(occupation: Occupation = 'tick'): void {
    this.#occupations.delete(occupation)
    while (this.#occupations.size === 0 && this.#waiting.length > 0) this.#waiting.shift()?.()
  }

  /**
   * Acts at once, or when nothing occupies the world any more.
   *
   * @param first  before everything that waits already
   */
  pass<Result>(act: () => Result, first = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        try {
          resolve(act())
        } catch (error) {
          reject(error)
        }
      }
      if (this.#occupations.size === 0) enter()
      else if (first) this.#waiting.unshift(enter)
      else this.#waiting.push(enter)
    })
  }
}
