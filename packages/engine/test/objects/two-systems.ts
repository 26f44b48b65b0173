import {
  type SystemDigest,
  type Universe,
  addShip,
  type UniverseImage,
  createGameClock,
  createUniverse,
  executeCommand,
  universeImage,
} from '@orrery/engine/testing'
import { expect } from 'vitest'
import { acceptControl, writeOrders } from '../../src/world/intake.ts'
import { flyWorlds } from '../../src/flown-universe.ts'
import { completeNear } from '../../src/world/world.ts'
import { pair } from '../busy-world.ts'
import { START_INDEX, callingThread, globe } from '../globe.ts'

const QUANTA_PER_TICK = 640

/** The systems 'alone' and 'pair', without ships. */
export function twoSystems(shipsMax = 1024): Universe {
  const systems = [globe(), pair()]
  return createUniverse({ systems, index: START_INDEX, seed: 'two', shipsMax })
}

/** Nine ships in the first system, and three in the second. */
export function livelySystems(): Universe {
  const universe = twoSystems()
  for (let i = 0; i < 12; i++) {
    addShip(universe.worlds[i % 4 === 3 ? 1 : 0], `ship-${i}`, `Ship ${i}`)
  }
  return universe
}

/** All that is stored of a universe. The buffers of its worlds are hundreds of megabytes. */
export function imageOf(universe: Universe): UniverseImage {
  return universeImage(universe, createGameClock(universe.worlds[0].index), 0)
}

/** Flies ticks; every ship is steered by its number and the index alone. */
export async function flySteered({ worlds }: Universe, ticks: number): Promise<SystemDigest[]> {
  const digests: SystemDigest[] = []
  for (let i = 0; i < ticks; i++) {
    for (const { index, intake, roster } of worlds) {
      for (const entry of roster.byId.values()) {
        const roll = (entry.number * 31 + index / QUANTA_PER_TICK) % 7
        const control = { thrustLevel: (roll % 3) / 10, attitude: [1, roll, 2, 0.5] as const }
        acceptControl(intake, entry, control, index + 8 * roll, index)
      }
    }
    digests.push(...(await coast({ worlds }, QUANTA_PER_TICK)))
  }
  return digests
}

/** Flies one tick, by the commands that wait. */
export async function coast(
  { worlds }: Pick<Universe, 'worlds'>,
  quanta: number,
): Promise<SystemDigest[]> {
  const digests: SystemDigest[] = []
  const target = worlds[0].index + quanta
  for (const world of worlds) {
    completeNear(world, target)
    writeOrders(world.intake, world.roster, world.state, target)
  }
  await flyWorlds(worlds, callingThread(...worlds), target, (digest) => digests.push(digest))
  for (const world of worlds) world.index = target
  return digests
}

export function transfer(universe: Universe, shipId: string, systemId: string): void {
  executeCommand(universe, { kind: 'transfer_ship', shipId, systemId })
}

export const codeOf = (code: string): Error => expect.objectContaining({ code })
