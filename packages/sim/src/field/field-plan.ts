import type { Ephemeris } from '../ephemeris/ephemeris.ts'
import { type NodePair, PAIR } from '../ephemeris/node-pair.ts'
import { addOblateness } from './frame.ts'
import { TABLE_DOUBLES, pull } from './gravity.ts'
import { type Allocate, OBLATE_DOUBLES, STAGE, type Stage } from './step-scratch.ts'

/**
 * How the stages of one reference body's field are written from nodes: a list of bodies, their
 * parents and constants, in one block for kernels.
 *
 * ```
 * | counts | oblate bodies, at most two | lineage | others, each with its parent | order | GM |
 * ```
 *
 * The lineage is the reference body, its parent, and so on to the root; the order is that of
 * summation: the reference body, whose term is the largest, comes last.
 */
export interface FieldPlan {
  readonly block: Float64Array
  readonly bodies: number
  /** lineage, others with parents, and order again: where each body's triple begins */
  readonly triples: Int32Array
}

/** Places in a plan's block. */
export const PLAN = { lineage: 0, oblate: 1, firstOblate: 2, lists: 12 } as const

/** Body, pole and strength 3/2 J2 GM R² [m⁵/s²] of one oblate body. */
export const PLAN_OBLATE_DOUBLES = 5

/** The plan for ships near one body of a star system. */
export function createFieldPlan(
  ephemeris: Ephemeris,
  reference: number,
  allocate: Allocate,
): FieldPlan {
  const { parents, system } = ephemeris
  const { bodies } = system
  const lineage: number[] = []
  for (let body = reference; body >= 0; body = parents[body]) lineage.push(body)
  const others = bodies.map((_, i) => i).filter((i) => !lineage.includes(i))
  const order = [...bodies.keys()].filter((i) => i !== reference)
  order.push(reference)
  const oblate = lineage.slice(0, 2).flatMap((body) => {
    const { gm, oblateness } = bodies[body]
    if (!oblateness) return []
    const { j2, referenceRadius, pole } = oblateness
    return [body, ...pole, 1.5 * j2 * gm * referenceRadius * referenceRadius]
  })
  const places = [...lineage, ...others.flatMap((body) => [body, parents[body]]), ...order]
  const lists = [...places, ...order.map((body) => bodies[body].gm)]
  const block = allocate(PLAN.lists + lists.length)
  block[PLAN.lineage] = lineage.length
  block[PLAN.oblate] = oblate.length / PLAN_OBLATE_DOUBLES
  block.set(oblate, PLAN.firstOblate)
  block.set(lists, PLAN.lists)
  return { block, bodies: bodies.length, triples: Int32Array.from(places, (body) => 3 * body) }
}

const origin = new Float64Array(3)
const originPull = new Float64Array(3)

/** The specification of `place` of the ships' kernel. */
export function placeBodies(stage: Stage, plan: FieldPlan, pair: NodePair): void {
  const { block, bodies, triples } = plan
  const { numbers, table } = stage
  const { block: values } = pair
  const order = 2 * bodies - block[PLAN.lineage]
  const masses = PLAN.lists + order + bodies
  interpolate(pair, bodies)
  chain(pair, plan)
  const positions = PAIR.planes + 6 * pair.plane
  for (let j = 0, at = 0; j < bodies; j++, at += TABLE_DOUBLES) {
    const body = positions + triples[order + j]
    table[at] = values[body]
    table[at + 1] = values[body + 1]
    table[at + 2] = values[body + 2]
    table[at + 3] = block[masses + j]
  }
  numbers[STAGE.bodies] = bodies
  numbers[STAGE.oblate] = block[PLAN.oblate]
  pull(originPull, origin, 1, 1, table, bodies - 1)
  for (let term = 0; term < block[PLAN.oblate]; term++) {
    const from = PLAN.firstOblate + PLAN_OBLATE_DOUBLES * term
    const to = STAGE.oblateBody + OBLATE_DOUBLES * term
    const body = positions + 3 * block[from]
    for (let axis = 0; axis < 3; axis++) numbers[to + axis] = values[body + axis]
    for (let i = 1; i < PLAN_OBLATE_DOUBLES; i++) numbers[to + 2 + i] = block[from + i]
    // In its own centre a body's term has no value.
    if (block[from] !== block[PLAN.lists]) addOblateness(originPull, origin, 1, 1, numbers, term)
  }
  for (let axis = 0; axis < 3; axis++) numbers[STAGE.originPull + axis] = originPull[axis]
}

/** Writes the positions of a pair's bodies, each relative to its parent. */
function interpolate({ block, plane }: NodePair, bodies: number): void {
  const x1 = block[PAIR.x1]
  const v0 = block[PAIR.v0]
  const v1 = block[PAIR.v1]
  const a0 = block[PAIR.a0]
  const a1 = block[PAIR.a1]
  for (let i = PAIR.planes; i < PAIR.planes + 3 * bodies; i++) {
    const x = block[i]
    const rates =
      v0 * block[i + plane] +
      v1 * block[i + 4 * plane] +
      (a0 * block[i + 2 * plane] + a1 * block[i + 5 * plane])
    block[i + 6 * plane] = x + (x1 * (block[i + 3 * plane] - x) + rates)
  }
}

/** Turns positions relative to each parent into positions relative to the reference body. */
function chain(pair: NodePair, { block, bodies, triples }: FieldPlan): void {
  const { block: values } = pair
  const positions = PAIR.planes + 6 * pair.plane
  const others = block[PLAN.lineage]
  for (let axis = 0; axis < 3; axis++) {
    let x = 0
    for (let i = 0; i < others; i++) {
      const at = positions + triples[i] + axis
      const link = values[at]
      values[at] = x
      x -= link
    }
  }
  for (let i = others; i < 2 * bodies - others; i += 2) {
    const at = positions + triples[i]
    const above = positions + triples[i + 1]
    values[at] += values[above]
    values[at + 1] += values[above + 1]
    values[at + 2] += values[above + 2]
  }
}
