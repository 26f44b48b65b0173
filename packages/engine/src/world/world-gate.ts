/** What the world is to be left alone for: a tick moves it, or its ships are copied. */
type Occupation = 'tick' | 'copy'

/** Lets reads and commands at the world while nothing occupies it. */
export class WorldGate {
  readonly #occupations = new Set<Occupation>()
  readonly #waiting: (() => void)[] = []

  close(occupation: Occupation = 'tick'): void {
    this.#occupations.add(occupation)
  }

  /** Lets all in that wait, one after the other, until one occupies the world. */
  open(occupation: Occupation = 'tick'): void {
    this.#occupations.delete(occupation)
    while (this.#occupations.size === 0 && this.#waiting.length > 0) this.#waiting.shift()?.()
  }

  /**
   * Acts at once, or when nothing occupies the world any more.
   *
   * @param first  before all who wait already
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
