import { BrokenModule, type ColumnMemory } from './memory.ts'
import type { Writes } from './writes.ts'

/** Of one ship at one beat. */
const CLAIMS_MAX = 16

interface Claim {
  memory?: ColumnMemory
  place: number
  amount: number
  settle?: ((got: number) => void) | undefined
}

/** What a ship claims of rows at a beat. */
export class Claims {
  // Each is made once: to put something into a list is slow, see `Undo`.
  readonly #claims = Array.from({ length: CLAIMS_MAX }, (): Claim => ({ place: 0, amount: 0 }))
  #count = 0

  /** @throws {BrokenModule} for what nothing can be taken from, or too many of one ship */
  add(memory: ColumnMemory, place: number, amount: number, settle: (got: number) => void): void {
    if (!(amount >= 0 && amount < Infinity)) throw new BrokenModule(`It claims ${amount}.`)
    const { column, name } = memory
    if (column.kind !== 'f64') throw new BrokenModule(`It claims of ${name}, no f64.`)
    if (this.#count >= CLAIMS_MAX) {
      throw new BrokenModule(`It claims more than ${CLAIMS_MAX} times for one ship.`)
    }
    const claim = this.#claims[this.#count++]
    claim.memory = memory
    claim.place = place
    claim.amount = amount
    claim.settle = settle
  }

  /**
   * Settles those of a ship, whose answers may claim more; returns whether it got all of them.
   *
   * @param before  is called before each
   */
  settle(writes: Writes, before: () => void): boolean {
    let isWhole = true
    for (let i = 0; i < this.#count; i++) {
      const { amount, memory, place, settle } = this.#claims[i]
      if (!memory || !settle) continue
      before()
      const left = memory.values[place]
      const got = Math.max(0, Math.min(amount, left))
      if (got > 0) writes.write(memory, place, left - got)
      settle(got)
      if (got !== amount) isWhole = false
    }
    this.drop()
    return isWhole
  }

  drop(): void {
    // What answers is not kept alive.
    for (let i = 0; i < this.#count; i++) this.#claims[i].settle = undefined
    this.#count = 0
  }
}
