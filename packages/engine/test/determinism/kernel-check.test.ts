/**
 * Law: an engine starts only with kernels that are the twins of their specifications. Goal: the
 * committed kernels pass; one with a single instruction or a single bit changed is refused.
 */
import { type MassiveKernel } from '@orrery/sim'
import { expect, it } from 'vitest'
import { assertSameBits, assertSameMotion } from '../../src/kernels/arithmetic-check.ts'
import { wasmMassiveKernel } from '../../src/kernels/wasm-massive-kernel.ts'
import { solarSystem, wasmKernels } from './threads.ts'

const { kernel, massiveKernel } = wasmKernels
const refusal = expect.objectContaining({ code: 'ERR_KERNEL_BITS' })

/** Of vectors of two doubles, as the binary format of WebAssembly spells them. */
const ADD = [0xfd, 0xf0, 0x01]
const SUBTRACT = [0xfd, 0xf1, 0x01]

it('passes with the committed kernel, and without any', () => {
  expect(() => assertSameBits(kernel)).not.toThrow()
  expect(() => assertSameBits(undefined)).not.toThrow()
})

it('refuses a kernel with any sum turned into a difference', () => {
  const sums = places(kernel, ADD)
  expect(sums.length).toBeGreaterThan(10)
  for (const at of sums) {
    const wrong = kernel.slice()
    wrong.set(SUBTRACT, at)
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
