/** Beside which edges of the picture a point stands: a line between two is left out by them. */
import type { Frame, Lens } from './frame.ts'

/** Pixels beside the picture that still count as within it. */
const MARGIN = 4

/** Sets one bit for each edge that a point from the camera [m] is beyond. */
export type SidesOf = (x: number, y: number, z: number) => number

/** Two points whose sides share a bit have nothing of the line between them in the picture. */
export function sidesIn({ right, up, forward }: Frame, { width, height, focal }: Lens): SidesOf {
  const across = (width / 2 + MARGIN) / focal
  const high = (height / 2 + MARGIN) / focal
  return (x, y, z) => {
    const depth = forward[0] * x + forward[1] * y + forward[2] * z
    const a = right[0] * x + right[1] * y + right[2] * z
    const b = up[0] * x + up[1] * y + up[2] * z
    const beyondX = (a > across * depth ? 1 : 0) | (a < -across * depth ? 2 : 0)
    return beyondX | (b > high * depth ? 4 : 0) | (b < -high * depth ? 8 : 0)
  }
}
