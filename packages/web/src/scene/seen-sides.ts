/** Beside which edges of the picture a point stands: a line between two is left out by them. */
import { addScaled, dot, vector } from '@orrery/page-kit'
import type { Lens, Orientation } from './frame.ts'

/** Pixels beside the picture that still count as within it. */
const MARGIN = 4

/** Likewise for what stays while the camera turns a little. */
const WIDE_MARGIN = 240

/**
 * So far the camera may turn, and images move, until points are sorted again [px at the middle].
 * Farther out an angle takes up to twice as many pixels.
 */
export const STEADY_PIXELS: number = WIDE_MARGIN / 4

/** Sets one bit for each edge that a point from the camera [m] is beyond. */
export type SidesOf = (x: number, y: number, z: number) => number

/** Two points whose sides share a bit have nothing of the line between them in the picture. */
export function sidesIn(
  { right, up, forward }: Orientation,
  { width, height, focal }: Lens,
  margin: number = MARGIN,
): SidesOf {
  const across = (width / 2 + margin) / focal
  const high = (height / 2 + margin) / focal
  return (x, y, z) => {
    const depth = forward[0] * x + forward[1] * y + forward[2] * z
    const a = right[0] * x + right[1] * y + right[2] * z
    const b = up[0] * x + up[1] * y + up[2] * z
    const beyondX = (a > across * depth ? 1 : 0) | (a < -across * depth ? 2 : 0)
    return beyondX | (b > high * depth ? 4 : 0) | (b < -high * depth ? 8 : 0)
  }
}

/** The sides of a wider picture, the same ones while the camera turns by a few degrees. */
export class SteadySides {
  of: SidesOf = () => 0
  readonly #axes: Orientation = { right: vector(), up: vector(), forward: vector() }
  #lens: Lens = { width: 0, height: 0, pixelRatio: 1, focal: 1 }

  /** @returns whether the sides are others than before */
  update(orientation: Orientation, lens: Lens): boolean {
    const { width, height, focal } = lens
    const isSame =
      width === this.#lens.width && height === this.#lens.height && focal === this.#lens.focal
    if (isSame && this.#turned(orientation) * focal < STEADY_PIXELS) return false
    for (const axis of AXES) this.#axes[axis].set(orientation[axis])
    this.#lens = { ...lens }
    this.of = sidesIn(this.#axes, this.#lens, WIDE_MARGIN)
    return true
  }

  /** The angle from the axes of these sides [rad], when it is small. */
  #turned(orientation: Orientation): number {
    let sum = 0
    for (const axis of AXES) {
      addScaled(difference, orientation[axis], this.#axes[axis], -1)
      sum += dot(difference, difference)
    }
    return Math.sqrt(sum / 2)
  }
}

const AXES = ['right', 'up', 'forward'] as const
const difference = vector()
