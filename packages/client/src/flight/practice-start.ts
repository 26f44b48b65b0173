import type { RailedObject } from '@orrery/protocol'
import {
  HULL_POINTINGS,
  LOCKED,
  createStateVector,
  dropPlan,
  launch,
  localVertical,
  placeOnSpawnOrbit,
  railState,
  shipClassOf,
} from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { ShipStage } from '../pilot/ship-stage.ts'

/** Where a practice begins: where ships of the star system do, or behind a station of it. */
export type PracticeStart = 'low_orbit' | { readonly stationId: string }

/** Behind a station [m]. */
const BEHIND = 1500

const HOLD = HULL_POINTINGS.indexOf('hold')

const place = createStateVector()
const attitude = new Float64Array(4)

/**
 * Puts a ship elsewhere: engine off, tanks full, without rules.
 *
 * @throws {ClientError} 'practice' where it cannot be
 */
export function beginAt(
  { index, slot, stage }: ShipStage,
  objects: readonly RailedObject[],
  start: PracticeStart,
): void {
  const { flight, state } = stage
  const { ships } = state
  const { home } = flight.territory
  const station =
    start === 'low_orbit' ? undefined : objects.find(({ id }) => id === start.stationId)
  if (start !== 'low_orbit' && !station) {
    throw new ClientError('practice', 'That station is not in this star system')
  }
  dropPlan(ships, slot)
  placeOnSpawnOrbit(state, slot, home, index)
  if (station) {
    railState(place, state.ephemeris, station.rail, index, 0)
    const back = BEHIND / Math.hypot(...place.v)
    for (let axis = 0; axis < 3; axis++) place.r[axis] -= back * place.v[axis]
    localVertical(attitude, place.r, place.v)
    ships.position.set(place.r, 3 * slot)
    ships.velocity.set(place.v, 3 * slot)
    ships.attitude.set(attitude, 4 * slot)
  }
  ships.reference[slot] = station ? station.rail.parent : home
  ships.fuel[slot] = shipClassOf(state, slot).fuelCapacity
  ships.thrustLevel[slot] = ships.fuelFloor[slot] = ships.ruleCount[slot] = 0
  ships.attitudeMode[slot] = LOCKED
  ships.pointing[slot] = HOLD
  launch(flight, slot, index)
}
