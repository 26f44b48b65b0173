/** The catalog's star systems as worlds begin with them, and the kernels that fly them fast. */
import { STAR_SYSTEMS, checkpointAtOrBefore, parseCheckpoints } from '@orrery/catalog'
import { type SystemSetup, startNode } from '@orrery/engine/testing'
import { NODE_QUANTA, spheresOfInfluence } from '@orrery/sim'
import { readFileSync } from 'node:fs'

/** In 2030, at no beat. */
export const CATALOG_INDEX: number = 8192 * 451 * NODE_QUANTA + 777

/** Of all systems from a lattice index on. */
export function catalogSystems(index: number = CATALOG_INDEX): SystemSetup[] {
  return STAR_SYSTEMS.map(({ system, home, startState, checkpointsUrl }) => ({
    system,
    territory: { home, spheres: spheresOfInfluence(system, startState()) },
    start: checkpointAtOrBefore(parseCheckpoints(readFileSync(checkpointsUrl)), startNode(index)),
  }))
}

const file = (url: string): Uint8Array => readFileSync(new URL(url))

/** Both kernels in WebAssembly, by the names that a world's setup has for them. */
export const wasmKernels: { readonly kernel: Uint8Array; readonly massiveKernel: Uint8Array } = {
  kernel: file(import.meta.resolve('@orrery/sim/kernel.wasm')),
  massiveKernel: file(import.meta.resolve('@orrery/sim/massive.wasm')),
}
