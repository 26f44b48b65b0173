/** Flies courses in Node: on real worker threads, or on the calling one. */
import { checkpointsUrl, parseCheckpoints } from '@orrery/catalog'
import { readFile } from 'node:fs/promises'
import { createPool } from '../../src/pool/pool.ts'
import type { SystemSetup, World } from '../../src/world/world.ts'
import type { Flier } from './flight.ts'
import { type Kernels, scriptedSystem } from './script.ts'

export const wasmKernels: Kernels = {
  kernel: await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
  massiveKernel: await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm'))),
}

export const solarSystem: SystemSetup = scriptedSystem(
  parseCheckpoints(await readFile(checkpointsUrl)),
)

/** A pool whose every failure is one of the flight. */
export function threads(workers: number): (world: World) => Flier {
  return (world) => {
    const failures: unknown[] = []
    const pool = createPool(world, workers, (error) => failures.push(error))
    return {
      async advance(target, meetingOnly) {
        await pool.advance(target, meetingOnly)
        if (failures.length > 0) throw new Error('A worker failed.', { cause: failures[0] })
      },
      close: () => pool.close(),
    }
  }
}
