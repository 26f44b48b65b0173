import type { Flight } from '../ships/flight.ts'
import { FLYING } from '../state/condition.ts'
import { noteEvent } from '../state/events.ts'
import { arriveInFlight, changeShip } from './chunk.ts'
import { returnToSpawnOrbit } from './step-end.ts'

/** Puts a flying ship back on its spawn orbit at a published index, as one that hit a body. */
export function destroyShip(flight: Flight, slot: number, n: number): void {
  if (flight.state.ships.condition[slot] !== FLYING) return
  changeShip(flight, slot, n, () => startAgain(flight, slot, n))
}

/**
 * The same within a tick, see `arriveInFlight`.
 *
 * @param n  lattice index after the one that its chunk has flown to
 */
export function destroyInFlight(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  // At the ground it is destroyed in any case.
  if (ships.condition[slot] !== FLYING || ships.impactAt[slot] <= n) return
  arriveInFlight(flight, slot, n)
  if (ships.condition[slot] === FLYING) startAgain(flight, slot, n)
}

function startAgain(flight: Flight, slot: number, n: number): void {
  const { state } = flight
  noteEvent(state, 'destroyed', slot, n, state.ships.reference[slot])
  returnToSpawnOrbit(flight, slot, n)
}
