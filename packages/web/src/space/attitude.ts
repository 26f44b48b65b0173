/** Attitudes as quaternions w x y z: from the axes of a thing to those of space. */
import { addScaled, cross, dot, normalize, vector, type Vector } from '@orrery/page-kit'

const x = vector()
const y = vector()
const z = vector()

/**
 * Writes the attitude with +z along a direction and +y as near as may be to another.
 *
 * @param along   unit vector
 * @param beside  any other direction
 */
export function attitudeAlong(out: Float64Array, along: Vector, beside: Vector): void {
  addScaled(z, along, along, 0)
  addScaled(y, beside, z, -dot(beside, z))
  if (dot(y, y) < 1e-12 * dot(beside, beside)) cross(y, z, Math.abs(z[0]) < 0.9 ? X : Z)
  normalize(y, y)
  cross(x, y, z)
  fromAxes(out)
}

const X = vector(1, 0, 0)
const Z = vector(0, 0, 1)

/** @source Shepperd 1978: the largest component is found first */
function fromAxes(out: Float64Array): void {
  const trace = x[0] + y[1] + z[2]
  const squares = [trace, x[0], y[1], z[2]]
  const most = squares.indexOf(Math.max(...squares))
  const half = Math.sqrt(1 + 2 * squares[most] - trace) / 2
  const rest = 0.25 / half
  const pairs = [y[2] - z[1], z[0] - x[2], x[1] - y[0], x[1] + y[0], x[2] + z[0], y[2] + z[1]]
  const [wx, wy, wz, xy, xz, yz] = pairs.map((pair) => pair * rest)
  if (most === 0) out.set([half, wx, wy, wz])
  else if (most === 1) out.set([wx, half, xy, xz])
  else if (most === 2) out.set([wy, xy, half, yz])
  else out.set([wz, xz, yz, half])
}

/** Turns an attitude about its own +z [rad]. */
export function turnAboutAxis(out: Float64Array, q: Float64Array, angle: number): void {
  const cosine = Math.cos(angle / 2)
  const sine = Math.sin(angle / 2)
  const [w, i, j, k] = q
  out[0] = w * cosine - k * sine
  out[1] = i * cosine + j * sine
  out[2] = j * cosine - i * sine
  out[3] = k * cosine + w * sine
}

/** Writes a vector of the thing's own axes in those of space. */
export function turned(out: Vector, q: Float64Array, a: Vector): Vector {
  const [w, i, j, k] = q
  const tx = 2 * (j * a[2] - k * a[1])
  const ty = 2 * (k * a[0] - i * a[2])
  const tz = 2 * (i * a[1] - j * a[0])
  const [ax, ay, az] = a
  out[0] = ax + w * tx + (j * tz - k * ty)
  out[1] = ay + w * ty + (k * tx - i * tz)
  out[2] = az + w * tz + (i * ty - j * tx)
  return out
}
