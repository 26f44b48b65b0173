/** Bodies on the map: their orbits, their discs, and rings about them. */
import {
  addScaled,
  cross,
  dot,
  normalize,
  ORBIT_VERTICES,
  orbitVertices,
  vector,
  type Vector,
} from '@orrery/page-kit'
import { bodyColour } from './map-colours.ts'
import type { MapPicture } from './map-picture.ts'
import type { Point } from './map-view.ts'
import { type MapBody, ORIGIN } from './system-bodies.ts'

/** An orbit that is smaller is a point [px]. */
const ORBIT_PIXELS_MIN = 4

/** Fades in over so many pixels more. */
const ORBIT_PIXELS_FULL = 24

/** A disc is drawn as a polygon from this radius on: canvases draw larger circles badly [px]. */
const DISC_PIXELS_MAX = 4000

/** Vertices of a limb, and of a ring. */
const LIMB_VERTICES = 48
const RING_VERTICES = 180

/** Least radius of each kind [px]. */
const PIXELS_MIN = { star: 5, planet: 3, moon: 1.8 } as const

const vertices = new Float64Array(3 * ORBIT_VERTICES)
const offset = vector()
const light = vector()
const axis = vector()
const across = vector()

export function drawOrbits(picture: MapPicture): void {
  const { system, view, colours, chosen } = picture.parts
  for (const [i, body] of system.bodies.entries()) {
    const size = system.distance(i) / view.scale
    if (body.parent < 0 || size < ORBIT_PIXELS_MIN || !seesOrbit(picture, i, size)) continue
    const isChosen = chosen?.kind === 'body' && chosen.body === i
    const share = Math.min((size - ORBIT_PIXELS_MIN) / (ORBIT_PIXELS_FULL - ORBIT_PIXELS_MIN), 1)
    const opacity = share * (isChosen || body.kind === 'moon' ? 0.6 : 1)
    const style = { colour: isChosen ? colours.chosen : colours.orbit, opacity }
    drawOrbit(picture, i, style)
  }
}

function seesOrbit(picture: MapPicture, body: number, size: number): boolean {
  const { system, view } = picture.parts
  const { parent } = system.bodies[body]
  // An ellipse may reach beyond the present distance.
  return picture.sees(picture.place(parent, ORIGIN), 3 * size + view.reach)
}

function drawOrbit(
  picture: MapPicture,
  body: number,
  style: { readonly colour: string; readonly opacity: number },
): void {
  const { bodies, chain, velocities } = picture.parts.system
  const { parent, gm } = bodies[body]
  const position = chain.relative.subarray(3 * body, 3 * body + 3)
  const velocity = velocities.subarray(3 * body, 3 * body + 3)
  if (!orbitVertices(vertices, { position, velocity, gm: gm + bodies[parent].gm })) return
  picture.stroke(style, (pen) => {
    for (let i = 0; i < ORBIT_VERTICES; i++) {
      offset.set(vertices.subarray(3 * i, 3 * i + 3))
      const { x, y } = picture.place(body, offset)
      if (i === 0) pen.moveTo(x, y)
      else pen.lineTo(x, y)
    }
  })
}

/** Radius of a body's mark [px]. */
export function markRadius({ radius, kind }: MapBody, scale: number): number {
  return Math.max(radius / scale, PIXELS_MIN[kind])
}

export function drawBodies(picture: MapPicture): void {
  const { system, view, colours, context } = picture.parts
  for (const [i, body] of system.bodies.entries()) {
    const radius = markRadius(body, view.scale)
    const point = picture.place(i, ORIGIN)
    if (!picture.sees(point, radius)) continue
    if (isHidden(picture, i)) continue
    context.fillStyle = bodyColour(colours, body)
    if (body.kind === 'star' && radius < DISC_PIXELS_MAX) drawGlow(picture, point, radius)
    context.beginPath()
    if (radius < DISC_PIXELS_MAX) context.arc(point.x, point.y, radius, 0, 2 * Math.PI)
    else traceLimb(picture, point, radius)
    context.globalAlpha = radius > view.reach ? 0.35 : 1
    context.fill()
    context.globalAlpha = 1
    if (body.kind !== 'star' && radius < DISC_PIXELS_MAX) drawNight(picture, i, radius)
  }
}

/** So near to the one that it circles that they are one mark. */
export function isHidden({ parts: { system, view } }: MapPicture, body: number): boolean {
  return system.bodies[body].parent >= 0 && system.distance(body) / view.scale < ORBIT_PIXELS_MIN
}

/** The side of a body that its star does not light, with the terminator as it is seen. */
function drawNight(picture: MapPicture, body: number, radius: number): void {
  const { system, view, colours, context } = picture.parts
  const star = system.bodies.findIndex(({ parent }) => parent < 0)
  system.chain.difference(light, { body, offset: ORIGIN }, { body: star, offset: ORIGIN })
  normalize(light, light)
  const towards = dot(light, view.near)
  const { x, y } = picture.place(body, ORIGIN)
  context.save()
  context.translate(x, y)
  context.rotate(Math.atan2(-dot(light, view.up), dot(light, view.right)))
  context.beginPath()
  context.arc(0, 0, radius + 0.5, Math.PI / 2, 1.5 * Math.PI)
  const across = radius * Math.abs(towards)
  context.ellipse(0, 0, across, radius + 0.5, 0, 1.5 * Math.PI, Math.PI / 2, towards > 0)
  context.fillStyle = colours.night
  context.fill()
  context.restore()
}

function drawGlow({ parts: { context } }: MapPicture, { x, y }: Point, radius: number): void {
  const colour = context.fillStyle
  context.globalAlpha = 0.18
  for (const factor of [1.5, 2.2]) {
    context.beginPath()
    context.arc(x, y, radius * factor, 0, 2 * Math.PI)
    context.fillStyle = colour
    context.fill()
  }
  context.globalAlpha = 1
}

/** The part of a huge disc that is in the picture. */
function traceLimb(
  { parts: { context, view } }: MapPicture,
  { x, y }: Point,
  radius: number,
): void {
  const [dx, dy] = [view.width / 2 - x, view.height / 2 - y]
  const away = Math.hypot(dx, dy)
  const { reach } = view
  if (away + 2 * reach < radius) return context.rect(0, 0, view.width, view.height)
  const middle = Math.atan2(dy, dx)
  const half = Math.min((3 * reach) / radius, Math.PI)
  for (let i = 0; i <= LIMB_VERTICES; i++) {
    const angle = middle + half * ((2 * i) / LIMB_VERTICES - 1)
    context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
  }
  for (const side of [half, -half]) {
    const inner = Math.max(radius - 6 * reach, 0)
    context.lineTo(x + inner * Math.cos(middle + side), y + inner * Math.sin(middle + side))
  }
}

export interface Ring {
  readonly body: number
  /** [m] */
  readonly radius: number
  /** of its plane; towards the viewer when left out */
  readonly pole?: Vector | undefined
}

/** A circle about a body. */
export function drawRing(
  picture: MapPicture,
  { body, radius, pole = picture.parts.view.near }: Ring,
  style: Parameters<MapPicture['stroke']>[0],
): void {
  const { view } = picture.parts
  const size = radius / view.scale
  if (size < ORBIT_PIXELS_MIN || !picture.sees(picture.place(body, ORIGIN), size)) return
  normalize(axis, cross(axis, pole, Math.abs(pole[0]) < 0.9 ? X : Y))
  normalize(across, cross(across, pole, axis))
  picture.stroke(style, (pen) => {
    for (let i = 0; i <= RING_VERTICES; i++) {
      const angle = (i / RING_VERTICES) * 2 * Math.PI
      addScaled(offset, ORIGIN, axis, radius * Math.cos(angle))
      addScaled(offset, offset, across, radius * Math.sin(angle))
      const { x, y } = picture.place(body, offset)
      if (i === 0) pen.moveTo(x, y)
      else pen.lineTo(x, y)
    }
  })
}

const X = vector(1, 0, 0)
const Y = vector(0, 1, 0)
