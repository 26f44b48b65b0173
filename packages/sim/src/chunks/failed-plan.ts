import { ENDED_FAILED } from '../state/activity.ts'
import { dropPlan } from '../state/plan.ts'
import type { Flight } from '../ships/flight.ts'
import { changeShip } from './chunk.ts'

/** Ends a ship's plan at a published index as its program does when it fails: engine off. */
export function failPlan(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  changeShip(flight, slot, n, () => {
    ships.thrustLevel[slot] = 0
    ships.fuelFloor[slot] = 0
    ships.maneuverEnd[slot] = ENDED_FAILED
    dropPlan(ships, slot)
  })
}
