import {
  COURIER,
  type Flight,
  type Oblateness,
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

/** The Earth's oblateness, about an axis in no plane of coordinates. */
export const OBLATENESS: Oblateness = {
  referenceRadius: 6.3781363e6,
  j2: 1.0826359e-3,
  pole: [0.36, 0.48, 0.8],
}

/**
 * A flight around one body that rests at the origin: ships move on exact Kepler orbits, unless
 * the body is oblate.
 */
export function twoBodyFlight(seconds: number, oblateness?: Oblateness): Flight {
  const nodes = Math.ceil(seconds / 256) + 4
  const size = { ships: 512, nodes }
  const globe = { name: 'Globe', parent: -1, gm: GM, radius: RADIUS }
  const alone: StarSystem = {
    id: 'alone',
    name: 'Alone',
    position: [0, 0, 0],
    bodies: [oblateness ? { ...globe, oblateness } : globe],
  }
  const state = createState(new SharedArrayBuffer(stateBytes([alone], size)), [alone], size)
  extendEphemeris(createIntegration(alone, createMassiveState(1)), state.ephemerides[0], nodes - 1)
  return createFlight(state, [{ home: 0, spheres: Float64Array.of(Infinity) }], COURIER)
}

/** Launches a ship, tank full, nose along +x, on a given state; at index 0 by default. */
export function launchAt(
  flight: Flight,
  slot: number,
  position: readonly number[],
  velocity: readonly number[],
  n = 0,
): void {
  const { ships, chunk } = flight.state
  chunk.chunkSystem[Math.floor(slot / 256)] = 0
  ships.position.set(position, 3 * slot)
  ships.velocity.set(velocity, 3 * slot)
  ships.attitude.set([1, 0, 0, 0], 4 * slot)
  ships.fuel[slot] = flight.ship.fuelCapacity
  launch(flight, slot, n)
}
