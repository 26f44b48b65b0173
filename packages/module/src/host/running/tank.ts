import { FROZEN, type WorldState, segmentFraction, segmentFuel } from '@orrery/sim'

/** Tanks of the ships of a star system, with what a beat has filled into them. */
export class Tanks {
  readonly #state: WorldState
  #filled = new Map<number, number>()

  constructor(state: WorldState) {
    this.#state = state
  }

  /** Fuel of a ship at an index that its open step holds [kg]. */
  at(slot: number, index: number): number {
    const { ships } = this.#state
    const filled = this.#filled.get(slot)
    if (filled !== undefined) return filled
    if (ships.condition[slot] === FROZEN) return ships.fuel[slot]
    return segmentFuel(ships, slot, segmentFraction(ships, slot, index, 0))
  }

  /** The ship has it at the end of the beat [kg]. */
  fill(slot: number, fuel: number): void {
    this.#filled.set(slot, fuel)
  }

  /** By slot: what was filled. */
  take(): ReadonlyMap<number, number> {
    const filled = this.#filled
    if (filled.size > 0) this.#filled = new Map()
    return filled
  }
}
