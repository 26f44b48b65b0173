import { type Ephemeris, bodyTable } from '../ephemeris/ephemeris.ts'
import { TABLE_DOUBLES } from './gravity.ts'
import { type ShipKernel, addFrame, addOblateness } from './ship-kernel.ts'
import { type Allocate, OBLATE_DOUBLES, STAGE, type Stage } from './step-scratch.ts'

/**
 * The gravity that ships near one reference body feel, in non-rotating axes centred on it:
 * Newton of every body and J2 of the reference body and of its parent, each minus the same
 * evaluated at the reference body itself.
 */
export interface Field {
  readonly ephemeris: Ephemeris
  readonly reference: number
  readonly kernel: ShipKernel
  /** bodies in summation order: the reference body, whose term is the largest, comes last */
  readonly order: Int32Array
  /** gravitational parameters in that order [m³/s²] */
  readonly gm: Float64Array
  /** of the reference body and of its parent, as far as they are oblate */
  readonly oblate: readonly OblateTerm[]
  /** body positions as the ephemeris gives them, one triple per body [m] */
  readonly positions: Float64Array
  readonly origin: Float64Array
  readonly originPull: Float64Array
}

/** The J2 term of one body. */
interface OblateTerm {
  readonly body: number
  readonly pole: readonly [number, number, number]
  /** 3/2 J2 GM R² [m⁵/s²] */
  readonly strength: number
}

/** A field with scratch of its own; one per reference body and thread. */
export function createField(
  ephemeris: Ephemeris,
  reference: number,
  kernel: ShipKernel,
  allocate: Allocate,
): Field {
  const { bodies } = ephemeris.system
  const others = bodies.map((_, i) => i).filter((i) => i !== reference)
  const order = Int32Array.from([...others, reference])
  return {
    ephemeris,
    reference,
    kernel,
    order,
    gm: Float64Array.from(order, (body) => bodies[body].gm),
    oblate: [reference, ephemeris.parents[reference]].flatMap((body) => {
      const { gm, oblateness } = bodies[body] ?? {}
      if (gm === undefined || !oblateness) return []
      const { j2, referenceRadius, pole } = oblateness
      return { body, pole, strength: 1.5 * j2 * gm * referenceRadius * referenceRadius }
    }),
    positions: new Float64Array(3 * bodies.length),
    origin: allocate(3),
    originPull: allocate(3),
  }
}

/**
 * Writes a stage: the field's bodies where they are at lattice index n + offset.
 *
 * @param offset  quanta after n, need not be whole
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ephemeris does not reach that time
 */
export function placeBodies(stage: Stage, field: Field, n: number, offset: number): void {
  const { ephemeris, reference, kernel, order, gm, oblate, positions, origin, originPull } = field
  const { numbers, table } = stage
  bodyTable(positions, ephemeris, reference, n, offset)
  const rows = order.length
  for (let j = 0, row = 0; j < rows; j++, row += TABLE_DOUBLES) {
    const body = 3 * order[j]
    table[row] = positions[body]
    table[row + 1] = positions[body + 1]
    table[row + 2] = positions[body + 2]
    table[row + 3] = gm[j]
  }
  for (let i = 0; i < oblate.length; i++) {
    const { body, pole, strength } = oblate[i]
    const at = STAGE.oblateBody + OBLATE_DOUBLES * i
    for (let axis = 0; axis < 3; axis++) {
      numbers[at + axis] = positions[3 * body + axis]
      numbers[at + 3 + axis] = pole[axis]
    }
    numbers[at + 6] = strength
  }
  numbers[STAGE.bodies] = rows
  numbers[STAGE.oblate] = oblate.length
  kernel.pull(originPull, origin, 1, 1, table, rows - 1)
  for (let i = 0; i < oblate.length; i++) {
    if (oblate[i].body !== reference) addOblateness(originPull, origin, 1, 1, numbers, i)
  }
  for (let axis = 0; axis < 3; axis++) numbers[STAGE.originPull + axis] = originPull[axis]
}

/**
 * Acceleration of a point in a field at a stage that `placeBodies` wrote.
 *
 * @param out    triple at index 0 [m/s²]
 * @param point  triple at index 0, relative to the field's reference body [m]
 */
export function accelerationAt(
  out: Float64Array,
  { numbers, table }: Stage,
  point: Float64Array,
  kernel: ShipKernel,
): void {
  kernel.pull(out, point, 1, 1, table, numbers[STAGE.bodies])
  addFrame(out, point, 1, 1, numbers)
}
