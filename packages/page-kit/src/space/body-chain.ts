/**
 * Where bodies are from one another, as differences along the chain of parents: two moons of one
 * planet are subtracted at the size of their orbits, not at that of the planet's.
 */
import { type Vector, fill } from './vector.ts'

/** A place held by a body: the offset [m] is from its centre, in axes that do not turn. */
export interface Place {
  readonly body: number
  readonly offset: Vector
}

export class BodyChain {
  readonly #parents: readonly number[]
  readonly #depths: readonly number[]
  /** x, y, z of each body from its parent [m]; of a root from the barycentre */
  readonly relative: Float64Array

  /** @param parents  index of each body's parent, -1 for none; parents come before children */
  constructor(parents: readonly number[]) {
    this.#parents = parents
    const depths: number[] = []
    for (const parent of parents) depths.push(parent < 0 ? 0 : depths[parent] + 1)
    this.#depths = depths
    this.relative = new Float64Array(3 * parents.length)
  }

  parent(body: number): number {
    return this.#parents[body]
  }

  /** A place as seen from another: `to` less `from` [m]. */
  difference(out: Vector, from: Place, to: Place): Vector {
    let a = from.body
    let b = to.body
    let [x, y, z] = [0, 0, 0]
    // Each climbs to the body that both hang from; what is above it cancels.
    while (a !== b) {
      const climbsA = b < 0 || (a >= 0 && this.#depths[a] > this.#depths[b])
      const at = 3 * (climbsA ? a : b)
      const sign = climbsA ? -1 : 1
      x += sign * this.relative[at]
      y += sign * this.relative[at + 1]
      z += sign * this.relative[at + 2]
      if (climbsA) a = this.#parents[a]
      else b = this.#parents[b]
    }
    const { offset: start } = from
    const { offset: end } = to
    return fill(out, x + (end[0] - start[0]), y + (end[1] - start[1]), z + (end[2] - start[2]))
  }
}
