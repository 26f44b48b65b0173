/** Triples, and other few values, inside longer arrays: functions take the offset of the first. */

/** Whether none of `count` values is infinite or NaN, nor their sum. */
export function areFinite(values: Float64Array, at: number, count: number): boolean {
  let sum = 0
  for (let i = at; i < at + count; i++) sum += values[i]
  return sum - sum === 0
}

/** Copies one triple. */
export function copyTriple(out: Float64Array, at: number, v: Float64Array, from: number): void {
  out[at] = v[from]
  out[at + 1] = v[from + 1]
  out[at + 2] = v[from + 2]
}

export function dot(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]
}

export function cross(
  out: Float64Array,
  at: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  out[at] = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]
  out[at + 1] = a[i + 2] * b[j] - a[i] * b[j + 2]
  out[at + 2] = a[i] * b[j + 1] - a[i + 1] * b[j]
}
