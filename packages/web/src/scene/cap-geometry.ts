/** A sphere of which the graphics card gets only the part about one direction. */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three'
import { SphereCap, type SphereGrid } from '../space/sphere-cap.ts'
import type { Vector } from '@orrery/page-kit'

export class CapGeometry extends BufferGeometry {
  readonly #cap: SphereCap
  readonly #indices: BufferAttribute

  constructor(grid: SphereGrid) {
    super()
    this.#cap = new SphereCap(grid)
    this.#indices = new BufferAttribute(this.#cap.index, 1).setUsage(DynamicDrawUsage)
    this.setAttribute('direction', new BufferAttribute(grid.directions, 3))
      .setAttribute('place', new BufferAttribute(grid.places, 2))
      .setIndex(this.#indices)
      .setDrawRange(0, 0)
  }

  /**
   * @param middle  a direction of any length, in the axes of the sphere
   * @param radius  of what is drawn at least [rad]
   */
  show(middle: Vector, radius: number): void {
    if (!this.#cap.choose(middle, radius)) return
    this.setDrawRange(0, this.#cap.count)
    this.#indices.clearUpdateRanges()
    this.#indices.addUpdateRange(0, this.#cap.count)
    this.#indices.needsUpdate = true
  }
}
