/** What a camera can see of points: in the picture, and not behind the body nearby. */
import { dot, fill, vector } from '../space/vector.ts'
import type { Ambient } from './ambient.ts'
import type { Frame, Lens, Orientation } from './frame.ts'

/** A point is so large at most [px]. */
const MARGIN = 8

/** Square of the share of its radius at which even Saturn's poles hide what is behind. */
const HIDING = 0.8

export class Sight {
  readonly #ambient: Ambient
  #axes: Orientation = { right: vector(), up: vector(), forward: vector() }
  /** tangents of the angles from the middle of the picture to its sides */
  #acrossMax = 0
  #highMax = 0
  readonly #body = vector()
  #distance2 = 0
  #hiding2 = 0

  constructor(ambient: Ambient) {
    this.#ambient = ambient
  }

  turn(frame: Frame, { width, height, focal }: Lens): void {
    this.#axes = frame
    this.#acrossMax = (width / 2 + MARGIN) / focal
    this.#highMax = (height / 2 + MARGIN) / focal
    const { x, y, z, w: radius } = this.#ambient.uniforms.shade.value
    fill(this.#body, x, y, z)
    this.#distance2 = dot(this.#body, this.#body)
    this.#hiding2 = HIDING * radius ** 2
  }

  /** Whether a point relative to the camera is seen; not if its place is not known. */
  has(x: number, y: number, z: number): boolean {
    const { right, up, forward } = this.#axes
    const ahead = x * forward[0] + y * forward[1] + z * forward[2]
    if (!(ahead > 0)) return false
    const across = x * right[0] + y * right[1] + z * right[2]
    if (Math.abs(across) > this.#acrossMax * ahead) return false
    const high = x * up[0] + y * up[1] + z * up[2]
    if (Math.abs(high) > this.#highMax * ahead) return false
    const square = x * x + y * y + z * z
    const before = x * this.#body[0] + y * this.#body[1] + z * this.#body[2]
    const aside2 = this.#distance2 - (before * before) / square
    return !(before > 0 && square > before && aside2 < this.#hiding2)
  }
}
