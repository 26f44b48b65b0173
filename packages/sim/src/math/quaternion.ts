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

/** Scales a quaternion of any finite components to length one; of zeros it makes no rotation. */
export function normalizeQuaternion(q: Float64Array, at: number): void {
  let length2 = squares(q, at)
  if (!(length2 > LENGTH2_MIN && length2 < Infinity)) {
    // Components whose squares leave the doubles' range: brought near one first.
    let largest = 0
    for (let i = at; i < at + 4; i++) largest = Math.max(largest, Math.abs(q[i]))
    if (largest > 0) for (let i = at; i < at + 4; i++) q[i] /= largest
    else q[at] = 1
    length2 = squares(q, at)
  }
  const scale = 1 / Math.sqrt(length2)
  q[at] *= scale
  q[at + 1] *= scale
  q[at + 2] *= scale
  q[at + 3] *= scale
}

/** Below this, squares have lost digits. */
const LENGTH2_MIN = 1e-280

function squares(q: Float64Array, at: number): number {
  const w = q[at]
  const x = q[at + 1]
  const y = q[at + 2]
  const z = q[at + 3]
  return w * w + x * x + y * y + z * z
}

/** Cosine of half the angle between two unit quaternions; negative on the longer way round. */
export function alongQuaternion(
  a: Float64Array,
  aAt: number,
  b: Float64Array,
  bAt: number,
): number {
  return (
    a[aAt] * b[bAt] + a[aAt + 1] * b[bAt + 1] + a[aAt + 2] * b[bAt + 2] + a[aAt + 3] * b[bAt + 3]
  )
}

/** out = q ⊗ turn, at index 0: an attitude turned about body axes. */
export function multiplyQuaternions(
  out: Float64Array,
  q: Float64Array,
  at: number,
  [w, x, y, z]: Float64Array,
): void {
  const qw = q[at]
  const qx = q[at + 1]
  const qy = q[at + 2]
  const qz = q[at + 3]
  out[0] = qw * w - qx * x - qy * y - qz * z
  out[1] = qw * x + qx * w + qy * z - qz * y
  out[2] = qw * y + qy * w + qz * x - qx * z
  out[3] = qw * z + qz * w + qx * y - qy * x
}

/**
 * out = the turn from `from` to `q`, in body axes and on the shorter way round: from⁻¹ ⊗ q with
 * w ≥ 0. Its x, y, z are axis · sin(angle/2).
 *
 * @param out  four values at index 0
 */
export function turnBetween(
  out: Float64Array,
  from: Float64Array,
  fromAt: number,
  q: Float64Array,
  at: number,
): void {
  const fw = from[fromAt]
  const fx = from[fromAt + 1]
  const fy = from[fromAt + 2]
  const fz = from[fromAt + 3]
  const w = q[at]
  const x = q[at + 1]
  const y = q[at + 2]
  const z = q[at + 3]
  const along = fw * w + fx * x + fy * y + fz * z
  const sign = along < 0 ? -1 : 1
  out[0] = sign * along
  out[1] = sign * (fw * x - fx * w - fy * z + fz * y)
  out[2] = sign * (fw * y + fx * z - fy * w - fz * x)
  out[3] = sign * (fw * z - fx * y + fy * x - fz * w)
}

/**
 * out = the attitude a share of the straight way from one to another, made a unit again.
 *
 * @param share  0 at `from`, 1 at `to`
 */
export function blendQuaternions(
  out: Float64Array,
  from: Float64Array,
  to: Float64Array,
  at: number,
  share: number,
): void {
  const toShare = alongQuaternion(from, at, to, at) < 0 ? -share : share
  for (let i = 0; i < 4; i++) out[i] = (1 - share) * from[at + i] + toShare * to[at + i]
  normalizeQuaternion(out, 0)
}

/**
 * The attitude whose +x axis points along `ahead` and whose +z axis along `up`.
 *
 * @param ahead  unit vector, triple at index 0
 * @param up     unit vector at a right angle to it, likewise
 */
export function alignedQuaternion(
  out: Float64Array,
  at: number,
  ahead: Float64Array,
  up: Float64Array,
): void {
  const leftX = up[1] * ahead[2] - up[2] * ahead[1]
  const leftY = up[2] * ahead[0] - up[0] * ahead[2]
  const leftZ = up[0] * ahead[1] - up[1] * ahead[0]
  const trace = ahead[0] + leftY + up[2]
  const yz = leftZ + up[1]
  const zx = up[0] + ahead[2]
  const xy = ahead[1] + leftX
  const wx = leftZ - up[1]
  const wy = up[0] - ahead[2]
  const wz = ahead[1] - leftX
  // Four times the squares of w, x, y, z: one is at least 1, and its row is the longest.
  const xx = 1 + 2 * ahead[0] - trace
  const yy = 1 + 2 * leftY - trace
  const zz = 1 + 2 * up[2] - trace
  if (trace >= 0) store(out, at, 1 + trace, wx, wy, wz)
  else if (xx >= yy && xx >= zz) store(out, at, wx, xx, xy, zx)
  else if (yy >= zz) store(out, at, wy, xy, yy, yz)
  else store(out, at, wz, zx, yz, zz)
  normalizeQuaternion(out, at)
}

function store(out: Float64Array, at: number, w: number, x: number, y: number, z: number): void {
  out[at] = w
  out[at + 1] = x
  out[at + 2] = y
  out[at + 3] = z
}

/** out = R(q) v, at index 0: body components to inertial ones. */
export function rotate(
  out: Float64Array,
  q: Float64Array,
  at: number,
  v: Float64Array,
  vAt: number,
): void {
  turn(out, q, at, 1, v, vAt)
}

/** out = R(q)ᵀ v, at index 0: inertial components to body ones. */
export function rotateBack(
  out: Float64Array,
  q: Float64Array,
  at: number,
  v: Float64Array,
  vAt: number,
): void {
  turn(out, q, at, -1, v, vAt)
}

function turn(
  out: Float64Array,
  q: Float64Array,
  at: number,
  sign: 1 | -1,
  v: Float64Array,
  vAt: number,
): void {
  const w = q[at]
  const x = sign * q[at + 1]
  const y = sign * q[at + 2]
  const z = sign * q[at + 3]
  const vx = v[vAt]
  const vy = v[vAt + 1]
  const vz = v[vAt + 2]
  const tx = 2 * (y * vz - z * vy)
  const ty = 2 * (z * vx - x * vz)
  const tz = 2 * (x * vy - y * vx)
  out[0] = vx + w * tx + (y * tz - z * ty)
  out[1] = vy + w * ty + (z * tx - x * tz)
  out[2] = vz + w * tz + (x * ty - y * tx)
}
