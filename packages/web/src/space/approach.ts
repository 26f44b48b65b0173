/** How one thing moves as seen from another. */
import { angleBetween, cross, dot, length, vector, type Vector } from '@orrery/page-kit'

export interface Approach {
  /** [m] */
  readonly distance: number
  /** [m/s], positive while the distance shrinks */
  readonly closingSpeed: number
  /** [m/s] */
  readonly relativeSpeed: number
  /** until both are together at the present closing speed [s]; Infinity when they part or rest */
  readonly arrival: number
  /** if both went straight on: when they are nearest [s], 0 when they part, and how near [m] */
  readonly nearestIn: number
  readonly nearest: number
}

/** Slower than this two things rest: an arrival in thousands of years is noise [m/s]. */
const RESTING = 1e-3

/**
 * @param position  of the one less that of the other [m]
 * @param velocity  likewise [m/s]
 */
export function approach(position: Vector, velocity: Vector): Approach {
  const distance = length(position)
  const relativeSpeed = length(velocity)
  const closingSpeed = distance > 0 ? (0 - dot(position, velocity)) / distance : 0
  const ahead = closingSpeed > 0 ? (closingSpeed * distance) / relativeSpeed ** 2 : 0
  return {
    distance,
    closingSpeed,
    relativeSpeed,
    arrival: closingSpeed > RESTING ? distance / closingSpeed : Infinity,
    nearestIn: ahead,
    nearest: Math.hypot(
      position[0] + ahead * velocity[0],
      position[1] + ahead * velocity[1],
      position[2] + ahead * velocity[2],
    ),
  }
}

const plane = vector()
const otherPlane = vector()

/** A position [m] and a velocity [m/s]. */
interface Motion {
  readonly r: Vector
  readonly v: Vector
}

/** Angle between the planes of two orbits of one body [rad], 0 to π. */
export function relativeInclination(a: Motion, b: Motion): number {
  return angleBetween(cross(plane, a.r, a.v), cross(otherPlane, b.r, b.v))
}

/**
 * Speed that fuel is good for [m/s].
 *
 * @param masses  with fuel and without [kg]
 * @source Tsiolkovsky's rocket equation
 */
export function rocketSpeed(
  exhaustSpeed: number,
  { full, dry }: { readonly full: number; readonly dry: number },
): number {
  return exhaustSpeed * Math.log(full / dry)
}
