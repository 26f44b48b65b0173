import type { Ephemeris } from '../ephemeris/ephemeris.ts'
import { type NodePairs, createNodePairs, nodePairAt } from '../ephemeris/node-pair.ts'
import { type FieldPlan, createFieldPlan } from './field-plan.ts'
import { addFrame } from './frame.ts'
import type { ShipKernel } from './ship-kernel.ts'
import { type Allocate, STAGE, type Stage } from './step-scratch.ts'

/**
 * The gravity that ships near one reference body feel, in non-rotating axes centred on it:
 * Newton of every body, moons of other planets at the barycentres with these, and J2 of the
 * reference body and of its parent, each minus the same evaluated at the reference body itself.
 */
export interface Field {
  readonly ephemeris: Ephemeris
  readonly reference: number
  readonly kernel: ShipKernel
  readonly plan: FieldPlan
  /** the system's nodes, as last used by any field of this thread */
  readonly pairs: NodePairs
}

/** The fields about every body of a system, for one thread. */
export function createFields(
  ephemeris: Ephemeris,
  kernel: ShipKernel,
  allocate: Allocate,
): Field[] {
  const pairs = createNodePairs(ephemeris, allocate)
  return ephemeris.system.bodies.map((_, reference) => {
    const plan = createFieldPlan(ephemeris, reference, allocate)
    return { ephemeris, reference, kernel, plan, pairs }
  })
}

/**
 * Writes a stage: the field's bodies where they are at lattice index n + offset.
 *
 * @param offset  quanta after n, need not be whole
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ephemeris does not reach that time
 */
export function writeStage(stage: Stage, field: Field, n: number, offset: number): void {
  const { ephemeris, kernel, pairs, plan } = field
  kernel.place(stage, plan, nodePairAt(pairs, ephemeris, n, offset))
}

/**
 * Acceleration of a point in a field at a stage that `writeStage` wrote.
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
