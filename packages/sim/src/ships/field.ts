import { type Ephemeris, bodyTable } from '../ephemeris/ephemeris.ts'
import { type Kernel, TABLE_DOUBLES } from './gravity.ts'

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
  /** the kernel's table of bodies, in summation order */
  readonly table: Float64Array
  /** body positions as the ephemeris gives them, one triple per body [m] */
  readonly positions: Float64Array
  readonly origin: Float64Array
  /** acceleration of the reference body itself, in the same terms [m/s²] */
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
  const table = allocate(TABLE_DOUBLES * bodies.length)
  for (const [row, body] of order.entries()) table[TABLE_DOUBLES * row + 3] = bodies[body].gm
  return {
    ephemeris,
    reference,
    kernel,
    order,
    table,
    positions: new Float64Array(3 * bodies.length),
    origin: allocate(3),
    originPull: allocate(3),
  }
}

/**
 * Places the field's bodies where they are at lattice index n + offset.
 *
 * @param offset  quanta after n, need not be whole
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ephemeris does not reach that time
 */
export function placeBodies(field: Field, n: number, offset: number): void {
  const { ephemeris, reference, kernel, order, table, positions, origin, originPull } = field
  bodyTable(positions, ephemeris, reference, n, offset)
  const rows = order.length
  for (let j = 0, row = 0; j < rows; j++, row += TABLE_DOUBLES) {
    const body = 3 * order[j]
    table[row] = positions[body]
    table[row + 1] = positions[body + 1]
    table[row + 2] = positions[body + 2]
  }
  kernel(originPull, origin, 1, 1, table, rows - 1)
  addOblateness(originPull, origin, 1, 1, field, ephemeris.parents[reference])
}

/**
 * Accelerations of points in a field whose bodies are placed.
 *
 * @param out     planes of accelerations, `stride` apart [m/s²]
 * @param points  planes of positions relative to the field's reference body, `stride` apart [m]
 * @param count   how many points, at most `stride`
 */
export function acceleration(
  out: Float64Array,
  field: Field,
  points: Float64Array,
  stride: number,
  count: number,
): void {
  const { ephemeris, reference, kernel, order, table, originPull } = field
  kernel(out, points, stride, count, table, order.length)
  for (let axis = 0; axis < 3; axis++) {
    const indirect = originPull[axis]
    for (let i = axis * stride; i < axis * stride + count; i++) out[i] -= indirect
  }
  addOblateness(out, points, stride, count, field, reference)
  addOblateness(out, points, stride, count, field, ephemeris.parents[reference])
}

/**
 * Adds the J2 term of one body's field, if it has one; -1 is no body.
 *
 * @source Vallado, Fundamentals of Astrodynamics, 4th ed., eq. 8-30, in vector form
 */
function addOblateness(
  out: Float64Array,
  points: Float64Array,
  stride: number,
  count: number,
  { ephemeris, positions }: Field,
  body: number,
): void {
  if (body < 0) return
  const { gm, oblateness } = ephemeris.system.bodies[body]
  if (!oblateness) return
  const { j2, referenceRadius, pole } = oblateness
  const px = pole[0]
  const py = pole[1]
  const pz = pole[2]
  const strength = 1.5 * j2 * gm * referenceRadius * referenceRadius
  for (let i = 0; i < count; i++) {
    const x = points[i] - positions[3 * body]
    const y = points[stride + i] - positions[3 * body + 1]
    const z = points[2 * stride + i] - positions[3 * body + 2]
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
