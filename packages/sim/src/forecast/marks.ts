import { MARKS_MAX, type Mark } from './prediction.ts'

/** Marks of a trajectory, as many as find room. */
export class Marks {
  readonly #marks: Mark[] = []
  leftOut = 0

  add(mark: Mark): void {
    if (this.#marks.length < MARKS_MAX) this.#marks.push(mark)
    else this.leftOut++
  }

  /** By rising index. */
  list(): readonly Mark[] {
    return this.#marks.toSorted((a, b) => a.index - b.index)
  }
}
