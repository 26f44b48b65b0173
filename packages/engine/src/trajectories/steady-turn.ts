/**
 * The rate at which a hull turns from one attitude to another on the shorter way.
 *
 * @param out  body axes [rad/s]
 * @param from  unit quaternion at index 0, as `to`
 */
export function steadyRate(
  out: Float64Array,
  from: Float64Array,
  to: Float64Array,
  seconds: number,
): void {
  const [fw, fx, fy, fz] = from
  const [w, x, y, z] = to
  const along = fw * w + fx * x + fy * y + fz * z
  const sign = along < 0 ? -1 : 1
  out[0] = sign * (fw * x - fx * w - fy * z + fz * y)
  out[1] = sign * (fw * y + fx * z - fy * w - fz * x)
  out[2] = sign * (fw * z - fx * y + fy * x - fz * w)
  const sine = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
  const share = sine > 0 ? (2 * Math.atan2(sine, Math.abs(along))) / (sine * seconds) : 0
  for (let axis = 0; axis < 3; axis++) out[axis] *= share
}

/**
 * The attitude of a hull that has turned at a steady rate about its own axes.
 *
 * @param out       w, x, y, z at index 0
 * @param attitude  quaternions, one per row
 * @param rate      triples, one per row [rad/s]
 */
export function turned(
  out: Float64Array,
  attitude: Float32Array,
  rate: Float32Array,
  row: number,
  seconds: number,
): void {
  const x = rate[3 * row]
  const y = rate[3 * row + 1]
  const z = rate[3 * row + 2]
  const speed = Math.sqrt(x * x + y * y + z * z)
  const half = 0.5 * speed * seconds
  const w = Math.cos(half)
  const share = speed > 0 ? Math.sin(half) / speed : 0
  const qw = attitude[4 * row]
  const qx = attitude[4 * row + 1]
  const qy = attitude[4 * row + 2]
  const qz = attitude[4 * row + 3]
  out[0] = qw * w - share * (qx * x + qy * y + qz * z)
  out[1] = qx * w + share * (qw * x + qy * z - qz * y)
  out[2] = qy * w + share * (qw * y + qz * x - qx * z)
  out[3] = qz * w + share * (qw * z + qx * y - qy * x)
}
