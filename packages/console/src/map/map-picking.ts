/** What is at a point of the map. */
import { dot, length, vector, type Vector } from '@orrery/page-kit'
import { isHidden, markRadius } from './body-marks.ts'
import type { MapPicture } from './map-picture.ts'
import type { Point } from './map-view.ts'
import { LAGRANGE_NUMBERS, type MapThing } from './map-thing.ts'
import { isObjectHidden, markedPair } from './object-marks.ts'
import type { ShipDots } from './ship-dots.ts'
import { ORIGIN, type SystemBodies } from './system-bodies.ts'

/** Bodies with a smaller sphere of influence are not gone along with [px]. */
const SPHERE_PIXELS_MIN = 60

const from = vector()
const clicked = vector()

/**
 * The thing at a point: the nearest of small ones within reach, else the body or the free space
 * near one.
 *
 * @param reach  how far from the point things count [px]
 */
export function thingAt(
  picture: MapPicture,
  dots: ShipDots,
  at: Readonly<Point>,
  reach: number,
): MapThing | undefined {
  const { world, system, view, chosen } = picture.parts
  const things: MapThing[] = []
  for (const { id, rail } of world.objects()) {
    if (!isObjectHidden(picture, rail)) things.push({ kind: 'object', id })
  }
  const pair = markedPair(system, chosen)
  if (pair !== undefined) {
    for (const point of LAGRANGE_NUMBERS) things.push({ kind: 'lagrange', body: pair, point })
  }
  for (const body of system.bodies.keys()) {
    if (!isHidden(picture, body)) things.push({ kind: 'body', body })
  }
  let found: MapThing | undefined
  let least = reach
  for (const thing of things) {
    const point = picture.pointOf(thing)
    if (!point) continue
    const away = Math.hypot(point.x - at.x, point.y - at.y)
    const radius = thing.kind === 'body' ? markRadius(system.bodies[thing.body], view.scale) : 0
    // Inside a disc whatever is small and as near comes first.
    const score = away < radius ? Math.min(away, 0.9 * reach) : away - radius
    if (score >= least) continue
    least = score
    found = thing
  }
  const ship = nearestShip(dots, world.ships().length, at, least)
  if (ship >= 0) return { kind: 'ship', id: world.ships()[ship].id }
  return found ?? freeSpace(picture, at)
}

/** Index of the nearest ship of the last picture within a distance [px]; -1 for none. */
function nearestShip(
  { points }: ShipDots,
  count: number,
  at: Readonly<Point>,
  reach: number,
): number {
  let found = -1
  let least = reach
  for (let i = 0; i < count; i++) {
    const away = Math.hypot(points[2 * i] - at.x, points[2 * i + 1] - at.y)
    if (!(away < least)) continue
    least = away
    found = i
  }
  return found
}

/** A point near a body, inside of half its sphere of influence, as an altitude above it. */
function freeSpace(picture: MapPicture, at: Readonly<Point>): MapThing | undefined {
  const { system, view } = picture.parts
  view.offsetAt(clicked, at)
  const body = bodyAround(picture, clicked, 0.5)
  const altitude = projectedDistance(picture, body, clicked) - system.bodies[body].radius
  return altitude > 0 ? { kind: 'altitude', body, altitude } : undefined
}

/**
 * The body in whose sphere of influence a place lies, as the picture shows them.
 *
 * @param offset  from the centre of the picture [m]
 * @param share   of the spheres' radii
 */
export function bodyAround(picture: MapPicture, offset: Vector, share: number): number {
  const { system, view } = picture.parts
  let found = rootOf(system)
  for (const [i, { sphere }] of system.bodies.entries()) {
    if (sphere >= system.bodies[found].sphere || sphere < SPHERE_PIXELS_MIN * view.scale) continue
    if (projectedDistance(picture, i, offset) < share * sphere) found = i
  }
  return found
}

function rootOf({ bodies }: SystemBodies): number {
  return bodies.findIndex(({ parent }) => parent < 0)
}

/** Of a place from a body, in the plane of the picture [m]. */
function projectedDistance(picture: MapPicture, body: number, offset: Vector): number {
  const { system, view } = picture.parts
  system.chain.difference(from, view.center, { body, offset: ORIGIN })
  for (let k = 0; k < 3; k++) from[k] = offset[k] - from[k]
  const depth = dot(from, view.near)
  return Math.sqrt(Math.max(length(from) ** 2 - depth ** 2, 0))
}
