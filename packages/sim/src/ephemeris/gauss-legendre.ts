import { addScaled } from '../math/compensated.ts'
import type { MassiveState } from './ephemeris.ts'
import { type ForceModel, accelerate, addPostNewtonian } from './force-model.ts'
import type { CollocationMethod } from './methods.ts'

/**
 * Rounds of fixed-point iteration. Each gains a factor of about (h·ω)²/10, so 8 leave nothing
 * of a step of 512 s round Phobos (h·ω = 0.12); a fixed count keeps the bits.
 */
const ROUNDS = 8

/** Storage of one stage: offset from the step's start, state there, acceleration. */
interface Stage {
  readonly shift: Float64Array
  readonly x: Float64Array
  readonly xLow: Float64Array
  readonly v: Float64Array
  readonly a: Float64Array
}

/** Scratch of a collocation method for one system. */
export interface CollocationScratch {
  readonly stages: readonly Stage[]
}

export function createCollocationScratch(
  method: CollocationMethod,
  bodies: number,
): CollocationScratch {
  const triples = (): Float64Array => new Float64Array(3 * bodies)
  const stages = method.b.map(() => ({
    shift: triples(),
    x: triples(),
    xLow: triples(),
    v: triples(),
    a: triples(),
  }))
  return { stages }
}

/**
 * One implicit step of the massive bodies, in place, from a cold start. For comparison with
 * the explicit method: it keeps no ledgers and leaves `state.node` to the caller.
 *
 * @param h  length of the step; negative runs back [s]
 */
export function stepCollocation(
  scratch: CollocationScratch,
  model: ForceModel,
  method: CollocationMethod,
  state: MassiveState,
  h: number,
): void {
  const { stages } = scratch
  for (const [i, { shift, v, a }] of stages.entries()) {
    const fraction = method.matrix[i].reduce((sum, value) => sum + value, 0)
    for (let k = 0; k < shift.length; k++) shift[k] = h * fraction * state.v[k]
    v.set(state.v)
    a.fill(0)
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const stage of stages) evaluate(stage, model, state)
    // All velocities before any place: a round then gains two orders of h, not one.
    for (const [i, stage] of stages.entries()) {
      collectVelocity(stage, stages, method.matrix[i], state, h)
    }
    for (const [i, stage] of stages.entries()) collectShift(stage, stages, method.matrix[i], h)
  }
  for (const stage of stages) evaluate(stage, model, state)
  for (const [i, { v, a }] of stages.entries()) {
    addScaled(state.x, state.xLow, v, h * method.b[i])
    addScaled(state.v, state.vLow, a, h * method.b[i])
  }
}

function evaluate(stage: Stage, model: ForceModel, state: MassiveState): void {
  const { shift, x, xLow, v, a } = stage
  for (let k = 0; k < x.length; k++) {
    const change = shift[k] + state.xLow[k]
    x[k] = state.x[k] + change
    xLow[k] = change - (x[k] - state.x[k])
  }
  accelerate(model, x, xLow)
  addPostNewtonian(model, v, 0)
  a.set(model.a)
}

function collectVelocity(
  { v }: Stage,
  stages: readonly Stage[],
  row: readonly number[],
  state: MassiveState,
  h: number,
): void {
  for (let k = 0; k < v.length; k++) {
    let speed = 0
    for (let j = 0; j < row.length; j++) speed += row[j] * stages[j].a[k]
    v[k] = state.v[k] + (h * speed + state.vLow[k])
  }
}

function collectShift(
  { shift }: Stage,
  stages: readonly Stage[],
  row: readonly number[],
  h: number,
): void {
  for (let k = 0; k < shift.length; k++) {
    let way = 0
    for (let j = 0; j < row.length; j++) way += row[j] * stages[j].v[k]
    shift[k] = h * way
  }
}
