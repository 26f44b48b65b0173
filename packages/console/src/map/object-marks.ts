/** Stations, jump gates and Lagrange points on the map. */
import type { World } from '@orrery/client/flight'
import { type Ring, drawRing } from './body-marks.ts'
import type { MapPicture } from './map-picture.ts'
import type { Point } from './map-view.ts'
import { LAGRANGE_NUMBERS, type MapThing } from './map-thing.ts'
import type { SystemBodies } from './system-bodies.ts'

/** Half of a mark's side [px]. */
const SIZE = 5

/** The body whose Lagrange points are shown. */
export function markedPair(system: SystemBodies, thing: MapThing | undefined): number | undefined {
  if (thing?.kind !== 'body' && thing?.kind !== 'lagrange') return undefined
  return system.bodies[thing.body]?.parent >= 0 ? thing.body : undefined
}

export function drawObjects(picture: MapPicture): void {
  const { world, colours, context, chosen } = picture.parts
  for (const object of world.objects()) {
    const { rail, kind } = object
    const isChosen = chosen?.kind === 'object' && chosen.id === object.id
    const colour = colours[kind]
    if (rail.kind === 'orbit') {
      const ring: Ring = {
        body: rail.parent,
        radius: rail.radius,
        pole: Float64Array.from(rail.pole),
      }
      drawRing(picture, ring, { colour, opacity: isChosen ? 0.9 : 0.35 })
    }
    if (isObjectHidden(picture, rail)) continue
    const point = picture.pointOf({ kind: 'object', id: object.id })
    if (!point || !picture.sees(point, SIZE)) continue
    const half = Math.max(SIZE, object.radius / picture.parts.view.scale)
    context.strokeStyle = colour
    context.fillStyle = colours.ground
    context.lineWidth = 1.6
    context.beginPath()
    if (kind === 'station') context.rect(point.x - half, point.y - half, 2 * half, 2 * half)
    else traceDiamond(context, point, 1.3 * half)
    context.fill()
    context.stroke()
  }
}

/** So near to the body that it goes about that they are one mark. */
export function isObjectHidden(
  { parts: { system, view } }: MapPicture,
  rail: ReturnType<World['objects']>[number]['rail'],
): boolean {
  const size = rail.kind === 'orbit' ? rail.radius : system.distance(rail.secondary)
  return size / view.scale < 2 * SIZE
}

export function drawLagrangePoints(picture: MapPicture): void {
  const { system, colours, context, chosen, view } = picture.parts
  const body = markedPair(system, chosen)
  if (body === undefined || system.distance(body) / view.scale < 40) return
  context.strokeStyle = colours.jumpgate
  context.lineWidth = 1.2
  for (const number of LAGRANGE_NUMBERS) {
    const point = picture.pointOf({ kind: 'lagrange', body, point: number })
    if (!point || !picture.sees(point, SIZE)) continue
    const { x, y } = point
    context.beginPath()
    context.moveTo(x - SIZE, y)
    context.lineTo(x + SIZE, y)
    context.moveTo(x, y - SIZE)
    context.lineTo(x, y + SIZE)
    context.stroke()
  }
}

function traceDiamond(context: CanvasRenderingContext2D, { x, y }: Point, half: number): void {
  context.moveTo(x, y - half)
  context.lineTo(x + half, y)
  context.lineTo(x, y + half)
  context.lineTo(x - half, y)
  context.closePath()
}
