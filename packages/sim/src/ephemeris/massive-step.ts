import { addScaled, addScaledPair } from '../math/compensated.ts'
import { book } from '../math/double-double.ts'
import { SimError } from '../sim-error.ts'
import { type MassiveState, NODE_SECONDS } from './ephemeris.ts'
import type { StarSystem } from './star-system.ts'
import { type ForceModel, accelerate, addPostNewtonian, createForceModel } from './force-model.ts'
import { type Method, SRKN14A } from './methods.ts'

/**
 * What moves the massive bodies of one system by `SRKN14A`: `massiveKernel`, or a twin of it in
 * another language that gives the same bits.
 */
export interface MassiveKernel {
  /**
   * One fixed step, in place; `state.node` is left to the caller.
   *
   * @param h  length of the step; negative runs back [s]
   */
  step(state: MassiveState, h: number): void
  /** @param out  acceleration of every body by the whole force model, in triples [m/s²] */
  accelerate(out: Float64Array, state: MassiveState): void
}

/** The specification of the kernel. */
export function massiveKernel(system: StarSystem): MassiveKernel {
  const model = createForceModel(system)
  return {
    step: (state, h) => stepMassive(model, SRKN14A, state, h),
    accelerate(out, { x, xLow, v }) {
      accelerate(model, x, xLow)
      addPostNewtonian(model, v, 0)
      out.set(model.a)
    },
  }
}

/**
 * One fixed step of the massive bodies, in place; keeps no history, so the state after it is a
 * function of the state before. `state.node` is left to the caller.
 *
 * @param h  length of the step; negative runs back [s]
 */
export function stepMassive(
  model: ForceModel,
  method: Method,
  state: MassiveState,
  h: number,
): void {
  const { a, b } = method
  const { x, xLow, v, vLow, energyWork, angularWork } = state
  for (let stage = 0; stage < b.length; stage++) {
    const kick = b[stage] * h
    if (kick !== 0) {
      accelerate(model, x, xLow)
      addPostNewtonian(model, v, 0.5 * kick)
      addScaled(v, vLow, model.a, kick)
      book(energyWork, 0, kick * model.power[0])
      for (let axis = 0; axis < 3; axis++) book(angularWork, 2 * axis, kick * model.torque[axis])
    }
    const drift = a[stage] * h
    if (drift !== 0) addScaledPair(x, xLow, v, vLow, drift)
  }
}

/** A state with storage of its own. */
export function createMassiveState(bodies: number): MassiveState {
  const triples = (): Float64Array => new Float64Array(3 * bodies)
  return {
    node: 0,
    x: triples(),
    v: triples(),
    xLow: triples(),
    vLow: triples(),
    energyWork: new Float64Array(2),
    angularWork: new Float64Array(6),
  }
}

/** Copies every bit of a state. */
export function copyMassiveState(out: MassiveState, from: MassiveState): void {
  out.node = from.node
  out.x.set(from.x)
  out.v.set(from.v)
  out.xLow.set(from.xLow)
  out.vLow.set(from.vLow)
  out.energyWork.set(from.energyWork)
  out.angularWork.set(from.angularWork)
}

/**
 * The state at another node, before or after, by whole steps of the massive bodies' method.
 *
 * @param node    where to go; 337.5 nodes a day
 * @throws {SimError} 'ERR_MASSIVE_STATE' when a node is not an integer
 */
export function massiveStateAt(
  system: StarSystem,
  start: MassiveState,
  node: number,
  kernel: MassiveKernel = massiveKernel(system),
): MassiveState {
  if (!Number.isInteger(node) || !Number.isInteger(start.node)) {
    throw new SimError('ERR_MASSIVE_STATE', `Cannot step from node ${start.node} to ${node}.`)
  }
  const state = createMassiveState(system.bodies.length)
  copyMassiveState(state, start)
  const direction = node < start.node ? -1 : 1
  for (; state.node !== node; state.node += direction) kernel.step(state, direction * NODE_SECONDS)
  return state
}
