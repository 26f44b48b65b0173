/** Places are noted for so many writes at first. */
const NOTED_MIN = 64

export type Numbers = Float64Array | Int32Array | Uint32Array | Uint8Array

/** Values that are written, and may be put back. */
export interface Written {
  readonly values: Numbers
  readonly undo: Undo
  /** writes so far, those that were undone too */
  changes: number
}

/**
 * What was in a column before each write of the present call. Views of numbers, since a frozen
 * `Array.prototype` makes it slow to put something into a list.
 */
export class Undo {
  places: Int32Array<ArrayBuffer> = new Int32Array(NOTED_MIN)
  #before = new Float64Array(NOTED_MIN)
  count = 0
  /** the first so many are weighed */
  weighed = 0

  note(place: number, before: number): void {
    if (this.count === this.places.length) this.#grow()
    this.places[this.count] = place
    this.#before[this.count] = before
    this.count++
  }

  putBack(values: Numbers): void {
    for (let at = this.count - 1; at >= 0; at--) values[this.places[at]] = this.#before[at]
  }

  forget(): void {
    this.count = 0
    this.weighed = 0
  }

  /** A call may be ended anywhere here: what is written is there before its place is. */
  #grow(): void {
    const before = new Float64Array(2 * this.count)
    before.set(this.#before.subarray(0, this.count))
    const places = new Int32Array(2 * this.count)
    places.set(this.places)
    this.#before = before
    this.places = places
  }
}

/** What a module has written since it was called, to be undone where it breaks or refuses. */
export class Writes {
  readonly #written: Written[] = []

  write(memory: Written, place: number, value: number): void {
    const { undo, values } = memory
    const before = values[place]
    if (before === value) return
    if (undo.count === 0) this.#written.push(memory)
    undo.note(place, before)
    values[place] = value
    memory.changes++
  }

  keep(): void {
    for (const { undo } of this.#written.splice(0)) undo.forget()
  }

  undo(): void {
    for (const memory of this.#written) {
      memory.undo.putBack(memory.values)
      memory.changes++
    }
    this.keep()
  }
}

/** Places of some columns that the present call has written. */
export function placesIn(memories: readonly Written[]): ReadonlySet<number> {
  return new Set(memories.flatMap(({ undo }) => [...undo.places.subarray(0, undo.count)]))
}
