import { OBLATE_DOUBLES, STAGE } from './step-scratch.ts'

/**
 * Adds to Newton's pull what else a field has: the reference body's own acceleration, negative,
 * and the oblate bodies' terms.
 *
 * @param numbers  of the stage
 */
export function addFrame(
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  numbers: Float64Array,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const indirect = numbers[STAGE.originPull + axis]
    for (let i = axis * stride; i < axis * stride + count; i++) out[i] -= indirect
  }
  for (let term = 0; term < numbers[STAGE.oblate]; term++) {
    addOblateness(out, points, stride, count, numbers, term)
  }
}

/**
 * Adds the J2 term of one oblate body of a stage.
 *
 * @source Vallado, Fundamentals of Astrodynamics, 4th ed., eq. 8-30, in vector form
 */
export function addOblateness(
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  numbers: Float64Array,
  term: number,
): void {
  const at = STAGE.oblateBody + OBLATE_DOUBLES * term
  const px = numbers[at + 3]
  const py = numbers[at + 4]
  const pz = numbers[at + 5]
  const strength = numbers[at + 6]
  for (let i = 0; i < count; i++) {
    const x = points[i] - numbers[at]
    const y = points[stride + i] - numbers[at + 1]
    const z = points[2 * stride + i] - numbers[at + 2]
    const r2 = x * x + y * y + z * z
    const r3 = r2 * Math.sqrt(r2)
    const inverse5 = 1 / (r2 * r3)
    const scale = strength * inverse5
    const height = x * px + y * py + z * pz
    const radial = scale * (5 * height * height * (r3 * inverse5) - 1)
    const axial = -2 * scale * height
    out[i] += radial * x + axial * px
    out[stride + i] += radial * y + axial * py
    out[2 * stride + i] += radial * z + axial * pz
  }
}
