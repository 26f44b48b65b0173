/** A ship as large as it is: the outline of its hull, seen as the map looks. */
import type { ShipSample } from '@orrery/client/flight'
import { fill, vector } from '@orrery/page-kit'
import type { MapPicture } from './map-picture.ts'

/** Ships are drawn as hulls when a pixel is no longer [m]. */
export const HULL_SCALE_MAX = 3

/** Half of its outline, the nose along +x: distance along the axis and from it [m]. */
const OUTLINE = [
  [7, 0.3],
  [5.9, 1.1],
  [4.9, 1.6],
  [2.4, 1.6],
  [2, 3.5],
  [-3.6, 3.5],
  [-4.2, 1.6],
  [-6, 1.2],
  [-7.1, 1.3],
] as const

const corner = vector()

/** @param offset  of the ship from its body [m] */
export function drawHull(
  picture: MapPicture,
  { reference, attitude, r, thrustLevel }: ShipSample,
  colour: string,
): void {
  const { context } = picture.parts
  const trace = (x: number, y: number, z: number): void => {
    turned(attitude, x, y, z)
    for (let k = 0; k < 3; k++) corner[k] += r[k]
    const point = picture.place(reference, corner)
    context.lineTo(point.x, point.y)
  }
  context.fillStyle = colour
  // Round, so that one of two outlines at right angles shows its width.
  for (const [y, z] of [
    [1, 0],
    [0, 1],
  ]) {
    context.beginPath()
    for (const [along, away] of OUTLINE) trace(along, away * y, away * z)
    for (const [along, away] of OUTLINE.toReversed()) trace(along, -away * y, -away * z)
    context.fill()
  }
  if (!(thrustLevel > 0)) return
  context.fillStyle = picture.parts.colours.ahead
  context.beginPath()
  for (const side of [1, -1]) trace(-7.1, side, 0)
  trace(-7.1 - 9 * thrustLevel, 0, 0)
  context.fill()
}

/** Writes a vector of body axes in inertial ones to `corner`. */
function turned([w, a, b, c]: Float64Array, x: number, y: number, z: number): void {
  const tx = 2 * (b * z - c * y)
  const ty = 2 * (c * x - a * z)
  const tz = 2 * (a * y - b * x)
  fill(
    corner,
    x + w * tx + (b * tz - c * ty),
    y + w * ty + (c * tx - a * tz),
    z + w * tz + (a * ty - b * tx),
  )
}
