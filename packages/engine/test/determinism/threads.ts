/** Flies courses in Node: on real worker threads, or on the calling one. */
import { checkpointsUrl, parseCheckpoints } from '@orrery/catalog'
import { readFile } from 'node:fs/promises'
import { createPool } from '../../src/pool/pool.ts'
import type { SystemSetup, World } from '../../src/world/world.ts'
import type { Flier } from './flight.ts'
import { catalogSystems } from '../catalog-systems.ts'
import { SLOTS, START_INDEX, scriptedSystem } from './script.ts'

export const solarSystem: SystemSetup = scriptedSystem(
  parseCheckpoints(await readFile(checkpointsUrl)),
)

/** Every system of the catalog but the solar one. */
export const otherSystems: readonly SystemSetup[] = catalogSystems(START_INDEX).filter(
  ({ system }) => system.id !== solarSystem.system.id,
)

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
