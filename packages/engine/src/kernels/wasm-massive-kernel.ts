import {
  type MassiveKernel,
  type MassiveState,
  SRKN14A,
  type StarSystem,
  actingPlaces,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { compiledKernel } from './compiled-kernel.ts'

/** Bodies that a plane of the kernel has room for. */
const BODIES_MAX = 64

/** Values from one plane to the next. */
const PLANE = 66

/** The kernel as compiled; places are counted, `oblate` of them before the first sphere's. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  step(count: number, oblate: number, stages: number, h: number): void
  accelerate(count: number, oblate: number, halfKick: number): void
  readonly [address: string]: unknown
}

/**
 * The massive bodies' kernel in WebAssembly, which gives the bits of `massiveKernel`.
 *
 * @param bytes  contents of `@orrery/sim/massive.wasm`
 * @throws {EngineError} 'ERR_KERNEL_MEMORY' when the system has more than 64 bodies
 */
export function wasmMassiveKernel(system: StarSystem, bytes: Uint8Array): MassiveKernel {
  const count = system.bodies.length
  if (count > BODIES_MAX) {
    throw new EngineError(
      'ERR_KERNEL_MEMORY',
      `The kernel has room for ${BODIES_MAX} bodies; ${system.name} has ${count}.`,
    )
  }
  const instance = new WebAssembly.Instance(compiledKernel(bytes), {})
  const kernel = instance.exports as unknown as Exports
  const memory = new Float64Array(kernel.memory.buffer)
  const at = (name: string): number =>
    (kernel[name] as { readonly value: number }).value / Float64Array.BYTES_PER_ELEMENT
  const { bodies, zonal } = actingPlaces(system)
  for (const [place, body] of bodies.entries()) memory[at('GM') + place] = system.bodies[body].gm
  for (const [place, { pole, second, fourth }] of zonal.entries()) {
    for (let axis = 0; axis < 3; axis++) memory[at('POLE') + PLANE * axis + place] = pole[axis]
    memory[at('SECOND') + place] = second
    memory[at('FOURTH') + place] = fourth
  }
  memory.set(SRKN14A.a, at('DRIFTS'))
  memory.set(SRKN14A.b, at('KICKS'))
  const copy = stateCopy(memory, bodies, at)
  const a = at('A')
  return {
    step(state, h) {
      copy.load(state)
      kernel.step(count, zonal.length, SRKN14A.b.length, h)
      copy.store(state)
    },
    accelerate(out, state) {
      copy.load(state)
      kernel.accelerate(count, zonal.length, 0)
      for (let i = 0; i < out.length; i++) out[i] = memory[a + copy.slots[i]]
    },
  }
}

interface StateCopy {
  /** index of each component of a triple per body in three planes */
  readonly slots: Int32Array
  load(state: MassiveState): void
  store(state: MassiveState): void
}

function stateCopy(
  memory: Float64Array,
  bodies: Int32Array,
  at: (name: string) => number,
): StateCopy {
  const slots = new Int32Array(3 * bodies.length)
  for (const [place, body] of bodies.entries()) {
    for (let axis = 0; axis < 3; axis++) slots[3 * body + axis] = PLANE * axis + place
  }
  const x = at('X')
  const xLow = at('X_LOW')
  const v = at('V')
  const vLow = at('V_LOW')
  const ledgers = at('LEDGERS')
  return {
    slots,
    load(state) {
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i]
        memory[x + slot] = state.x[i]
        memory[xLow + slot] = state.xLow[i]
        memory[v + slot] = state.v[i]
        memory[vLow + slot] = state.vLow[i]
      }
      for (let i = 0; i < 2; i++) memory[ledgers + i] = state.energyWork[i]
      for (let i = 0; i < 6; i++) memory[ledgers + 2 + i] = state.angularWork[i]
    },
    store(state) {
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i]
        state.x[i] = memory[x + slot]
        state.xLow[i] = memory[xLow + slot]
        state.v[i] = memory[v + slot]
        state.vLow[i] = memory[vLow + slot]
      }
      for (let i = 0; i < 2; i++) state.energyWork[i] = memory[ledgers + i]
      for (let i = 0; i < 6; i++) state.angularWork[i] = memory[ledgers + 2 + i]
    },
  }
}
