/**
 * Unit quaternions (w, x, y, z), scalar first as on the wire, that rotate body axes to
 * inertial ones. They are stored four to a ship; functions take an array and the offset of w.
 */

/** Copies one quaternion. */
export function copyQuaternion(out: Float64Array, at: number, q: Float64Array, from: number): void {
  out[at] = q[from]
  out[at + 1] = q[from + 1]
  out[at + 2] = q[from + 2]
  out[at + 3] = q[from + 3]
}

/** Scales a quaternion to length one. */
export function normalizeQuaternion(q: Float64Array, at: number): void {
  const w = q[at]
  const x = q[at + 1]
  const y = q[at + 2]
  const z = q[at + 3]
  const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z)
  q[at] = w * scale
  q[at + 1] = x * scale
  q[at + 2] = y * scale
  q[at + 3] = z * scale
}

/** out = R(q) v: body components to inertial ones. */
export function rotate(
  out: Float64Array,
  outAt: number,
  q: Float64Array,
  at: number,
  v: Float64Array,
  vAt: number,
): void {
  turn(out, outAt, q[at], q[at + 1], q[at + 2], q[at + 3], v, vAt)
}

/** out = R(q)ᵀ v: inertial components to body ones. */
export function rotateBack(
  out: Float64Array,
  outAt: number,
  q: Float64Array,
  at: number,
  v: Float64Array,
  vAt: number,
): void {
  turn(out, outAt, q[at], -q[at + 1], -q[at + 2], -q[at + 3], v, vAt)
}

function turn(
  out: Float64Array,
  outAt: number,
  w: number,
  x: number,
  y: number,
  z: number,
  v: Float64Array,
  vAt: number,
): void {
  const vx = v[vAt]
  const vy = v[vAt + 1]
  const vz = v[vAt + 2]
  const tx = 2 * (y * vz - z * vy)
  const ty = 2 * (z * vx - x * vz)
  const tz = 2 * (x * vy - y * vx)
  out[outAt] = vx + w * tx + (y * tz - z * ty)
  out[outAt + 1] = vy + w * ty + (z * tx - x * tz)
  out[outAt + 2] = vz + w * tz + (x * ty - y * tx)
}
