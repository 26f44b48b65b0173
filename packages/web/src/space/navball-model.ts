/** Where directions in space are as seen along the nose of a ship: what a navball shows. */
import { cross, dot, fill, length, normalize, vector, type Vector } from '@orrery/page-kit'

export const MARKS = [
  'prograde',
  'retrograde',
  'normal',
  'antinormal',
  'radial_out',
  'radial_in',
  'target',
  'antitarget',
  'sun',
  'maneuver',
] as const

export type Mark = (typeof MARKS)[number]

/** What a model is made of; directions in inertial axes, of any length. */
export interface Sighting {
  /** w x y z, body axes to inertial ones: nose along x, left wing along y */
  readonly attitude: Float64Array
  /** from the body below [m], and relative to it [m/s] */
  readonly position: Vector
  readonly velocity: Vector
  /** of the body below, unit vector */
  readonly pole: Vector
  readonly target: Vector | undefined
  readonly sun: Vector | undefined
  readonly maneuver: Vector | undefined
}

/**
 * Angles of the hull to the horizon [rad], and unit vectors in its axes: to the right, up and
 * ahead. A mark of which nothing is known is NaN.
 */
export interface NavballModel {
  /** of the nose over the horizon */
  pitch: number
  /** of the nose from north by east, 0 to 2π */
  heading: number
  /** of the hull about its nose, right wing down */
  roll: number
  readonly up: Vector
  readonly north: Vector
  readonly east: Vector
  readonly marks: Readonly<Record<Mark, Vector>>
}

export function createNavballModel(): NavballModel {
  const marks = {} as Record<Mark, Vector>
  for (const mark of MARKS) marks[mark] = vector(NaN, NaN, NaN)
  return {
    pitch: NaN,
    heading: NaN,
    roll: NaN,
    up: vector(),
    north: vector(),
    east: vector(),
    marks,
  }
}

/** Sine of the angle to the vertical below which a direction gives no heading. */
const SINE_MIN = 1e-6

const right = vector()
const above = vector()
const ahead = vector()
const vertical = vector()
const north = vector()
const east = vector()
const normal = vector()

/** Writes what the navball of a ship shows. */
export function writeNavballModel(out: NavballModel, sighting: Sighting): void {
  const { attitude, position, velocity, pole, target, sun, maneuver } = sighting
  writeHull(attitude)
  normalize(vertical, position)
  if (!horizontal(north, pole)) horizontal(north, velocity)
  cross(east, north, vertical)
  inHull(out.up, vertical)
  inHull(out.north, north)
  inHull(out.east, east)
  out.pitch = Math.atan2(out.up[2], Math.hypot(out.north[2], out.east[2]))
  const heading = Math.atan2(out.east[2], out.north[2])
  out.heading = heading < 0 ? heading + 2 * Math.PI : heading
  out.roll = Math.atan2(-out.up[0], out.up[1])
  cross(normal, position, velocity)
  const { marks } = out
  pair(marks.prograde, marks.retrograde, velocity)
  pair(marks.normal, marks.antinormal, normal)
  pair(marks.radial_out, marks.radial_in, vertical)
  pair(marks.target, marks.antitarget, target)
  inHull(marks.sun, sun)
  inHull(marks.maneuver, maneuver)
}

/** Right wing, top and nose of a hull in inertial axes. */
function writeHull([w, x, y, z]: Float64Array): void {
  fill(ahead, 1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
  fill(right, 2 * (w * z - x * y), 2 * (x * x + z * z) - 1, -2 * (y * z + w * x))
  fill(above, 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
}

/** Writes the horizontal part of a direction as a unit vector; false where it has none. */
function horizontal(out: Vector, direction: Vector): boolean {
  const along = dot(direction, vertical)
  for (let k = 0; k < 3; k++) out[k] = direction[k] - along * vertical[k]
  const isKnown = length(out) > SINE_MIN * length(direction)
  normalize(out, out)
  return isKnown
}

function pair(out: Vector, opposite: Vector, direction: Vector | undefined): void {
  inHull(out, direction)
  fill(opposite, -out[0], -out[1], -out[2])
}

function inHull(out: Vector, direction: Vector | undefined): void {
  const size = direction ? length(direction) : 0
  if (!direction || !(size > 0)) fill(out, NaN, NaN, NaN)
  else fill(out, dot(direction, right), dot(direction, above), dot(direction, ahead))
  normalize(out, out)
}
