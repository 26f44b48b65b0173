import type { WallClock } from '@orrery/engine'

/** A clock that passes when it is asked to. */
export class SteppedClock implements WallClock {
  #ms = 0
  #due: { readonly atMs: number; readonly callback: () => void }[] = []

  monotonicMs(): number {
    return this.#ms
  }

  utcMs(): number {
    return this.#ms
  }

  after(ms: number, callback: () => void): () => void {
    const one = { atMs: this.#ms + ms, callback }
    this.#due.push(one)
    return () => void (this.#due = this.#due.filter((other) => other !== one))
  }

  pass(ms: number): void {
    this.#ms += ms
    const due = this.#due.filter(({ atMs }) => atMs <= this.#ms)
    this.#due = this.#due.filter((one) => !due.includes(one))
    for (const { callback } of due) callback()
  }
}
