import { LOCKED, TURNING } from '../attitude/attitude-mode.ts'
import { settleAttitude } from '../attitude/attitude-end.ts'
import { HOLD } from '../attitude/pointing.ts'
import { copyQuaternion } from '../math/quaternion.ts'
import { bodyState } from '../ephemeris/ephemeris.ts'
import { addExactly } from '../math/compensated.ts'
import type { ShipColumns } from '../state/state.ts'
import { FROZEN } from './condition.ts'
import { noteEvent } from './events.ts'
import { accelerationAt, placeBodies } from './field.ts'
import { type Flight, fieldOf, surroundingsAt, systemOf } from './flight.ts'
import { awaitsSighting, extrapolateTarget } from './sighting.ts'
import { placeOnSpawnOrbit } from './spawn.ts'
import { ENTER_FRACTION, LEAVE_FRACTION } from './sphere-of-influence.ts'

/**
 * Copies the state of a ship at index n, where its step ends or it hits the ground, to its start
 * columns. The ship is then due at n: its open step has no length yet.
 *
 * Until the last lines only start columns change, which are not read between a step's ends: a
 * ship whose thread is stopped before can be committed again. The last lines have no call and
 * no loop, and a thread stops nowhere else.
 */
export function commitStep(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships } = flight.state
  if (ships.stepStart[slot] === n) return
  if (ships.impactAt[slot] === n) returnToSpawnOrbit(flight, chunk, slot, n)
  else if (hasSoundEnd(ships, slot)) arrive(flight, chunk, slot, n)
  else freeze(flight, slot, n)
}

function arrive(flight: Flight, chunk: number, slot: number, n: number): void {
  const { state, ship, aim } = flight
  const { ships } = state
  const before = ships.attitudeMode[slot]
  copyEndToStart(ships, slot)
  const reference = nextReference(flight, chunk, slot, n)
  if (reference !== ships.reference[slot]) changeReference(flight, chunk, slot, reference, n)
  const ephemeris = state.ephemerides[systemOf(flight, chunk)]
  extrapolateTarget(aim, state, ephemeris, slot, reference, n)
  // A hull cannot lock on a target before the first sighting.
  const mode = awaitsSighting(ships, state.sightings, slot)
    ? before
    : settleAttitude(ships, ship, slot, aim)
  if (mode !== before && mode !== TURNING) {
    const distance = Math.sqrt(length2(aim, 0))
    noteEvent(state, mode === LOCKED ? 'locked' : 'let_go', slot, n, reference, distance)
  }
  ships.attitudeMode[slot] = mode
  ships.reference[slot] = reference
  ships.stepStart[slot] = n
}

function freeze(flight: Flight, slot: number, n: number): void {
  const { ships } = flight.state
  noteEvent(flight.state, 'frozen', slot, n, ships.reference[slot])
  ships.condition[slot] = FROZEN
}

/**
 * A ship that hits a body starts again on its spawn orbit, engine off, wheels at rest; its fuel
 * stays.
 */
function returnToSpawnOrbit(flight: Flight, chunk: number, slot: number, n: number): void {
  const { state, territories } = flight
  const { ships } = state
  const { home } = territories[systemOf(flight, chunk)]
  noteEvent(state, 'impact', slot, n, ships.impactBody[slot])
  placeOnSpawnOrbit(ships, slot, state.systems[systemOf(flight, chunk)].bodies[home])
  gravityAtStart(flight, chunk, slot, home, n)
  ships.thrustLevel[slot] = 0
  ships.attitudeMode[slot] = LOCKED
  ships.pointing[slot] = HOLD
  ships.sighting[slot] = -1
  ships.reference[slot] = home
  ships.impactAt[slot] = Infinity
  ships.stepEnd[slot] = n
  ships.stepStart[slot] = n
}

function copyEndToStart(ships: ShipColumns, slot: number): void {
  for (let i = 3 * slot; i < 3 * slot + 3; i++) {
    ships.position[i] = ships.endPosition[i]
    ships.velocity[i] = ships.endVelocity[i]
    ships.positionLow[i] = ships.endPositionLow[i]
    ships.velocityLow[i] = ships.endVelocityLow[i]
    ships.gravity[i] = ships.endGravity[i]
    ships.angularMomentum[i] = ships.endAngularMomentum[i]
    ships.wheelMomentum[i] = ships.endWheelMomentum[i]
  }
  copyQuaternion(ships.attitude, 4 * slot, ships.endAttitude, 4 * slot)
  ships.fuel[slot] = ships.endFuel[slot]
}

/** The body a ship's coordinates should be centred on, along the chain of bodies. */
function nextReference(flight: Flight, chunk: number, slot: number, n: number): number {
  const { ships, systems } = flight.state
  const system = systemOf(flight, chunk)
  const { spheres } = flight.territories[system]
  const { bodies } = systems[system]
  const old = ships.reference[slot]
  const leave = LEAVE_FRACTION * spheres[old]
  const next = length2(ships.position, slot) > leave * leave ? bodies[old].parent : old
  const { r } = surroundingsAt(flight, chunk, old, n).bodies
  for (let body = next + 1; body < bodies.length; body++) {
    if (bodies[body].parent !== next || body === old) continue
    let distance2 = 0
    for (let axis = 0; axis < 3; axis++) {
      const d = ships.position[3 * slot + axis] - r[3 * body + axis]
      distance2 += d * d
    }
    const enter = ENTER_FRACTION * spheres[body]
    if (distance2 < enter * enter) return body
  }
  return next
}

/** Moves the origin of the start columns, and of the gravity there, to another body. */
function changeReference(
  flight: Flight,
  chunk: number,
  slot: number,
  next: number,
  n: number,
): void {
  const { ships, ephemerides } = flight.state
  const old = ships.reference[slot]
  bodyState(flight.shift, ephemerides[systemOf(flight, chunk)], old, next, n, 0)
  shiftOrigin(ships.position, ships.positionLow, flight.shift.r, slot)
  shiftOrigin(ships.velocity, ships.velocityLow, flight.shift.v, slot)
  gravityAtStart(flight, chunk, slot, next, n)
}

const shifted = new Float64Array(1)
const shiftedLow = new Float64Array(1)

function shiftOrigin(
  high: Float64Array,
  low: Float32Array,
  shift: Float64Array,
  slot: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    shifted[0] = high[i]
    addExactly(shifted, shiftedLow, 0, shift[axis] + low[i])
    high[i] = shifted[0]
    low[i] = shiftedLow[0]
  }
}

/** Evaluates gravity where a ship's start columns place it, after they were rewritten. */
export function gravityAtStart(
  flight: Flight,
  chunk: number,
  slot: number,
  reference: number,
  n: number,
): void {
  const { ships } = flight.state
  const field = fieldOf(flight, chunk, reference)
  for (let axis = 0; axis < 3; axis++) flight.point[axis] = ships.position[3 * slot + axis]
  const [stage] = flight.stepper.scratch.stages
  placeBodies(stage, field, n, 0)
  accelerationAt(flight.triple, stage, flight.point, flight.kernel)
  for (let axis = 0; axis < 3; axis++) ships.gravity[3 * slot + axis] = flight.triple[axis]
}

function length2(triples: Float64Array, row: number): number {
  const x = triples[3 * row]
  const y = triples[3 * row + 1]
  const z = triples[3 * row + 2]
  return x * x + y * y + z * z
}

/** Whether no number of a step's end is infinite or NaN. */
function hasSoundEnd(ships: ShipColumns, slot: number): boolean {
  const { endPosition, endVelocity, endGravity, endAttitude, endWheelMomentum } = ships
  let sum = ships.endFuel[slot]
  for (let i = 3 * slot; i < 3 * slot + 3; i++) {
    sum += endPosition[i] + endVelocity[i] + endGravity[i] + endWheelMomentum[i]
    sum += ships.endAngularMomentum[i]
  }
  for (let i = 4 * slot; i < 4 * slot + 4; i++) sum += endAttitude[i]
  return sum - sum === 0
}
