/**
 * The conic on which an object moves about its body now, as vertices given from the object itself:
 * the line passes through it exactly, however near the camera is.
 */
import { type Vector, addScaled, cross, dot, fill, length, vector } from './vector.ts'

/** Position [m] and velocity [m/s] from the body; GM of both together [m³/s²]. */
export interface OrbitState {
  readonly position: Vector
  readonly velocity: Vector
  readonly gm: number
}

/** Smallest angle between two vertices, beside the object: 0.5 km on Neptune's orbit. */
const ANGLE_MIN = 1e-10

/** Away from the object, vertices are so far apart. */
const ANGLE_STEP = 0.04

/** Each angle beside the object is so much larger than the one before. */
const GROWTH = 1.6

/** Angles to one side of the object, growing from nearly 0 to half a turn. */
const ANGLES = sideAngles()

function sideAngles(): readonly number[] {
  const angles: number[] = []
  for (let angle = ANGLE_MIN; angle < Math.PI;) {
    angles.push(angle)
    angle = Math.min(angle * GROWTH, angle + ANGLE_STEP)
  }
  return [...angles, Math.PI]
}

/** Sines and cosines of half of each angle. */
const HALF_SINES = Float64Array.from(ANGLES, (angle) => Math.sin(angle / 2))
const HALF_COSINES = Float64Array.from(ANGLES, (angle) => Math.cos(angle / 2))

/** The object itself is the vertex in the middle. */
export const OBJECT_VERTEX: number = ANGLES.length

export const ORBIT_VERTICES: number = 2 * ANGLES.length + 1

/** Hyperbolas are drawn to this change of the hyperbolic angle. */
const HYPERBOLIC_MAX = 3

const momentum = vector()
const eccentric = vector()
const major = vector()
const minor = vector()

/**
 * Writes the vertices of an orbit, from the object [m], in the order in which it passes them. An
 * ellipse begins and ends opposite to the object.
 *
 * @param out  3 × `ORBIT_VERTICES`
 * @returns false when there is no orbit to draw: a fall along a straight line
 */
export function orbitVertices(out: Float64Array, { position, velocity, gm }: OrbitState): boolean {
  const r = length(position)
  cross(momentum, position, velocity)
  const energy = dot(velocity, velocity) / 2 - gm / r
  const semiMajor = gm / (2 * Math.abs(energy))
  // The vector of eccentricity points to the periapsis.
  cross(eccentric, velocity, momentum)
  addScaled(eccentric, fill(eccentric, ...scaled(eccentric, 1 / gm)), position, -1 / r)
  const e = length(eccentric)
  const h = length(momentum)
  if (!(h > 0) || !Number.isFinite(semiMajor) || Math.abs(1 - e) < 1e-9) return false
  if (e > 1e-12) fill(major, ...scaled(eccentric, semiMajor / e))
  else fill(major, ...scaled(position, semiMajor / r))
  cross(minor, momentum, major)
  const semiMinor = semiMajor * Math.sqrt(Math.abs(1 - e * e))
  fill(minor, ...scaled(minor, semiMinor / length(minor)))
  const along = dot(position, major) / (semiMajor * semiMajor)
  const across = dot(position, minor) / (semiMinor * semiMinor)
  if (energy < 0) ellipse(out, along + e, across)
  else hyperbola(out, across)
  return true
}

function scaled(a: Vector, factor: number): [number, number, number] {
  return [a[0] * factor, a[1] * factor, a[2] * factor]
}

/** From the eccentric anomaly E of the object by sums of angles, without cancellation. */
function ellipse(out: Float64Array, cosine: number, sine: number): void {
  const size = Math.hypot(cosine, sine)
  const c = cosine / size
  const s = sine / size
  write(out, OBJECT_VERTEX, 0, 0)
  for (let i = 0; i < ANGLES.length; i++) {
    const halfSine = HALF_SINES[i]
    const halfCosine = HALF_COSINES[i]
    for (let side = -1; side <= 1; side += 2) {
      const middleSine = s * halfCosine + side * c * halfSine
      const middleCosine = c * halfCosine - side * s * halfSine
      const along = -2 * middleSine * side * halfSine
      write(out, OBJECT_VERTEX + side * (i + 1), along, 2 * middleCosine * side * halfSine)
    }
  }
}

/** Likewise with the hyperbolic angle; its axis points to the periapsis, its body lies beyond. */
function hyperbola(out: Float64Array, sine: number): void {
  const s = sine
  const c = Math.sqrt(1 + s * s)
  write(out, OBJECT_VERTEX, 0, 0)
  for (const [i, turn] of ANGLES.entries()) {
    const angle = (turn / Math.PI) * HYPERBOLIC_MAX
    const halfSine = Math.sinh(angle / 2)
    const halfCosine = Math.cosh(angle / 2)
    for (const side of [-1, 1]) {
      const middleSine = s * halfCosine + side * c * halfSine
      const middleCosine = c * halfCosine + side * s * halfSine
      const along = -2 * middleSine * side * halfSine
      write(out, OBJECT_VERTEX + side * (i + 1), along, 2 * middleCosine * side * halfSine)
    }
  }
}

function write(out: Float64Array, vertex: number, along: number, across: number): void {
  for (let k = 0; k < 3; k++) out[3 * vertex + k] = along * major[k] + across * minor[k]
}
