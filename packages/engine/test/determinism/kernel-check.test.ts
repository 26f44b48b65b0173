/**
 * Law: an engine starts only with kernels that are the twins of their specifications. Goal: the
 * committed kernels pass; one with a single instruction or a single bit changed is refused.
 */
import { type MassiveKernel } from '@orrery/sim'
import { expect, it } from 'vitest'
import { assertSameBits, assertSameMotion } from '../../src/kernels/arithmetic-check.ts'
import { wasmMassiveKernel } from '../../src/kernels/wasm-massive-kernel.ts'
import { wasmKernels } from '../catalog-systems.ts'
import { solarSystem } from './threads.ts'

const { kernel, massiveKernel } = wasmKernels
const refusal = expect.objectContaining({ code: 'ERR_KERNEL_BITS' })

/** Operations of vectors of two doubles, by the byte of WebAssembly's binary format. */
const CHANGES = [
  { from: 'a sum', to: 'a difference', bytes: [0xf0, 0xf1] },
  { from: 'a difference', to: 'a sum', bytes: [0xf1, 0xf0] },
] as const

it('passes with the committed kernel, and without any', () => {
  expect(() => assertSameBits(kernel)).not.toThrow()
  expect(() => assertSameBits(undefined)).not.toThrow()
})

it.each(CHANGES)('refuses a kernel with $from turned into $to', ({ bytes: [from, to] }) => {
  const operations = places(kernel, [0xfd, from, 0x01])
  expect(operations.length).toBeGreaterThan(10)
  for (const at of operations) {
    const wrong = Uint8Array.from(kernel)
    wrong[at + 1] = to
    expect(() => assertSameBits(wrong), `byte ${at}`).toThrow(refusal)
  }
})

it('passes with the committed kernel of massive bodies, and refuses one that is a bit off', () => {
  const { system, start } = solarSystem
  const twin = wasmMassiveKernel(system, massiveKernel)
  expect(() => assertSameMotion(twin, system, start)).not.toThrow()
  const wrong: MassiveKernel = {
    ...twin,
    step(state, h) {
      twin.step(state, h)
      new BigUint64Array(state.xLow.buffer)[7] ^= 1n
    },
  }
  expect(() => assertSameMotion(wrong, system, start)).toThrow(refusal)
})

function places(bytes: Uint8Array, word: readonly number[]): number[] {
  return Array.from(bytes.keys()).filter((at) => word.every((byte, i) => bytes[at + i] === byte))
}
