/** What a camera can see of points: in the picture, and not behind the body nearby. */
import type { Ambient } from './ambient.ts'
import type { Lens, Orientation } from './frame.ts'
import { STEADY_PIXELS, SteadySides } from './seen-sides.ts'

/** A point is so large at most [px]. */
const MARGIN = 8

/** Square of the share of its radius at which even Saturn's poles hide what is behind. */
const HIDING = 0.8

/** A far point that is not beside the picture is looked at once in so many pictures. */
const ROUND = 8

/** How points have moved since the picture before. */
export interface Motion {
  /** by point, 1 for one that may have moved by any angle */
  readonly isNear: Uint8Array
  /** of the images of all others, at most [px] */
  readonly pace: number
}

export class Sight {
  readonly #ambient: Ambient
  readonly #sides = new SteadySides()
  /** by point, 1 for one that is near the picture, as last looked at */
  #isBeside = new Uint8Array(0)
  #count = 0
  #round = 0
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
  find(points: Float64Array, axes: Orientation, lens: Lens, { isNear, pace }: Motion): number {
    const count = points.length / 3
    const areSame = count === this.#count
    if (this.#isBeside.length < count) {
      this.found = new Uint32Array(2 * count)
      this.#isBeside = new Uint8Array(2 * count)
    }
    this.#count = count
    const isSteady = !this.#sides.update(axes, lens) && areSame && pace * ROUND < STEADY_PIXELS
    this.#round = (this.#round + 1) % ROUND
    const [begin, end] = isSteady ? [this.#round, this.#round + 1] : [0, ROUND]
    this.#look(points, Math.floor((count * begin) / ROUND), Math.floor((count * end) / ROUND))
    return this.#select(points, axes, lens, isNear)
  }

  /** Notes which of some points are in the picture or beside it. */
  #look(points: Float64Array, begin: number, end: number): void {
    const sidesOf = this.#sides.of
    for (let i = begin; i < end; i++) {
      const sides = sidesOf(points[3 * i], points[3 * i + 1], points[3 * i + 2])
      this.#isBeside[i] = sides === 0 ? 1 : 0
    }
  }

  #select(
    points: Float64Array,
    { right, up, forward }: Orientation,
    lens: Lens,
    isNear: Uint8Array,
  ): number {
    const count = points.length / 3
    const { found } = this
    const isBeside = this.#isBeside
    // Tangents of the angles from the middle of the picture to its sides.
    const acrossMax = (lens.width / 2 + MARGIN) / lens.focal
    const highMax = (lens.height / 2 + MARGIN) / lens.focal
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = [...forward, ...right, ...up]
    const { x: bx, y: by, z: bz, w: radius } = this.#ambient.uniforms.shade.value
    const distance2 = bx * bx + by * by + bz * bz
    const hiding2 = HIDING * radius ** 2
    let seen = 0
    for (let i = 0; i < count; i++) {
      if (isBeside[i] === 0 && isNear[i] === 0) continue
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
