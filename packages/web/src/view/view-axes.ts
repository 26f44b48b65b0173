/** Axes about which a camera turns. */
import { addScaled, cross, dot, fill, normalize, vector, type Vector } from '@orrery/page-kit'

/** Right-handed unit vectors; yaw is counted about the pole, from the first to the second. */
export interface Axes {
  readonly first: Vector
  readonly second: Vector
  readonly pole: Vector
}

/** Angles [rad] and distance from the middle of what is looked at [m]. */
export interface Aim {
  yaw: number
  pitch: number
  distance: number
}

/** Of J2000 [rad]. */
const OBLIQUITY = 0.409_092_804

/** Towards the equinox, 90° east of it, and north. */
export const ECLIPTIC: Axes = {
  first: vector(1, 0, 0),
  second: vector(0, Math.cos(OBLIQUITY), Math.sin(OBLIQUITY)),
  pole: vector(0, -Math.sin(OBLIQUITY), Math.cos(OBLIQUITY)),
}

/** Upright over the body below; they move with a place above it without turning about its pole. */
export class GroundAxes implements Axes {
  readonly first: Vector = vector(1, 0, 0)
  readonly second: Vector = vector(0, 1, 0)
  readonly pole: Vector = vector(0, 0, 1)

  /**
   * @param offset  of the place, from the middle of its body
   * @param along   direction of the first axis, where it is level
   */
  begin(offset: Vector, along: Vector): void {
    fill(this.first, along[0], along[1], along[2])
    this.follow(offset)
  }

  follow(offset: Vector): void {
    normalize(this.pole, offset)
    addScaled(this.first, this.first, this.pole, -dot(this.first, this.pole))
    normalize(this.first, this.first)
    cross(this.second, this.pole, this.first)
  }
}

/** From the middle to the camera. */
export function armOf(out: Vector, { first, second, pole }: Axes, aim: Aim): Vector {
  const across = Math.cos(aim.pitch) * aim.distance
  fill(out, 0, 0, 0)
  addScaled(out, out, first, across * Math.cos(aim.yaw))
  addScaled(out, out, second, across * Math.sin(aim.yaw))
  return addScaled(out, out, pole, Math.sin(aim.pitch) * aim.distance)
}

/** The yaw and pitch at which the camera is in a direction from the middle. */
export function aimAlong(direction: Vector, distance: number, axes: Axes = ECLIPTIC): Aim {
  const along = normalize(vector(), direction)
  return {
    yaw: Math.atan2(dot(along, axes.second), dot(along, axes.first)),
    pitch: Math.asin(Math.min(Math.max(dot(along, axes.pole), -1), 1)),
    distance,
  }
}
