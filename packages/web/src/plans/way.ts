/** Places on a forecast as the picture has them: each from its body as that is now. */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import { addScaled, cross, dot, length, normalize, vector, type Vector } from '@orrery/page-kit'
import { BodyIndex } from '../bodies/body-index.ts'
import type { Frame } from '../scene/frame.ts'
import type { Stage } from '../view/stage.ts'

/** What of a forecast its places need. */
export type Way = Pick<Forecast, 'from' | 'to' | 'legs' | 'stateAt'>

/** Point of the canvas, and how far from it counts [px]. */
export interface Pointed {
  readonly x: number
  readonly y: number
  readonly reach: number
}

/** Numbers of one state of a leg: its lattice index, position and velocity. */
const RECORD = 7

/** A stretch between two states is looked at so finely. */
const PARTS = 32

/** A later stretch counts where it is nearer by so much [px]. */
const SLACK = 3

const ORIGIN = vector()
const bodies = new BodyIndex()
const state = createShipSample()
const point = vector()
const centre = vector()
const before = { x: 0, y: 0 }
const after = { x: 0, y: 0 }

/** Writes a place from the camera [m]; false where the way does not reach. */
export function placeOnWay(out: Vector, way: Way, index: number, frame: Frame): boolean {
  if (!way.stateAt(state, index)) return false
  const { camera, surroundings } = frame
  const body = bodies.of(state.reference, surroundings)
  surroundings.chain.difference(out, camera, { body, offset: ORIGIN })
  addScaled(out, out, state.r, 1)
  return true
}

/** Whether the body that the ship goes round then is before a place on the way. */
export function isBehindBody(way: Way, index: number, frame: Frame): boolean {
  if (!placeOnWay(point, way, index, frame)) return false
  const { camera, surroundings } = frame
  const body = bodies.of(state.reference, surroundings)
  surroundings.chain.difference(centre, camera, { body, offset: ORIGIN })
  const away = length(point)
  const along = dot(point, centre) / away
  const beside = dot(centre, centre) - along * along
  return along < away && beside < surroundings.bodies[body].radius ** 2
}

/** Unit vectors along velocity, orbit normal, and outwards across both. */
export interface NodeAxes {
  readonly axes: readonly [Vector, Vector, Vector]
}

/** Writes the axes of a node; false where the way does not reach. */
export function axesOnWay(out: NodeAxes, way: Way, index: number): boolean {
  if (!way.stateAt(state, index)) return false
  axesOf(out, state.r, state.v)
  return true
}

/** Writes the axes at a position and a velocity. */
export function axesOf({ axes }: NodeAxes, r: Vector, v: Vector): void {
  const [prograde, normal, radial] = axes
  normalize(prograde, v)
  normalize(normal, cross(normal, r, v))
  cross(radial, prograde, normal)
}

/** Lattice indices between which a way is looked at. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The time at which a way passes a point of the canvas; undefined where none is in reach. */
export function indexAt(
  way: Way,
  stage: Pick<Stage, 'project'>,
  frame: Frame,
  { x, y, reach }: Pointed,
  { from, to }: Span,
): number | undefined {
  let found: number | undefined
  let least = reach
  let slack = SLACK
  const look = (begin: number, end: number): boolean => {
    const isSeen =
      placeOnWay(point, way, begin, frame) &&
      stage.project(before, point) &&
      placeOnWay(point, way, end, frame) &&
      stage.project(after, point)
    if (!isSeen) return false
    const [dx, dy] = [after.x - before.x, after.y - before.y]
    const along = ((x - before.x) * dx + (y - before.y) * dy) / (dx * dx + dy * dy || 1)
    const share = Math.min(Math.max(along, 0), 1)
    const away = Math.hypot(before.x + share * dx - x, before.y + share * dy - y)
    // Of revolutions that lie on each other the first one counts.
    if (away > least - (found === undefined ? 0 : slack)) return false
    least = away
    found = begin + share * (end - begin)
    return true
  }
  let nearest: Span | undefined
  for (const [begin, end] of stretches(way)) {
    if (end <= from || begin >= to) continue
    const span = { from: Math.max(begin, from), to: Math.min(end, to) }
    if (look(span.from, span.to)) nearest = span
  }
  if (!nearest) return undefined
  least = Infinity
  slack = 0
  const part = (nearest.to - nearest.from) / PARTS
  for (let i = 0; i < PARTS; i++) look(nearest.from + i * part, nearest.from + (i + 1) * part)
  return found
}

/** Lattice indices of neighbouring states. */
function* stretches({ legs }: Way): Generator<readonly [begin: number, end: number]> {
  for (const { records } of legs) {
    for (let i = RECORD; i < records.length; i += RECORD) yield [records[i - RECORD], records[i]]
  }
}

/** How a unit vector lies in the picture: to the right and down, 1 at most. */
export function seenAlong(axis: Vector, { right, up }: Frame): readonly [x: number, y: number] {
  return [dot(axis, right), -dot(axis, up)]
}
