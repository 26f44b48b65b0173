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
  const lists = [
    ...lineage,
    ...others.flatMap((body) => [body, parents[body]]),
    ...order,
    ...order.map((body) => bodies[body].gm),
  ]
  const block = allocate(PLAN.lists + lists.length)
  block[PLAN.lineage] = lineage.length
  block[PLAN.oblate] = oblate.length / PLAN_OBLATE_DOUBLES
  block.set(oblate, PLAN.firstOblate)
  block.set(lists, PLAN.lists)
  return { block, bodies: bodies.length }
}

const origin = new Float64Array(3)
const originPull = new Float64Array(3)

/** The specification of `place` of the ships' kernel. */
export function placeBodies(stage: Stage, plan: FieldPlan, pair: NodePair): void {
  const { block, bodies } = plan
  const { numbers, table } = stage
  const lists = PLAN.lists + block[PLAN.lineage]
  const order = lists + 2 * (bodies - block[PLAN.lineage])
  interpolate(pair, bodies)
  chain(pair, plan)
  const positions = PAIR.planes + 6 * pair.plane
  for (let j = 0; j < bodies; j++) {
    const body = positions + 3 * block[order + j]
    for (let axis = 0; axis < 3; axis++) table[TABLE_DOUBLES * j + axis] = pair.block[body + axis]
    table[TABLE_DOUBLES * j + 3] = block[order + bodies + j]
  }
  numbers[STAGE.bodies] = bodies
  numbers[STAGE.oblate] = block[PLAN.oblate]
  pull(originPull, origin, 1, 1, table, bodies - 1)
  for (let term = 0; term < block[PLAN.oblate]; term++) {
    const from = PLAN.firstOblate + PLAN_OBLATE_DOUBLES * term
    const to = STAGE.oblateBody + OBLATE_DOUBLES * term
    const body = positions + 3 * block[from]
    for (let axis = 0; axis < 3; axis++) numbers[to + axis] = pair.block[body + axis]
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
function chain(pair: NodePair, { block, bodies }: FieldPlan): void {
  const positions = PAIR.planes + 6 * pair.plane
  const others = PLAN.lists + block[PLAN.lineage]
  for (let axis = 0; axis < 3; axis++) {
    let x = 0
    for (let i = PLAN.lists; i < others; i++) {
      const at = positions + 3 * block[i] + axis
      const link = pair.block[at]
      pair.block[at] = x
      x -= link
    }
  }
  for (let i = others; i < others + 2 * (bodies - block[PLAN.lineage]); i += 2) {
    const at = positions + 3 * block[i]
    const above = positions + 3 * block[i + 1]
    for (let axis = 0; axis < 3; axis++) pair.block[at + axis] += pair.block[above + axis]
  }
}
