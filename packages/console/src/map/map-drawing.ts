/** One picture of the map, from the ground up. */
import type { ShipSample } from '@orrery/client/flight'
import { drawBodies, drawOrbits, drawRing, markRadius } from './body-marks.ts'
import type { FlightAhead } from './flight-ahead.ts'
import { HULL_SCALE_MAX, drawHull } from './hull-mark.ts'
import type { MapPicture } from './map-picture.ts'
import { LAGRANGE_NUMBERS, type MapThing, isSameThing } from './map-thing.ts'
import type { NameLabels } from './name-labels.ts'
import { drawLagrangePoints, drawObjects, isObjectHidden, markedPair } from './object-marks.ts'
import type { ShipDots } from './ship-dots.ts'
import { ORIGIN } from './system-bodies.ts'

export interface DrawingParts {
  readonly labels: NameLabels
  readonly dots: ShipDots
  /** ships in the picture */
  readonly seen: number
  readonly ahead: FlightAhead
  /** to be written into */
  readonly ship: ShipSample
}

/** More ships in the picture have no names. */
const NAMED_SHIPS_MAX = 40

/** The name of a larger disc stands below it [px]. */
const BELOW_RADIUS = 12

/** A moon has a name when its orbit is so large [px]. */
const NAMED_ORBIT_MIN = 26

const PRIORITIES = { star: 400, planet: 300, moon: 100 } as const
const OBJECT_PRIORITY = 200
const LAGRANGE_PRIORITY = 150
const SHIP_PRIORITY = 50
const CHOSEN_PRIORITY = 1000

export function drawMap(picture: MapPicture, parts: DrawingParts): void {
  const { context, view, colours, chosen, world, time } = picture.parts
  context.clearRect(0, 0, view.width, view.height)
  parts.labels.clear()
  drawOrbits(picture)
  drawSphere(picture)
  drawBodies(picture)
  drawObjects(picture)
  drawLagrangePoints(picture)
  if (chosen?.kind === 'ship' && world.shipAt(parts.ship, chosen.id, time)) {
    parts.ahead.draw(picture, parts.ship)
  }
  if (view.scale <= HULL_SCALE_MAX && parts.seen <= NAMED_SHIPS_MAX) {
    eachSeenShip(picture, parts.dots, (id) => {
      if (world.shipAt(parts.ship, id, time)) drawHull(picture, parts.ship, colours.ship)
    })
  }
  drawChosen(picture)
  addLabels(picture, parts)
  parts.labels.draw(picture)
}

/** The sphere of influence of a chosen body, and the circle at a chosen altitude. */
function drawSphere(picture: MapPicture): void {
  const { chosen, system, colours } = picture.parts
  if (chosen?.kind !== 'body' && chosen?.kind !== 'altitude') return
  const { sphere, radius, pole } = system.bodies[chosen.body]
  const { body } = chosen
  if (sphere < Infinity) {
    drawRing(
      picture,
      { body, radius: sphere },
      { colour: colours.faint, dash: [2, 6], opacity: 0.7 },
    )
  }
  if (chosen.kind === 'body') return
  const ring = { body, radius: radius + chosen.altitude, pole }
  drawRing(picture, ring, { colour: colours.station, dash: [5, 4], width: 1.5 })
}

function drawChosen(picture: MapPicture): void {
  const { chosen, context, colours, view, system } = picture.parts
  if (!chosen || chosen.kind === 'altitude') return
  const point = picture.pointOf(chosen)
  const size = chosen.kind === 'body' ? markRadius(system.bodies[chosen.body], view.scale) : 0
  const radius = Math.max(size + 6, chosen.kind === 'ship' ? 10 / Math.min(view.scale, 1) : 11)
  if (!point || radius > view.reach || !picture.sees(point, radius)) return
  context.strokeStyle = colours.chosen
  context.lineWidth = 1.5
  context.beginPath()
  context.arc(point.x, point.y, radius, 0, 2 * Math.PI)
  context.stroke()
}

function addLabels(picture: MapPicture, { labels, dots, seen }: DrawingParts): void {
  const { system, world, view, colours, chosen } = picture.parts
  const priorityOf = (thing: MapThing, usual: number): number =>
    isSameThing(thing, chosen) ? CHOSEN_PRIORITY : usual
  for (const [body, { name, kind, ...rest }] of system.bodies.entries()) {
    if (kind !== 'star' && system.distance(body) / view.scale < NAMED_ORBIT_MIN) continue
    const radius = markRadius({ name, kind, ...rest }, view.scale)
    const point = picture.place(body, ORIGIN)
    if (radius > view.reach || !picture.sees(point, radius + 100)) continue
    const priority = priorityOf({ kind: 'body', body }, PRIORITIES[kind])
    const colour = kind === 'moon' ? colours.faint : colours.ink
    labels.add(
      { text: name, colour, priority, gap: radius + 6, isBelow: radius > BELOW_RADIUS },
      point,
    )
  }
  for (const { id, name, kind, rail } of world.objects()) {
    const thing = { kind: 'object', id } as const
    const point = isObjectHidden(picture, rail) ? undefined : picture.pointOf(thing)
    if (!point) continue
    const priority = priorityOf(thing, OBJECT_PRIORITY)
    labels.add({ text: name, colour: colours[kind], priority, gap: 11 }, point)
  }
  addLagrangeLabels(picture, labels)
  if (seen <= NAMED_SHIPS_MAX) {
    eachSeenShip(picture, dots, (id, name, point) => {
      const priority = priorityOf({ kind: 'ship', id }, SHIP_PRIORITY)
      const gap = Math.max(8, 9 / view.scale)
      labels.add({ text: name, colour: colours.ship, priority, gap }, point)
    })
  } else if (chosen?.kind === 'ship') {
    const point = picture.pointOf(chosen)
    const text = world.ship(chosen.id)?.name ?? ''
    if (point) labels.add({ text, colour: colours.ship, priority: CHOSEN_PRIORITY, gap: 15 }, point)
  }
}

function addLagrangeLabels(picture: MapPicture, labels: NameLabels): void {
  const { system, view, colours, chosen } = picture.parts
  const body = markedPair(system, chosen)
  if (body === undefined || system.distance(body) / view.scale < 40) return
  for (const point of LAGRANGE_NUMBERS) {
    const at = picture.pointOf({ kind: 'lagrange', body, point })
    const label = { text: `L${point}`, colour: colours.jumpgate, priority: LAGRANGE_PRIORITY }
    if (at) labels.add({ ...label, gap: 8 }, at)
  }
}

function eachSeenShip(
  { parts: { world } }: MapPicture,
  { points }: ShipDots,
  visit: (id: string, name: string, point: { x: number; y: number }) => void,
): void {
  const ships = world.ships()
  for (let i = 0; i < ships.length; i++) {
    if (Number.isNaN(points[2 * i])) continue
    visit(ships[i].id, ships[i].name, { x: points[2 * i], y: points[2 * i + 1] })
  }
}
