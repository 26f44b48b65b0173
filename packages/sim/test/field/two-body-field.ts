import {
  type Body,
  type Flight,
  type MassiveState,
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
  const globe = { name: 'Globe', parent: -1, gm: GM, radius: RADIUS }
  return flightAmong(
    [oblateness ? { ...globe, oblateness } : globe],
    createMassiveState(1),
    seconds,
  )
}

/** A flight among some bodies, whose ships always keep the first one as reference. */
export function flightAmong(bodies: readonly Body[], start: MassiveState, seconds: number): Flight {
  const nodes = Math.ceil(seconds / 256) + 4
  const size = { ships: 512, nodes }
  const system: StarSystem = { id: 'test', name: 'Test', position: [0, 0, 0], bodies }
  const state = createState(new SharedArrayBuffer(stateBytes(system, size)), system, size)
  extendEphemeris(createIntegration(system, start), state.ephemeris, nodes - 1)
  const spheres = Float64Array.from(bodies, (_, i) => (i === 0 ? Infinity : 0))
  return createFlight(state, { home: 0, spheres })
}

/** Launches a ship, tank full, nose along +x, on a given state; at index 0 by default. */
export function launchAt(
  flight: Flight,
  slot: number,
  position: readonly number[],
  velocity: readonly number[],
  n = 0,
): void {
  const { ships } = flight.state
  ships.position.set(position, 3 * slot)
  ships.velocity.set(velocity, 3 * slot)
  ships.attitude.set([1, 0, 0, 0], 4 * slot)
  ships.fuel[slot] = flight.state.classes[0].fuelCapacity
  launch(flight, slot, n)
}
