/** Flies courses in Node: on real worker threads, or on the calling one. */
import {
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
} from '@orrery/catalog'
import { startNode } from '@orrery/engine'
import { spheresOfInfluence } from '@orrery/sim'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createPool } from '../../src/pool/pool.ts'
import type { SystemSetup, World } from '../../src/world/world.ts'
import type { Flier } from './flight.ts'
import { type Kernels, SLOTS, START_INDEX, scriptedSystem } from './script.ts'

export const wasmKernels: Kernels = {
  kernel: await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
  massiveKernel: await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm'))),
}

export const solarSystem: SystemSetup = scriptedSystem(
  parseCheckpoints(await readFile(checkpointsUrl)),
)

/** Every system of the catalog but the solar one. */
export const otherSystems: readonly SystemSetup[] = STAR_SYSTEMS.filter(
  ({ system }) => system.id !== solarSystem.system.id,
).map(({ system, home, startState, checkpointsUrl }) => ({
  system,
  territory: { home, spheres: spheresOfInfluence(system, startState()) },
  start: checkpointAtOrBefore(
    parseCheckpoints(readFileSync(checkpointsUrl)),
    startNode(START_INDEX),
  ),
}))

/** A pool whose every failure is one of the flight. */
export function threads(workers: number): (worlds: readonly World[]) => Flier {
  return (worlds) => {
    const failures: unknown[] = []
    const universe = { worlds, shipsMax: SLOTS }
    const pool = createPool(universe, workers, (error) => failures.push(error))
    return {
      async advance(rounds) {
        await pool.advance(rounds)
        if (failures.length > 0) throw new Error('A worker failed.', { cause: failures[0] })
      },
      close: () => pool.close(),
    }
  }
}
