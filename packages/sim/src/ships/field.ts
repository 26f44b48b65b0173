import { type Ephemeris, bodyTable } from '../ephemeris/ephemeris.ts'
import type { Body } from '../ephemeris/star-system.ts'
import type { Kernel } from './gravity.ts'

/** Where scratch is put: on the heap, or in the memory that a kernel in WebAssembly works on. */
export type Allocate = (length: number) => Float64Array

/**
 * The gravity that ships near one reference body feel, in non-rotating axes centred on it:
 * Newton of every body and J2 of the reference body and of its parent, each minus the same
 * evaluated at the reference body itself.
 */
export interface Field {
  readonly ephemeris: Ephemeris
  readonly reference: number
  readonly kernel: Kernel
  /** bodies in summation order: the reference body, whose term is the largest, comes last */
  readonly order: Int32Array
  readonly gm: Float64Array
  /** body positions in summation order: all x, all y, all z [m] */
  readonly table: Float64Array
  /** body positions as the ephemeris gives them, one triple per body [m] */
  readonly positions: Float64Array
  readonly origin: Float64Array
  readonly originPull: Float64Array
}

/** A field with scratch of its own; one per reference body and thread. */
export function createField(
  ephemeris: Ephemeris,
  reference: number,
  kernel: Kernel,
  allocate: Allocate,
): Field {
  const { bodies } = ephemeris.system
  const others = bodies.map((_, i) => i).filter((i) => i !== reference)
  const order = Int32Array.from([...others, reference])
  const gm = allocate(bodies.length)
  gm.set(bodies.map((_, i) => bodies[order[i]].gm))
  return {
    ephemeris,
    reference,
    kernel,
    order,
    gm,
    table: allocate(3 * bodies.length),
    positions: new Float64Array(3 * bodies.length),
    origin: allocate(3),
    originPull: allocate(3),
  }
}

/**
 * Accelerations of points at lattice index n + offset.
 *
 * @param out     planes of accelerations, `stride` apart [m/s²]
 * @param points  planes of positions relative to the field's reference body, `stride` apart [m]
 * @param count   how many points, at most `stride`
 * @param offset  quanta after n, need not be whole
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ephemeris does not reach that time
 */
export function acceleration(
  out: Float64Array,
  field: Field,
  points: Float64Array,
  stride: number,
  count: number,
  n: number,
  offset: number,
): void {
  const { ephemeris, reference, kernel, order, gm, table, positions, origin, originPull } = field
  bodyTable(positions, ephemeris, reference, n, offset)
  const rows = order.length
  for (let j = 0; j < rows; j++) {
    const body = 3 * order[j]
    table[j] = positions[body]
    table[rows + j] = positions[body + 1]
    table[2 * rows + j] = positions[body + 2]
  }
  kernel(originPull, origin, 1, 1, table, gm, rows - 1)
  kernel(out, points, stride, count, table, gm, rows)
  const { bodies } = ephemeris.system
  const own = bodies[reference]
  const parent = own.parent < 0 ? undefined : bodies[own.parent]
  if (parent?.oblateness) addOblateness(originPull, origin, 1, 1, parent, positions, own.parent)
  for (let axis = 0; axis < 3; axis++) {
    const indirect = originPull[axis]
    for (let i = axis * stride; i < axis * stride + count; i++) out[i] -= indirect
  }
  if (own.oblateness) addOblateness(out, points, stride, count, own, positions, reference)
  if (parent?.oblateness) addOblateness(out, points, stride, count, parent, positions, own.parent)
}

/**
 * Adds the J2 term of one body's field.
 *
 * @source Vallado, Fundamentals of Astrodynamics, 4th ed., eq. 8-30, in vector form
 */
function addOblateness(
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  body: Body,
  positions: Float64Array,
  index: number,
): void {
  const { j2, referenceRadius, pole } = body.oblateness!
  const px = pole[0]
  const py = pole[1]
  const pz = pole[2]
  const strength = 1.5 * j2 * body.gm * referenceRadius * referenceRadius
  for (let i = 0; i < count; i++) {
    const x = points[i] - positions[3 * index]
    const y = points[stride + i] - positions[3 * index + 1]
    const z = points[2 * stride + i] - positions[3 * index + 2]
    const r2 = x * x + y * y + z * z
    const scale = strength / (r2 * r2 * Math.sqrt(r2))
    const height = x * px + y * py + z * pz
    const radial = scale * ((5 * height * height) / r2 - 1)
    const axial = -2 * scale * height
    out[i] += radial * x + axial * px
    out[stride + i] += radial * y + axial * py
    out[2 * stride + i] += radial * z + axial * pz
  }
}
