import { SimError } from '../sim-error.ts'

/** The zonal field of a body that is not a sphere. */
export interface Oblateness {
  /** [m] */
  readonly referenceRadius: number
  readonly j2: number
  readonly j4?: number
  /** unit vector of the north pole, fixed, in the system's axes */
  readonly pole: readonly [number, number, number]
}

export interface Body {
  readonly name: string
  /** index of the body it goes round, -1 for the root */
  readonly parent: number
  /** gravitational parameter [m³/s²] */
  readonly gm: number
  /** mean radius [m] */
  readonly radius: number
  readonly oblateness?: Oblateness
}

/** Massive bodies; the primary star first, every parent before its children. */
export interface StarSystem {
  readonly id: string
  readonly name: string
  readonly bodies: readonly Body[]
  /** galactic [m] */
  readonly position: readonly [number, number, number]
}

/** Poles are normalised where they are made, to the last bit or two. */
const POLE_TOLERANCE = 1e-12

/**
 * Refuses a system whose bodies cannot pull, be orbited or be walked from child to parent.
 *
 * @throws {SimError} 'ERR_STAR_SYSTEM' naming the first body at fault, and the fault
 */
export function requireStarSystem({ name, bodies }: StarSystem): void {
  if (bodies.length === 0) throw new SimError('ERR_STAR_SYSTEM', `${name} has no bodies.`)
  for (const [place, body] of bodies.entries()) {
    const fault = faultOf(body, place)
    if (fault) throw new SimError('ERR_STAR_SYSTEM', `${body.name} of ${name} has ${fault}.`)
  }
}

function faultOf({ parent, gm, radius, oblateness }: Body, place: number): string | undefined {
  const placed = place === 0 ? parent === -1 : parent >= 0 && parent < place
  if (!placed || !Number.isInteger(parent)) return `parent ${parent} at place ${place}`
  if (!isPositive(gm)) return `a gravitational parameter of ${gm} m³/s²`
  if (!isPositive(radius)) return `a radius of ${radius} m`
  if (!oblateness) return undefined
  const { referenceRadius, j2, j4 = 0, pole } = oblateness
  if (!isPositive(referenceRadius)) return `a reference radius of ${referenceRadius} m`
  if (!Number.isFinite(j2) || !Number.isFinite(j4)) return `zonal terms of ${j2} and ${j4}`
  const [x, y, z] = pole
  const length = Math.sqrt(x * x + y * y + z * z)
  // NaN is not within anything.
  if (!(Math.abs(length - 1) <= POLE_TOLERANCE)) return `a pole of length ${length}, not 1`
  return undefined
}

function isPositive(value: number): boolean {
  return value > 0 && value < Infinity
}
