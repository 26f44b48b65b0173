/** Three doubles: metres, metres per second or a direction, in ICRF axes unless named otherwise. */
export type Vector = Float64Array

export function vector(x = 0, y = 0, z = 0): Vector {
  return Float64Array.of(x, y, z)
}

export function fill(out: Vector, x: number, y: number, z: number): Vector {
  out[0] = x
  out[1] = y
  out[2] = z
  return out
}

/** out = a + b · factor */
export function addScaled(out: Vector, a: Vector, b: Vector, factor: number): Vector {
  return fill(out, a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor)
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function length(a: Vector): number {
  return Math.hypot(a[0], a[1], a[2])
}

/** Unchanged when it has no direction. */
export function normalize(out: Vector, a: Vector): Vector {
  const size = length(a) || 1
  return fill(out, a[0] / size, a[1] / size, a[2] / size)
}

export function cross(out: Vector, a: Vector, b: Vector): Vector {
  return fill(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
}

const perpendicular = vector()

/** Angle between two directions of any length [rad], 0 to π; exact for small ones too. */
export function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(length(cross(perpendicular, a, b)), dot(a, b))
}

/** Turned about a unit axis, by the right hand. */
export function rotate(out: Vector, a: Vector, axis: Vector, angle: number): Vector {
  const cosine = Math.cos(angle)
  const sine = Math.sin(angle)
  const along = dot(axis, a) * (1 - cosine)
  const [x, y, z] = axis
  return fill(
    out,
    a[0] * cosine + (y * a[2] - z * a[1]) * sine + x * along,
    a[1] * cosine + (z * a[0] - x * a[2]) * sine + y * along,
    a[2] * cosine + (x * a[1] - y * a[0]) * sine + z * along,
  )
}
