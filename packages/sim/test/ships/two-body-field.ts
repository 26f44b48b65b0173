import {
  COURIER,
  type Flight,
  type StarSystem,
  createFlight,
  createIntegration,
  createMassiveState,
  createState,
  extendEphemeris,
  launch,
  stateBytes,
} from '@orrery/sim'

/** Gravitational parameter and radius of the test body: an Earth that is a perfect sphere. */
export const GM = 3.986004418e14
export const RADIUS = 6.371e6

const ALONE: StarSystem = {
  id: 'alone',
  name: 'Alone',
  position: [0, 0, 0],
  bodies: [{ name: 'Globe', parent: -1, gm: GM, radius: RADIUS }],
}

/** A flight around one body that rests at the origin: ships move on exact Kepler orbits. */
export function twoBodyFlight(seconds: number): Flight {
  const nodes = Math.ceil(seconds / 256) + 4
  const size = { ships: 512, nodes }
  const state = createState(new SharedArrayBuffer(stateBytes([ALONE], size)), [ALONE], size)
  extendEphemeris(createIntegration(ALONE, createMassiveState(1)), state.ephemerides[0], nodes - 1)
  return createFlight(state, [{ home: 0, spheres: Float64Array.of(Infinity) }], COURIER)
}

/** Launches a ship with a full tank at index 0, on a given state, its nose along +x. */
export function launchAt(
  flight: Flight,
  slot: number,
  position: readonly number[],
  velocity: readonly number[],
): void {
  const { ships, chunk } = flight.state
  chunk.chunkSystem[Math.floor(slot / 256)] = 0
  ships.endPosition.set(position, 3 * slot)
  ships.endVelocity.set(velocity, 3 * slot)
  ships.endAttitude.set([1, 0, 0, 0], 4 * slot)
  launch(flight, slot, 0)
}

/** Specific orbital energy at the start of a ship's open step. */
export function energyOf(flight: Flight, slot: number): number {
  const { position: r, velocity: v } = flight.state.ships
  const [x, y, z] = r.subarray(3 * slot, 3 * slot + 3)
  const [vx, vy, vz] = v.subarray(3 * slot, 3 * slot + 3)
  return (vx * vx + vy * vy + vz * vz) / 2 - GM / Math.sqrt(x * x + y * y + z * z)
}
