import { CHUNK_SLOTS } from '../lattice.ts'
import { TURN_PARTS } from '../math/circle.ts'
import { createStateVector } from '../math/state-vector.ts'
import {
  type EquatorialOrbit,
  equatorialMotion,
  orbitAngle,
  orbitPoint,
  turnRate,
} from '../rails/equatorial-orbit.ts'
import { localVertical } from '../rails/local-vertical.ts'
import { equatorialPole } from '../rails/rail.ts'
import { lowestOrbit } from '../rails/rail-table.ts'
import { digest } from '../state/digest.ts'
import type { WorldState } from '../state/state.ts'

/** Height of the spawn orbit of a body without a station, in radii of the body. */
const HEIGHT = 0.066 // 420 km over Earth

/** Nothing spawns at a station below this, in radii of the body. */
const HEIGHT_MIN = 0.01

/** Ships begin at most so far above the station's orbit, in radii of the body. */
const HEIGHT_SPAN = 0.0008 // 5 km over Earth

/** The share of the orbit that is free of new ships on either side of the station. */
const CLEARANCE = 0.0025 // 106 km over Earth

const WORDS = 4_294_967_296 // 2^32

/** A word of a world's seed, which turns the places where ships begin. */
export function spawnSeed(worldSeed: string): number {
  return digest(['spawn', worldSeed])[0]
}

/**
 * Where a ship begins, in 2^-32: how far along the orbit, ahead of the station, and how far above
 * it. The first 2^k ships are evenly spread along it; the first 256 have one height.
 *
 * @param seed    see `spawnSeed`
 * @param number  ship number, from 1
 * @source van der Corput, Verteilungsfunktionen, 1935: the digits of a number reversed
 */
export function spawnKey(seed: number, number: number): [number, number] {
  const before = number - 1
  let along = 0
  for (let bit = 0; bit < 32; bit++) along = (along << 1) | ((before >>> bit) & 1)
  const layer = Math.floor(before / CHUNK_SLOTS)
  // Multiples of the golden ratio.
  return [(along ^ seed) >>> 0, Math.imul(layer, 0x9e3779b9) >>> 0]
}

const motion = createStateVector()
const attitude = new Float64Array(4)

/**
 * Puts a ship on its spawn orbit: in the plane of the body's lowest station, spread along its
 * orbit, nose along the motion, belly to the ground, wheels at rest; in an equatorial orbit where
 * there is no station. Writes the start columns of state vector and attitude; the ship's reference
 * is the caller's to change.
 *
 * @param body  index of the body to circle
 * @param n     lattice index
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when a body without a pole has no known orbit at n
 */
export function placeOnSpawnOrbit(state: WorldState, slot: number, body: number, n: number): void {
  const { ships, system } = state
  const { radius } = system.bodies[body]
  const orbit =
    lowestOrbit(state.rails, body, (1 + HEIGHT_MIN) * radius) ?? bareOrbit(state, body, n)
  const share = CLEARANCE + (1 - 2 * CLEARANCE) * (ships.spawnKey[2 * slot] / WORDS)
  const height = HEIGHT_SPAN * radius * (ships.spawnKey[2 * slot + 1] / WORDS)
  const own = height > 0 ? circleOf(state, body, orbit.pole, orbit.radius + height) : orbit
  orbitPoint(motion, own, (orbitAngle(orbit, n) + share * TURN_PARTS) % TURN_PARTS)
  localVertical(attitude, motion.r, motion.v)
  ships.position.set(motion.r, 3 * slot)
  ships.velocity.set(motion.v, 3 * slot)
  ships.attitude.set(attitude, 4 * slot)
  ships.positionLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.velocityLow.fill(0, 3 * slot, 3 * slot + 3)
  ships.angularMomentum.fill(0, 3 * slot, 3 * slot + 3)
  ships.wheelMomentum.fill(0, 3 * slot, 3 * slot + 3)
}

function bareOrbit(state: WorldState, body: number, n: number): EquatorialOrbit {
  const pole = equatorialPole(state.ephemeris, body, n)
  return circleOf(state, body, pole, (1 + HEIGHT) * state.system.bodies[body].radius)
}

function circleOf(
  { system }: WorldState,
  body: number,
  pole: EquatorialOrbit['pole'],
  radius: number,
): EquatorialOrbit {
  const rate = turnRate(equatorialMotion(system.bodies[body], radius))
  return { kind: 'orbit', parent: body, radius, pole, rate, epoch: 0 }
}
