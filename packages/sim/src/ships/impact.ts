import { bodyState } from '../ephemeris/ephemeris.ts'
import { BEAT_QUANTA, QUANTA_PER_SECOND, beatAfter } from '../lattice.ts'
import { createStateVector } from '../math/state-vector.ts'
import { dot } from '../math/triple.ts'
import { type Flight, surroundingsAt } from './flight.ts'
import { HULL, endFuelOf, hullAt } from './hull-row.ts'
import { segmentPosition } from './segment.ts'
import { shipClassOf } from '../state/class-table.ts'
import { SURROUNDINGS_DOUBLES } from '../field/ship-kernel.ts'

/**
 * Searches an open step, as made, for the first beat at which the ship is inside a body.
 *
 * Bodies count that the ship could touch within the step: at its start, for one of them, the
 * height above ground is at most 1.2 times what it flies relative to it, by its speed, its thrust
 * and the body's pull at the ground. What begins and ends between two beats did not happen.
 *
 * Writes `flight.impact`.
 *
 * @param start   lattice index of the step's start
 * @param quanta  the step's length
 */
export function findImpact(flight: Flight, slot: number, start: number, quanta: number): void {
  if (beatAfter(start) > start + quanta) return
  const { state } = flight
  const { ships } = state
  const { bodies } = state.system
  const around = surroundingsAt(flight, ships.reference[slot], start)
  const { gm, table } = around
  const { r, v } = around.bodies
  const h = quanta / QUANTA_PER_SECOND
  const at = hullAt(ships, slot) + HULL.force
  const force = at < 0 ? 0 : Math.sqrt(dot(ships.hullStep, at, ships.hullStep, at))
  const mass = at < 0 ? 1 : shipClassOf(state, slot).dryMass + endFuelOf(ships, slot)
  const thrust = force / mass
  const x = ships.position[3 * slot]
  const y = ships.position[3 * slot + 1]
  const z = ships.position[3 * slot + 2]
  for (let body = 0; body < bodies.length; body++) {
    const dx = r[3 * body] - x
    const dy = r[3 * body + 1] - y
    const dz = r[3 * body + 2] - z
    if (dx * dx + dy * dy + dz * dz > table[SURROUNDINGS_DOUBLES * body + 7]) continue
    const { radius } = bodies[body]
    const distance = separation(ships.position, slot, r, body)
    const speed = separation(ships.velocity, slot, v, body)
    const pull = gm[body] / (radius * radius)
    if (distance - radius > REACH * h * (speed + 0.5 * h * (pull + thrust))) continue
    searchBeats(flight, slot, start, quanta, body)
  }
}

const REACH = 1.2

const ground = createStateVector()
const shipR = new Float64Array(3)

function searchBeats(
  flight: Flight,
  slot: number,
  start: number,
  quanta: number,
  body: number,
): void {
  const { impact, state } = flight
  const ship = shipClassOf(state, slot)
  const { ships, ephemeris } = state
  const reference = ships.reference[slot]
  const { radius } = ephemeris.system.bodies[body]
  const last = Math.min(start + quanta, impact.at)
  for (let beat = beatAfter(start); beat <= last; beat += BEAT_QUANTA) {
    bodyState(ground, ephemeris, body, reference, beat, 0)
    segmentPosition(shipR, ships, slot, ship, quanta, beat - start)
    const x = shipR[0] - ground.r[0]
    const y = shipR[1] - ground.r[1]
    const z = shipR[2] - ground.r[2]
    if (x * x + y * y + z * z >= radius * radius) continue
    // Two bodies at one beat: the first of the list.
    if (beat < impact.at) {
      impact.at = beat
      impact.body = body
    }
    return
  }
}

function separation(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[3 * i] - b[3 * j]
  const y = a[3 * i + 1] - b[3 * j + 1]
  const z = a[3 * i + 2] - b[3 * j + 2]
  return Math.sqrt(x * x + y * y + z * z)
}
