/** What a camera can see of points: in the picture, and not behind the body nearby. */
import type { Ambient } from './ambient.ts'
import type { Lens, Orientation } from './frame.ts'

/** A point is so large at most [px]. */
const MARGIN = 8

/** Square of the share of its radius at which even Saturn's poles hide what is behind. */
const HIDING = 0.8

export class Sight {
  readonly #ambient: Ambient
  /** indices of the points that were found */
  found: Uint32Array = new Uint32Array(0)

  constructor(ambient: Ambient) {
    this.#ambient = ambient
  }

  /**
   * Finds the points that are seen; one whose place is not known is not.
   *
   * @param points  triples from the camera [m]
   * @returns how many are found
   */
  find(points: Float64Array, { right, up, forward }: Orientation, lens: Lens): number {
    const count = points.length / 3
    if (this.found.length < count) this.found = new Uint32Array(count)
    const { found } = this
    // Tangents of the angles from the middle of the picture to its sides.
    const acrossMax = (lens.width / 2 + MARGIN) / lens.focal
    const highMax = (lens.height / 2 + MARGIN) / lens.focal
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = [...forward, ...right, ...up]
    const { x: bx, y: by, z: bz, w: radius } = this.#ambient.uniforms.shade.value
    const distance2 = bx * bx + by * by + bz * bz
    const hiding2 = HIDING * radius ** 2
    let seen = 0
    for (let i = 0; i < count; i++) {
      const x = points[3 * i]
      const y = points[3 * i + 1]
      const z = points[3 * i + 2]
      const ahead = x * fx + y * fy + z * fz
      if (!(ahead > 0)) continue
      if (Math.abs(x * rx + y * ry + z * rz) > acrossMax * ahead) continue
      if (Math.abs(x * ux + y * uy + z * uz) > highMax * ahead) continue
      const square = x * x + y * y + z * z
      const before = x * bx + y * by + z * bz
      const isBeyond = before > 0 && square > before
      if (isBeyond && distance2 - (before * before) / square < hiding2) continue
      found[seen++] = i
    }
    return seen
  }
}
