// Goal: in the field of the whole solar system, too, what is shown between a step's ends is the
// integration: within 1 mm, or 2e-11 of the distance to the reference body if that is more.
// Method: one revolution of a low orbit of the Earth, the Moon and Io, and six hours between
// Earth and Mars; at each place a copy of the ship is cut by an order that changes nothing else.
import { bodyIndex, solStateJ2000, solSystem } from '@orrery/catalog'
import {
  COURIER,
  EMPTY,
  SHIP_COLUMNS,
  type Flight,
  advanceChunk,
  createFlight,
  createIntegration,
  createState,
  createStateVector,
  extendEphemeris,
  launch,
  segmentState,
  spheresOfInfluence,
  stateBytes,
  updateChunkDue,
} from '@orrery/sim'
import { expect, test } from 'vitest'

/** Places within a step, as fractions. */
const PLACES = [1 / 8, 1 / 4, 1 / 2, 3 / 4, 7 / 8]

/** Slot of the copy; the ship itself is at 0. */
const COPY = 1

const NODES = 96

test.each([
  { reference: 'Earth', distance: 6.778e6, seconds: 5600, steps: 170 },
  { reference: 'Moon', distance: 1.8374e6, seconds: 7100, steps: 220 },
  { reference: 'Io', distance: 2.0215e6, seconds: 7400, steps: 220 },
  { reference: 'Sun', distance: 1.9e11, seconds: 21_600, steps: 330 },
])('a ship about $reference is shown where it is integrated', (orbit) => {
  const flight = solFlight()
  launchInCircle(flight, bodyIndex(solSystem, orbit.reference), orbit.distance)
  const { ships } = flight.state
  let steps = 0
  let worst = 0
  while (ships.stepEnd[0] <= orbit.seconds * 64) {
    advanceChunk(flight, 0, ships.stepEnd[0])
    steps++
    for (const place of PLACES) worst = Math.max(worst, missAt(flight, place))
  }
  expect(steps).toBeGreaterThan(orbit.steps)
  expect(worst).toBeLessThan(Math.max(1e-3, 2e-11 * orbit.distance))
  expect(worst).toBeGreaterThan(0)
})

function solFlight(): Flight {
  const size = { ships: 256, nodes: NODES }
  const start = solStateJ2000()
  const state = createState(new SharedArrayBuffer(stateBytes(solSystem, size)), solSystem, size)
  extendEphemeris(createIntegration(solSystem, start), state.ephemeris, NODES - 1)
  const spheres = spheresOfInfluence(solSystem, start)
  return createFlight(state, { home: bodyIndex(solSystem, 'Earth'), spheres })
}

/** Launches a ship at J2000 on a circle that is inclined to everything. */
function launchInCircle(flight: Flight, reference: number, distance: number): void {
  const { ships } = flight.state
  const speed = Math.sqrt(solSystem.bodies[reference].gm / distance)
  ships.reference[0] = reference
  ships.position.set([0.8 * distance, -0.6 * distance, 0])
  ships.velocity.set([0.36 * speed, 0.48 * speed, 0.8 * speed])
  ships.attitude.set([1, 0, 0, 0])
  ships.fuel[0] = COURIER.fuelCapacity
  launch(flight, 0, 0)
}

const shown = createStateVector()

/** Distance between segment and integration near a fraction of the open step [m]. */
function missAt(flight: Flight, fraction: number): number {
  const { ships, chunk, orders } = flight.state
  const start = ships.stepStart[0]
  const n = start + Math.round(fraction * (ships.stepEnd[0] - start))
  segmentState(shown, ships, 0, COURIER, n, 0)
  for (const { name, components } of SHIP_COLUMNS) {
    ships[name].copyWithin(COPY * components, 0, components)
  }
  orders.orderIndex[0] = n
  orders.orderSlot[0] = COPY
  orders.orderFields[0] = 0
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  advanceChunk(flight, 0, n)
  expect(ships.stepStart[COPY]).toBe(n)
  ships.condition[COPY] = EMPTY
  updateChunkDue(flight, 0, n)
  return Math.hypot(...shown.r.map((x, axis) => x - ships.position[3 * COPY + axis]))
}
