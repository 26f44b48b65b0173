/**
 * Law: the massive bodies' kernel in WebAssembly is its TypeScript specification. Goal: equal
 * bits of state, ledgers and accelerations, compared as integers, over hundreds of steps of the
 * solar system and of seeded random systems: one body to the 64 there is room for, odd and even,
 * the root a sphere or not, no oblate body to nothing but oblate ones, forward and backward, and
 * in a plane, where zeros have signs. One bit off would be noticed; a 65th body is refused.
 */
import { readFile } from 'node:fs/promises'
import { solStateJ2000, solSystem } from '@orrery/catalog'
import {
  type MassiveKernel,
  type MassiveState,
  type StarSystem,
  copyMassiveState,
  createMassiveState,
  massiveKernel,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { wasmMassiveKernel } from '../../src/kernels/wasm-massive-kernel.ts'

const SEED = 4_711
const bytes = await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm')))

describe('the kernel of massive bodies', () => {
  it('gives the same bits over a day and a half of the solar system', () => {
    expect(difference(solSystem, solStateJ2000(), 256, 512)).toBe('')
  })

  it('gives the same bits for every number of bodies, spheres and oblate ones', () => {
    const random = createChance(SEED).share
    const steps = byTier({ gate: 50, night: 200 })
    for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 13, 33, 64]) {
      for (const oblate of [0, 1, 2, 3, 5, count]) {
        const { system, state } = randomSystem(random, count, oblate, 1)
        expect(difference(system, state, 256, count > 30 ? steps / 5 : steps)).toBe('')
        expect(difference(system, state, -8192, steps / 10)).toBe('')
      }
    }
  })

  it('gives the same bits in a plane', () => {
    const { system, state } = randomSystem(createChance(SEED + 1).share, 9, 4, 0)
    expect(difference(system, state, 256, 200)).toBe('')
  })

  it('would be caught with one bit off', () => {
    const twin = wasmMassiveKernel(solSystem, bytes)
    const off: MassiveKernel = {
      ...twin,
      step(state, h) {
        twin.step(state, h)
        new BigUint64Array(state.vLow.buffer)[101] ^= 1n
      },
    }
    expect(difference(solSystem, solStateJ2000(), 256, 1, off)).toContain('vLow')
  })

  it('refuses more bodies than it has room for', () => {
    const { system } = randomSystem(createChance(SEED).share, 65, 0, 1)
    expect(() => wasmMassiveKernel(system, bytes)).toThrow(
      expect.objectContaining({ code: 'ERR_KERNEL_MEMORY' }),
    )
  })
})

/** The first thing that differs after any step, '' when nothing does. */
function difference(
  system: StarSystem,
  start: MassiveState,
  h: number,
  steps: number,
  twin = wasmMassiveKernel(system, bytes),
): string {
  const specification = massiveKernel(system)
  const [wanted, given] = [0, 1].map(() => {
    const state = createMassiveState(system.bodies.length)
    copyMassiveState(state, start)
    return { ...state, a: new Float64Array(state.x.length) }
  })
  for (let step = 1; step <= steps; step++) {
    specification.step(wanted, h)
    twin.step(given, h)
    specification.accelerate(wanted.a, wanted)
    twin.accelerate(given.a, given)
    for (const name of ['x', 'v', 'xLow', 'vLow', 'energyWork', 'angularWork', 'a'] as const) {
      const bits = new BigUint64Array(wanted[name].buffer)
      const at = new BigUint64Array(given[name].buffer).findIndex((word, i) => word !== bits[i])
      if (at < 0) continue
      const values = `${given[name][at]}, not ${wanted[name][at]}`
      return `${system.name}, seed ${SEED}, step ${step}: ${name} ${at} is ${values}`
    }
  }
  return ''
}

/** Bodies far apart round a heavy root; `height` 0 keeps all of them and their poles in a plane. */
function randomSystem(
  random: () => number,
  count: number,
  oblate: number,
  height: number,
): { system: StarSystem; state: MassiveState } {
  const spread = (size: number): number => size * (2 * random() - 1)
  const last = count - oblate
  const bodies = Array.from({ length: count }, (_, i) => {
    const gm = i === 0 ? 1e20 : 10 ** (17 * random())
    const body = { name: `Body ${i}`, parent: i === 0 ? -1 : 0, gm, radius: 1e6 }
    // Oblate ones from the last back, then the root: spheres come before them in the catalog.
    if (i < last || oblate === 0) return body
    const j4 = random() < 0.5 ? { j4: spread(1e-3) } : {}
    const tilt = height * spread(0.6)
    const pole = [tilt, 0.6 * height, Math.sqrt(1 - tilt * tilt - 0.36 * height)] as const
    return { ...body, oblateness: { referenceRadius: 1e9, j2: random() / 10, ...j4, pole } }
  })
  const state = createMassiveState(count)
  for (let i = 0; i < 3 * count; i++) {
    const scale = i % 3 === 2 ? height : 1
    state.x[i] = scale * spread(1e12)
    state.v[i] = scale * spread(1e4)
    state.xLow[i] = scale * spread(1e-5)
  }
  const name = `${count} bodies, ${oblate} oblate`
  return { system: { id: 'random', name, position: [0, 0, 0], bodies }, state }
}
