import type { Flight } from '../ships/flight.ts'
import { IDLE } from '../state/activity.ts'
import { dockShip, isDocked } from '../ships/docked.ts'
import { FLYING } from '../state/condition.ts'
import { PLAN } from '../state/plan.ts'
import { PLAN_DOUBLES } from '../state/plan-size.ts'
import { thrustCutOf } from '../state/class-table.ts'
import type { ShipColumns } from '../state/state.ts'
import { arriveInFlight, changeShip } from './chunk.ts'

/** What each module gives a ship to carry at most [kg]. */
export const PAYLOAD_MAX = 1e9

/** What a game's own rules give a ship. */
export interface Load {
  /** that it carries [kg] */
  readonly payload: number
  /** 0 to 1: part of the thrust of its class that it has, rounded to 1/200; all by default */
  readonly thrust?: number
}

/** Lets a ship carry so much, and thrust so much, from a published index on. */
export function loadShip(flight: Flight, slot: number, n: number, load: Load): void {
  const { ships } = flight.state
  // Where no engine burns, no step depends on either.
  if (ships.thrustLevel[slot] === 0) writeLoad(ships, slot, load)
  else changeShip(flight, slot, n, () => writeLoad(ships, slot, load))
}

/** The same within a tick, see `arriveInFlight`. */
export function loadInFlight(flight: Flight, slot: number, n: number, load: Load): void {
  const { ships } = flight.state
  const burns = ships.condition[slot] === FLYING && ships.thrustLevel[slot] > 0
  if (burns && ships.impactAt[slot] > n) arriveInFlight(flight, slot, n)
  writeLoad(ships, slot, load)
}

/** Gives a ship so much fuel [kg] within a tick, see `arriveInFlight`. */
export function refuelInFlight(flight: Flight, slot: number, n: number, fuel: number): void {
  const { ships } = flight.state
  if (ships.condition[slot] === FLYING) arriveInFlight(flight, slot, n)
  ships.fuel[slot] = fuel
  if (isDocked(ships, slot)) dockShip(flight.state, slot, n)
}

/** Writes what a ship has whose steps do not depend on it: its engine is off. */
export function writeLoad(ships: ShipColumns, slot: number, { payload, thrust = 1 }: Load): void {
  const before = ships.payload[slot]
  ships.payload[slot] = payload
  ships.thrustCut[slot] = thrustCutOf(thrust)
  // What comes aboard is not burnt: the plan reckons what it has spent by mass.
  const aboard = ships.payload[slot] - before
  if (ships.activity[slot] !== IDLE) ships.plan[PLAN_DOUBLES * slot + PLAN.mass] += aboard
}
