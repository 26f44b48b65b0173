import { attitudeQuanta } from '../attitude/attitude-step.ts'
import { BLOCK_QUANTA, CHUNK_SLOTS, boundaryAfter, chunkPhase } from '../lattice.ts'
import { FLYING } from './condition.ts'
import { type Flight, fieldOf, surroundingsAt } from './flight.ts'
import { beatAfter, watches } from './sighting.ts'
import { isPowered, makeStep, stepMethod } from './step.ts'
import { POWERED_QUANTA, stepQuanta } from './step-rule.ts'
import { findImpact } from './impact.ts'

/**
 * Begins the next step of each due ship: chooses its length, and makes the steps of like ships
 * together.
 *
 * @param count  entries of `flight.due`, which is used up
 * @param n      lattice index at which they all stand
 */
export function beginSteps(flight: Flight, chunk: number, count: number, n: number): void {
  const { due, lengths, state } = flight
  let left = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (state.ships.condition[slot] !== FLYING) continue
    lengths[slot % CHUNK_SLOTS] = stepLength(flight, chunk, slot, n)
    due[left++] = slot
  }
  while (left > 0) left = stepAlike(flight, chunk, left, n)
}

/** Makes the open step of one ship again, to end at n, and drops what was scheduled behind. */
export function remakeStep(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships } = flight.state
  const start = ships.stepStart[slot]
  flight.stepper.slots[0] = slot
  step(flight, chunk, 1, start, n - start)
  ships.impactAt[slot] = Infinity
  ships.stepEnd[slot] = n
}

function stepLength(flight: Flight, chunk: number, slot: number, n: number): number {
  const { state, ship } = flight
  const { ships } = state
  const around = surroundingsAt(flight, chunk, ships.reference[slot], n)
  const cap = Math.min(
    attitudeQuanta(ships, slot, ship),
    isPowered(ships, slot) ? POWERED_QUANTA : BLOCK_QUANTA,
  )
  const tier = stepQuanta(ships, slot, around, cap)
  const end = boundaryAfter(n, tier, chunkPhase(chunk))
  return (watches(ships, slot) ? Math.min(end, beatAfter(n)) : end) - n
}

/** Steps the first due ship and all that share its field, method and length; returns the rest. */
function stepAlike(flight: Flight, chunk: number, count: number, n: number): number {
  const { state, due, lengths } = flight
  const { ships } = state
  const { slots } = flight.stepper
  const first = due[0]
  const quanta = lengths[first % CHUNK_SLOTS]
  const method = stepMethod(ships, first)
  let alike = 0
  let rest = 0
  for (let i = 0; i < count; i++) {
    const slot = due[i]
    if (
      lengths[slot % CHUNK_SLOTS] === quanta &&
      ships.reference[slot] === ships.reference[first] &&
      stepMethod(ships, slot) === method
    ) {
      slots[alike++] = slot
    } else {
      due[rest++] = slot
    }
  }
  step(flight, chunk, alike, n, quanta)
  for (let i = 0; i < alike; i++) open(flight, chunk, slots[i], n, quanta)
  return rest
}

/** Opens a step that is made: from here on the ship is under way. */
function open(flight: Flight, chunk: number, slot: number, n: number, quanta: number): void {
  const { state, impact } = flight
  const { ships } = state
  findImpact(flight, chunk, slot, n, quanta)
  ships.impactBody[slot] = impact.body
  ships.impactAt[slot] = impact.at
  ships.stepEnd[slot] = n + quanta
}

function step(flight: Flight, chunk: number, count: number, n: number, quanta: number): void {
  const { stepper, state } = flight
  const first = stepper.slots[0]
  const field = fieldOf(flight, chunk, state.ships.reference[first])
  makeStep(stepper, field, stepMethod(state.ships, first), count, n, quanta)
}
