import { setImmediate } from 'node:timers/promises'
import type { Universe, UniverseSetup } from './universe.ts'
import { extendNear, layOutWorld } from './world.ts'

/**
 * Makes a universe as `createUniverse` does, some milliseconds at a time: this thread goes on with
 * its other work meanwhile.
 *
 * @throws as `createUniverse`
 */
export async function createUniverseInSlices({
  systems,
  ...setup
}: UniverseSetup): Promise<Universe> {
  const worlds = systems.map((system) => layOutWorld({ ...setup, system }))
  for (const world of worlds) while (extendNear(world)) await setImmediate()
  return { worlds, shipsMax: setup.shipsMax }
}
