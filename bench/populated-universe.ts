/** The real solar system with ships on their spawn orbits, and engines that fly it. */
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  Engine,
  type Pool,
  type Universe,
  addShips,
  createGameClock,
  createPool,
  createUniverse,
  startNode,
  systemClock,
} from '@orrery/engine/testing'
import type { GameModules } from '@orrery/engine/modules'
import { latticeFromUtc, spheresOfInfluence } from '@orrery/sim'
import { readFile } from 'node:fs/promises'

/** Ships on their spawn orbits in the real solar system, now. */
export async function populatedUniverse(
  ships: number,
  idOf?: (i: number) => string,
  utcMs?: number,
): Promise<Universe> {
  const universe = await emptyUniverse(ships, utcMs)
  enterShips(universe, ships, idOf)
  return universe
}

/** The same before the ships have come. */
export async function emptyUniverse(
  shipsMax: number,
  utcMs: number = Date.now(),
  modules?: GameModules,
): Promise<Universe> {
  const index = latticeFromUtc(utcMs)
  const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
  const territory = {
    home: bodyIndex(solSystem, 'Earth'),
    spheres: spheresOfInfluence(solSystem, solStateJ2000()),
  }
  const start = checkpointAtOrBefore(checkpoints, startNode(index))
  return createUniverse({
    systems: [{ system: solSystem, territory, start }],
    index,
    seed: 'bench',
    shipsMax,
    modules,
    kernel: await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
    massiveKernel: await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm'))),
  })
}

/** A list of all of them would hold the memory that a bench reads. */
const ADDED_AT_ONCE = 16_384

/** Puts new ships on their spawn orbits. */
export function enterShips(
  { worlds: [world] }: Universe,
  ships: number,
  idOf: (i: number) => string = (i) => `ship-${i}`,
): void {
  for (let from = 0; from < ships; from += ADDED_AT_ONCE) {
    const length = Math.min(ADDED_AT_ONCE, ships - from)
    addShips(
      world,
      Array.from({ length }, (_, i) => ({ shipId: idOf(from + i), name: `Ship ${from + i}` })),
    )
  }
}

/** Threads of a bench, whose faults end it. */
export function poolOf(universe: Universe, workers: number = 2): Pool {
  return createPool(universe, workers, fail)
}

/** An engine at 10 Hz and scale 1, whose faults end the bench; the options differ from that. */
export function engineOf(
  universe: Universe,
  options: Partial<ConstructorParameters<typeof Engine>[0]> = {},
): Engine {
  return new Engine({
    universe,
    pool: options.pool ?? poolOf(universe),
    clock: systemClock,
    gameClock: createGameClock(universe.worlds[0].index),
    tick: 0,
    tickRate: 10,
    timeScale: 1,
    paused: false,
    onPublish: () => undefined,
    onFault: fail,
    ...options,
  })
}

function fail(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error))
}
