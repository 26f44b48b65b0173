import { settle } from '../attitude/pointing.ts'
import { copyQuaternion } from '../attitude/quaternion.ts'
import { bodyState } from '../ephemeris/ephemeris.ts'
import { addExactly } from '../math/compensated.ts'
import { acceleration } from './field.ts'
import { FROZEN, type Flight, fieldOf, systemOf } from './flight.ts'
import { placeOnSpawnOrbit } from './spawn.ts'
import { ENTER_FRACTION, LEAVE_FRACTION } from './sphere-of-influence.ts'
import { LOCKED, TURNING } from './step.ts'

/** Makes the end of a ship's step its new start, and settles what happens only at step ends. */
export function commitStep(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships } = flight.state
  if (!isFinite3(ships.endPosition, slot) || !isFinite3(ships.endVelocity, slot)) {
    ships.condition[slot] = FROZEN
    return
  }
  if (touchesGround(flight, chunk, slot)) returnToSpawnOrbit(flight, chunk, slot, n)
  else changeReference(flight, chunk, slot, n)
  const { attitude, endAttitude, wheelMomentum, endWheelMomentum } = ships
  for (let i = 3 * slot; i < 3 * slot + 3; i++) {
    ships.position[i] = ships.endPosition[i]
    ships.velocity[i] = ships.endVelocity[i]
    ships.positionLow[i] = ships.endPositionLow[i]
    ships.velocityLow[i] = ships.endVelocityLow[i]
    ships.gravity[i] = ships.endGravity[i]
    wheelMomentum[i] = endWheelMomentum[i]
  }
  copyQuaternion(attitude, 4 * slot, endAttitude, 4 * slot)
  ships.fuel[slot] = ships.endFuel[slot]
  ships.stepStart[slot] = n
  if (
    ships.attitudeMode[slot] === TURNING &&
    settle(attitude, ships.angularMomentum, wheelMomentum, ships.targetAttitude, slot, flight.ship)
  ) {
    ships.attitudeMode[slot] = LOCKED
  }
}

function touchesGround(flight: Flight, chunk: number, slot: number): boolean {
  const { ships, systems } = flight.state
  const body = systems[systemOf(flight, chunk)].bodies[ships.reference[slot]]
  return length2(ships.endPosition, slot) < body.radius * body.radius
}

function returnToSpawnOrbit(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships, systems } = flight.state
  const system = systemOf(flight, chunk)
  const { home } = flight.territories[system]
  placeOnSpawnOrbit(ships, slot, systems[system].bodies[home], home)
  ships.thrustLevel[slot] = 0
  ships.attitudeMode[slot] = LOCKED
  ships.impacts[slot]++
  freshGravity(flight, chunk, slot, n)
}

/** Moves the origin of a ship's coordinates along the chain of bodies, with hysteresis. */
function changeReference(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships, ephemerides } = flight.state
  const ephemeris = ephemerides[systemOf(flight, chunk)]
  const { spheres } = flight.territories[systemOf(flight, chunk)]
  const { bodies } = ephemeris.system
  const old = ships.reference[slot]
  let next = old
  const leave = LEAVE_FRACTION * spheres[old]
  if (length2(ships.endPosition, slot) > leave * leave) next = bodies[old].parent
  for (let body = 0; body < bodies.length; body++) {
    if (bodies[body].parent !== next || body === old) continue
    bodyState(flight.triple, flight.pair, ephemeris, body, old, n, 0)
    let distance2 = 0
    for (let axis = 0; axis < 3; axis++) {
      const d = ships.endPosition[3 * slot + axis] - flight.triple[axis]
      distance2 += d * d
    }
    const enter = ENTER_FRACTION * spheres[body]
    if (distance2 < enter * enter) {
      next = body
      break
    }
  }
  if (next === old) return
  bodyState(flight.triple, flight.pair, ephemeris, old, next, n, 0)
  shiftOrigin(ships.endPosition, ships.endPositionLow, flight.triple, slot)
  shiftOrigin(ships.endVelocity, ships.endVelocityLow, flight.pair, slot)
  ships.reference[slot] = next
  freshGravity(flight, chunk, slot, n)
}

function shiftOrigin(
  high: Float64Array,
  low: Float64Array,
  shift: Float64Array,
  slot: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    const i = 3 * slot + axis
    addExactly(high, low, i, shift[axis] + low[i])
  }
}

/** Evaluates gravity where a ship's end columns place it, after they were written anew. */
export function freshGravity(flight: Flight, chunk: number, slot: number, n: number): void {
  const { ships } = flight.state
  const field = fieldOf(flight, chunk, ships.reference[slot])
  for (let axis = 0; axis < 3; axis++) flight.point[axis] = ships.endPosition[3 * slot + axis]
  acceleration(flight.triple, field, flight.point, 1, 1, n, 0)
  ships.endGravity.set(flight.triple, 3 * slot)
}

function length2(triples: Float64Array, row: number): number {
  const x = triples[3 * row]
  const y = triples[3 * row + 1]
  const z = triples[3 * row + 2]
  return x * x + y * y + z * z
}

function isFinite3(triples: Float64Array, row: number): boolean {
  const sum = triples[3 * row] + triples[3 * row + 1] + triples[3 * row + 2]
  return sum - sum === 0
}
