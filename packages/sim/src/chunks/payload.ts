import type { Flight } from '../ships/flight.ts'
import { IDLE } from '../state/activity.ts'
import { FLYING } from '../state/condition.ts'
import { PLAN } from '../state/plan.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import type { ShipColumns } from '../state/state.ts'
import { arriveInFlight, changeShip } from './chunk.ts'

/** What each module gives a ship to carry at most [kg]. */
export const PAYLOAD_MAX = 1e9

/** Lets a ship carry so much from a published index on [kg]. */
export function loadShip(flight: Flight, slot: number, n: number, payload: number): void {
  const { ships } = flight.state
  // Where no engine burns, no step depends on the mass.
  if (ships.thrustLevel[slot] === 0) writePayload(ships, slot, payload)
  else changeShip(flight, slot, n, () => writePayload(ships, slot, payload))
}

/** The same within a tick, see `arriveInFlight`. */
export function loadInFlight(flight: Flight, slot: number, n: number, payload: number): void {
  const { ships } = flight.state
  const burns = ships.condition[slot] === FLYING && ships.thrustLevel[slot] > 0
  if (burns && ships.impactAt[slot] > n) arriveInFlight(flight, slot, n)
  writePayload(ships, slot, payload)
}

function writePayload(ships: ShipColumns, slot: number, payload: number): void {
  const before = ships.payload[slot]
  ships.payload[slot] = payload
  // What comes aboard is not burnt: the plan reckons what it has spent by mass.
  const aboard = ships.payload[slot] - before
  if (ships.activity[slot] !== IDLE) ships.plan[PLAN_DOUBLES * slot + PLAN.mass] += aboard
}
