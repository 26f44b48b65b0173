import * as v from 'valibot'
import { real } from './numbers.ts'

/** Three components; the unit and the axes are those of the field that holds it. */
export interface Vec3 {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Scalar first on the wire by name, so the order of the keys does not matter. */
export interface Quaternion {
  readonly w: number
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Schema of a vector with finite components. */
export const vec3: v.GenericSchema<Vec3> = v.object({ x: real, y: real, z: real })

/** Schema of a quaternion with finite components, of any norm. */
export const quaternion: v.GenericSchema<Quaternion> = v.object({
  w: real,
  x: real,
  y: real,
  z: real,
})

// The norm is limited to 1e±6: outside, its square loses precision or overflows when the engine
// normalises, and an attitude that long or short is a mistake.
const NORM_SQUARED_MIN = 1e-12
const NORM_SQUARED_MAX = 1e12

/** Schema of a quaternion that can be normalised; it is passed on as it came. */
export const attitude: v.GenericSchema<Quaternion> = v.pipe(
  quaternion,
  v.check(({ w, x, y, z }) => {
    const normSquared = w * w + x * x + y * y + z * z
    return normSquared >= NORM_SQUARED_MIN && normSquared <= NORM_SQUARED_MAX
  }, 'A norm of zero, or outside 1e-6 to 1e6, is no attitude'),
)
