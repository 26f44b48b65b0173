import type { World } from '@orrery/engine/testing'
import { writeOrders } from '../../src/world/intake.ts'
import { flyWorlds } from '../../src/flown-universe.ts'
import { completeNear } from '../../src/world/world.ts'
import { callingThread } from '../globe.ts'

/** Flies a world to an index, by the orders that wait, and publishes it there. */
export async function flyTo(world: World, index: number): Promise<void> {
  completeNear(world, index)
  writeOrders(world.intake, world.roster, world.state, index)
  await flyWorlds([world], callingThread(world), index)
  world.index = index
}
