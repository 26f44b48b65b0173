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
 * | counts | oblate bodies, at most two | lineage | others, each with its parent
 * | merged ones, each with its parent | order | GM | share of each merged one |
 * ```
 *
 * The lineage is the reference body, its parent, and so on to the root; the order is that of
 * summation: the reference body, whose term is the largest, comes last. Moons of other planets are
 * merged: they pull as one mass with their planet, from the barycentre of both.
 */
export interface FieldPlan {
  readonly block: Float64Array
  readonly bodies: number
  /** masses that pull */
  readonly rows: number
  /** lineage, others and merged ones with parents, and order again: where each triple begins */
  readonly triples: Int32Array
}

/** Places in a plan's block. */
export const PLAN = { lineage: 0, oblate: 1, firstOblate: 2, merged: 12, lists: 14 } as const

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
  const merged = mergedBodies(parents, lineage)
  const own = [...bodies.keys()].filter((body) => !merged.includes(body))
  const others = own.filter((body) => !lineage.includes(body))
  const order = [...own.filter((body) => body !== reference), reference]
  const masses = order.map((body) => {
    const moons = merged.filter((moon) => parents[moon] === body)
    return moons.reduce((sum, moon) => sum + bodies[moon].gm, bodies[body].gm)
  })
  const oblate = lineage.slice(0, 2).flatMap((body) => {
    const { gm, oblateness } = bodies[body]
    if (!oblateness) return []
    const { j2, referenceRadius, pole } = oblateness
    return [body, ...pole, 1.5 * j2 * gm * referenceRadius * referenceRadius]
  })
  const pairs = [...others, ...merged].flatMap((body) => [body, parents[body]])
  const places = [...lineage, ...pairs, ...order]
  const shares = merged.map((moon) => bodies[moon].gm / masses[order.indexOf(parents[moon])])
  const lists = [...places, ...masses, ...shares]
  const block = allocate(PLAN.lists + lists.length)
  block[PLAN.lineage] = lineage.length
  block[PLAN.oblate] = oblate.length / PLAN_OBLATE_DOUBLES
  block[PLAN.merged] = merged.length
  block.set(oblate, PLAN.firstOblate)
  block.set(lists, PLAN.lists)
  const triples = Int32Array.from(places, (body) => 3 * body)
  return { block, bodies: bodies.length, rows: order.length, triples }
}

/**
 * Bodies without satellites whose parent is none of the lineage's; near the root all pull for
 * themselves, since ships there come near each of them.
 */
function mergedBodies(parents: Int32Array, lineage: readonly number[]): number[] {
  if (lineage.length === 1) return []
  return [...parents.keys()].filter((body) => {
    return parents[body] >= 0 && !lineage.includes(parents[body]) && !parents.includes(body)
  })
}

const origin = new Float64Array(3)
const originPull = new Float64Array(3)

/** The specification of `place` of the ships' kernel. */
export function placeBodies(stage: Stage, plan: FieldPlan, pair: NodePair): void {
  const { block, bodies, rows, triples } = plan
  const { numbers, table } = stage
  const { block: values } = pair
  const order = 2 * bodies - block[PLAN.lineage]
  const masses = PLAN.lists + order + rows
  interpolate(pair, bodies)
  chain(pair, plan)
  const positions = PAIR.planes + 6 * pair.plane
  for (let j = 0, at = 0; j < rows; j++, at += TABLE_DOUBLES) {
    const body = positions + triples[order + j]
    table[at] = values[body]
    table[at + 1] = values[body + 1]
    table[at + 2] = values[body + 2]
    table[at + 3] = block[masses + j]
  }
  numbers[STAGE.bodies] = rows
  numbers[STAGE.oblate] = block[PLAN.oblate]
  pull(originPull, origin, 1, 1, table, rows - 1)
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

/**
 * Turns positions relative to each parent into positions relative to the reference body, and those
 * of bodies with merged ones into barycentres.
 */
function chain(pair: NodePair, { block, bodies, rows, triples }: FieldPlan): void {
  const { block: values } = pair
  const positions = PAIR.planes + 6 * pair.plane
  const others = block[PLAN.lineage]
  const order = 2 * bodies - others
  const merged = order - 2 * block[PLAN.merged]
  for (let axis = 0; axis < 3; axis++) {
    let x = 0
    for (let i = 0; i < others; i++) {
      const at = positions + triples[i] + axis
      const link = values[at]
      values[at] = x
      x -= link
    }
  }
  for (let i = others; i < merged; i += 2) {
    const at = positions + triples[i]
    const above = positions + triples[i + 1]
    values[at] += values[above]
    values[at + 1] += values[above + 1]
    values[at + 2] += values[above + 2]
  }
  let share = PLAN.lists + order + 2 * rows
  for (let i = merged; i < order; i += 2) {
    const at = positions + triples[i]
    const above = positions + triples[i + 1]
    values[above] += block[share] * values[at]
    values[above + 1] += block[share] * values[at + 1]
    values[above + 2] += block[share] * values[at + 2]
    share++
  }
}
