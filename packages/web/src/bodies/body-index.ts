/** Bodies of the flown star system among those of the picture. */
import type { Surroundings } from '../scene/surroundings.ts'

export class BodyIndex {
  #around: Surroundings | undefined
  #indices: readonly number[] = []

  /** Index in the picture of a body that the flight counts as `reference`; the root's if none. */
  of(reference: number, around: Surroundings): number {
    if (around !== this.#around) {
      this.#around = around
      const names = around.bodies.map(({ name }) => name)
      const { bodies = [] } = around.flight?.world.system ?? {}
      this.#indices = bodies.map(({ name }) => Math.max(names.indexOf(name), 0))
    }
    return this.#indices[reference] ?? 0
  }
}
