import { type Leg, RECORDS_MAX, RECORD_DOUBLES } from './prediction.ts'

/** Between two records a ship moves so far at first [rad], and this share of the time at most. */
const ANGLE = 0.02
const SHARE = 1 / 400

/** Records that must stay: the ends of legs and burns. */
const FIXED_MAX = 500

/** A place that a record is made of. */
export interface Place {
  /** lattice index */
  readonly index: number
  /** body index */
  readonly body: number
  readonly r: ArrayLike<number>
  readonly v: ArrayLike<number>
  /** how far the ship has turned about its bodies since the start [rad] */
  readonly angle: number
}

interface Kept {
  readonly body: number
  readonly angle: number
  readonly fixed: boolean
  readonly values: readonly number[]
}

/**
 * Records of a trajectory, spaced so that a cubic between two of them is close to it. When they
 * become too many, their spacing doubles.
 */
export class Records {
  readonly #quantaMax: number
  #kept: Kept[] = []
  #spacing = 1
  #fixed = 0

  /** @param quanta  how far the trajectory may reach */
  constructor(quanta: number) {
    this.#quantaMax = quanta * SHARE
  }

  add(place: Place, isFixed: boolean): void {
    const last = this.#kept.at(-1)
    const fixed = isFixed && this.#fixed < FIXED_MAX
    if (last && !fixed && !this.#isApart(last, place.index, place.angle)) return
    if (fixed) this.#fixed++
    this.end(place, fixed)
    // The last record of all still finds room.
    while (this.#kept.length >= RECORDS_MAX) this.#thin()
  }

  /** Keeps the last place, unless it is there. */
  end({ index, body, r, v, angle }: Place, fixed: boolean = true): void {
    const last = this.#kept.at(-1)
    if (last?.values[0] === index && last.body === body) return
    this.#kept.push({ body, angle, fixed, values: [index, r[0], r[1], r[2], v[0], v[1], v[2]] })
  }

  /** The records, apart where the body changes. */
  legs(names: readonly string[]): Leg[] {
    const legs: Leg[] = []
    for (let begin = 0; begin < this.#kept.length;) {
      const { body } = this.#kept[begin]
      let end = begin
      while (this.#kept[end]?.body === body) end++
      const records = new Float64Array((end - begin) * RECORD_DOUBLES)
      for (let i = begin; i < end; i++) {
        records.set(this.#kept[i].values, (i - begin) * RECORD_DOUBLES)
      }
      legs.push({ body: names[body], records })
      begin = end
    }
    return legs
  }

  #isApart({ angle, values }: Kept, index: number, now: number): boolean {
    const isTurned = now - angle >= ANGLE * this.#spacing
    return isTurned || index - values[0] >= this.#quantaMax * this.#spacing
  }

  #thin(): void {
    this.#spacing *= 2
    const kept: Kept[] = []
    for (const record of this.#kept) {
      const last = kept.at(-1)
      const isApart = !last || this.#isApart(last, record.values[0], record.angle)
      if (record.fixed || isApart) kept.push(record)
    }
    this.#kept = kept
  }
}
