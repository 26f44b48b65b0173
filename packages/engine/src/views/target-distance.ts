import { bodyState, createStateVector } from '@orrery/sim'
import type { OpenManeuver } from '../world/maneuver.ts'
import { railView } from '../world/placement.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import { loadRelative, relative } from './ship-place.ts'

const center = createStateVector()

/**
 * Distance between the centres of a ship and of what its maneuver is directed at, at the published
 * index plus `offset` quanta [m]; null without a target, or when that is gone.
 */
export function targetDistance(
  world: World,
  { slot }: RosterEntry,
  maneuver: OpenManeuver,
  offset: number,
): number | null {
  const target = targetPlace(world, maneuver, offset)
  if (!target) return null
  const [x, y, z] = shipPlace(world, slot, offset)
  return Math.hypot(target[0] - x, target[1] - y, target[2] - z)
}

type Place = readonly [number, number, number]

/** From the system's barycentre [m]. */
function targetPlace(
  world: World,
  { body, order: flown, targetId }: OpenManeuver,
  offset: number,
): Place | undefined {
  const { jumpgates, railed, roster, state, stations } = world
  const target = flown?.body ?? body
  if (target !== undefined) {
    bodyState(center, state.ephemeris, target, -1, world.index, offset)
    return [center.r[0], center.r[1], center.r[2]]
  }
  if (targetId === null) return undefined
  const object = stations.get(targetId) ?? jumpgates.get(targetId) ?? railed.get(targetId)
  if (object) return railView(world, object, offset).position
  const ship = roster.byId.get(targetId)
  return ship && shipPlace(world, ship.slot, offset)
}

function shipPlace(world: World, slot: number, offset: number): Place {
  const { state, index } = world
  loadRelative(world, slot, offset)
  bodyState(center, state.ephemeris, state.ships.reference[slot], -1, index, offset)
  return [relative.r[0] + center.r[0], relative.r[1] + center.r[1], relative.r[2] + center.r[2]]
}
