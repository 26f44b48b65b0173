import { FROZEN, type Stage, endPull, shipClassOf, startPull } from '@orrery/sim'
import { ARC, ARC_DOUBLES } from '../scene/arc.ts'

/** Room at first: of a quarter of a day in low orbit. */
const ARCS_FIRST = 1024

/** The steps of a ship on its stage, one after the other, each as in `arc.ts`. */
export class ForecastArcs {
  #values = new Float64Array(ARC_DOUBLES * ARCS_FIRST)
  #end = 0

  /** Appends the open step; where the ship stands when it is frozen. */
  add({ state }: Stage, slot: number): void {
    if (this.#end === this.#values.length) this.#grow()
    const { ships } = state
    const ship = shipClassOf(state, slot)
    const values = this.#values
    const at = this.#end
    const isFrozen = ships.condition[slot] === FROZEN
    values[at + ARC.start] = ships.stepStart[slot]
    values[at + ARC.end] = isFrozen ? ships.stepStart[slot] : ships.stepEnd[slot]
    values[at + ARC.reference] = ships.reference[slot]
    for (let axis = 0; axis < 3; axis++) {
      const i = 3 * slot + axis
      values[at + ARC.r0 + axis] = ships.position[i]
      values[at + ARC.v0 + axis] = ships.velocity[i]
      if (isFrozen) continue
      values[at + ARC.a0 + axis] = startPull(ships, slot, ship, axis)
      values[at + ARC.r1 + axis] = ships.endPosition[i]
      values[at + ARC.v1 + axis] = ships.endVelocity[i]
      values[at + ARC.a1 + axis] = endPull(ships, slot, ship, axis)
    }
    this.#end += ARC_DOUBLES
  }

  /** A copy of all. */
  values(): Float64Array<ArrayBuffer> {
    return this.#values.slice(0, this.#end)
  }

  #grow(): void {
    const values = new Float64Array(2 * this.#end)
    values.set(this.#values)
    this.#values = values
  }
}
