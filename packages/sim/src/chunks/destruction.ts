import { CHUNK_SLOTS } from '../lattice.ts'
import type { Flight } from '../ships/flight.ts'
import { FLYING } from '../state/condition.ts'
import { noteEvent } from '../state/events.ts'
import { changeShip } from './chunk.ts'
import { remakeSteps } from './next-step.ts'
import { commitSteps, returnToSpawnOrbit } from './step-end.ts'

/** Puts a flying ship back on its spawn orbit at a published index, as one that hit a body. */
export function destroyShip(flight: Flight, slot: number, n: number): void {
  if (flight.state.ships.condition[slot] !== FLYING) return
  changeShip(flight, slot, n, () => startAgain(flight, slot, n))
}

/**
 * The same within a tick, between two rounds: the ship arrives at n, where its chunk flies on.
 *
 * @param n  lattice index after the one that its chunk has flown to
 */
export function destroyInFlight(flight: Flight, slot: number, n: number): void {
  const { chunk: chunks, ships } = flight.state
  // At the ground it is destroyed in any case.
  if (ships.condition[slot] !== FLYING || ships.impactAt[slot] <= n) return
  flight.due[0] = slot
  if (ships.stepEnd[slot] > n) remakeSteps(flight, 1, n)
  flight.due[0] = slot
  commitSteps(flight, 1, n)
  if (ships.condition[slot] !== FLYING) return
  startAgain(flight, slot, n)
  const chunk = Math.floor(slot / CHUNK_SLOTS)
  chunks.chunkDue[chunk] = Math.min(chunks.chunkDue[chunk], n)
}

function startAgain(flight: Flight, slot: number, n: number): void {
  const { state } = flight
  noteEvent(state, 'destroyed', slot, n, state.ships.reference[slot])
  returnToSpawnOrbit(flight, slot, n)
}
