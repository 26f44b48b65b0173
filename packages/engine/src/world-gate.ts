/** Lets reads and commands at the world while no tick moves it. */
export class WorldGate {
  #isOpen = true
  #waiting: (() => void)[] = []

  /** A tick begins to move the world. */
  close(): void {
    this.#isOpen = false
  }

  /** The tick is over: lets all in that wait. */
  open(): void {
    this.#isOpen = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const enter of waiting) enter()
  }

  /**
   * Acts at once, or when the running tick is over.
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
      if (this.#isOpen) enter()
      else if (first) this.#waiting.unshift(enter)
      else this.#waiting.push(enter)
    })
  }
}
