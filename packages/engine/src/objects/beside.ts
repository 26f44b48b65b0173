import { FROZEN, SimError, type StateVector, localVertical, shipClassOf } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { loadRelative, relative } from '../views/ship-place.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { type NewShip, enterShip, placeAtHome } from './fleet.ts'

/** A ship begins so far behind the one that it joins [m]. */
const BEHIND_MIN = 1000
const BEHIND_MAX = 5000

const WORDS = 4_294_967_296 // 2^32

/**
 * Puts a new ship behind another at the published index, at its velocity, tank full. About a body
 * the two stay as near: they have the same period.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_WORLD_FULL'; 'ERR_BESIDE' when the other is stopped
 *   for good, or there is a body behind it
 */
export function addShipBeside(world: World, ship: NewShip, other: RosterEntry): RosterEntry {
  if (world.state.ships.condition[other.slot] === FROZEN) {
    throw new EngineError('ERR_BESIDE', `${other.name} has been stopped for good.`)
  }
  try {
    return enterShip(world, ship, (slot) => {
      placeAtHome(world, slot, shipClassOf(world.state, slot).fuelCapacity)
      loadRelative(world, other.slot, 0)
      placeBehind(world, slot, relative, world.state.ships.reference[other.slot])
    })
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    throw new EngineError('ERR_BESIDE', `There is no room behind ${other.name}.`, { cause: error })
  }
}

const attitude = new Float64Array(4)

/**
 * Puts a ship behind a place, at its velocity. How far follows from where on the spawn orbit the
 * ship would have begun.
 *
 * @param reference  body index
 */
export function placeBehind(
  { state: { ships } }: World,
  slot: number,
  { r, v }: StateVector,
  reference: number,
): void {
  const distance = BEHIND_MIN + (BEHIND_MAX - BEHIND_MIN) * (ships.spawnKey[2 * slot] / WORDS)
  const speed = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  const back = speed > 0 ? distance / speed : 0
  localVertical(attitude, r, v)
  for (let axis = 0; axis < 3; axis++) {
    ships.position[3 * slot + axis] = r[axis] - back * v[axis]
    ships.velocity[3 * slot + axis] = v[axis]
  }
  ships.attitude.set(attitude, 4 * slot)
  ships.reference[slot] = reference
}
