/**
 * Laws of the ground and of broken ships. An impact is reported at the first beat inside a body,
 * and the ship starts again from its spawn orbit; a ship whose numbers break keeps its last good
 * state. Every other ship flies on to the same bits.
 */
import {
  BEAT_QUANTA,
  EVENT_KINDS,
  type Flight,
  FROZEN,
  POINTINGS,
  type ShipEvent,
  TURNING,
  advanceChunk,
  createMassiveState,
  noteEvent,
  spawnKey,
  takeEvents,
  updateChunkDue,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, RADIUS, flightAmong, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SPEED = Math.sqrt(GM / 6.8e6)

function withWitness(): Flight {
  const flight = twoBodyFlight(2048)
  launchAt(flight, 5, [0, 6.8e6, 0], [-SPEED, 0, 10])
  return flight
}

function rowOf(flight: Flight, slot: number): number[] {
  const { position, velocity, fuel } = flight.state.ships
  return [
    ...position.subarray(3 * slot, 3 * slot + 3),
    ...velocity.subarray(3 * slot, 3 * slot + 3),
    fuel[slot],
  ]
}

it('reports the first beat inside, and starts again from the spawn orbit', () => {
  const flight = withWitness()
  const { ships } = flight.state
  ships.spawnKey.set(spawnKey(0, 7), 0)
  ships.shipNumber[0] = 7
  // Straight down from 100 km at 2 km/s: inside after 44 to 45 s under growing pull.
  launchAt(flight, 0, [RADIUS + 1e5, 0, 0], [-2000, 0, 0])
  const fell = fallSeconds(1e5, 2000)
  ships.thrustLevel[0] = 0
  advanceChunk(flight, 0, 64 * 600)
  const { events, lost } = takeEvents(flight.state)
  expect(lost).toBe(0)
  expect(events).toEqual([
    { kind: 'impact', index: BEAT_QUANTA * Math.ceil(fell), shipNumber: 7, distance: 0, body: 0 },
  ])
  const [x, y, z] = rowOf(flight, 0)
  expect(Math.hypot(x, y, z) - RADIUS).toBeGreaterThan(399e3)
  const alone = withWitness()
  advanceChunk(alone, 0, 64 * 600)
  expect(rowOf(flight, 5), 'the witness').toEqual(rowOf(alone, 5))
  expect(takeEvents(flight.state).events, 'reported once').toEqual([])
})

it('reports ground that is reached in the last second of a long step', () => {
  const flight = twoBodyFlight(2048)
  launchAt(flight, 0, [RADIUS + 68e3, 0, 0], [-2000, 0, 0])
  expect(flight.state.ships.stepEnd[0]).toBe(32 * BEAT_QUANTA)
  expect(Math.ceil(fallSeconds(68e3, 2000))).toBe(32)
  advanceChunk(flight, 0, 64 * 60)
  expect(takeEvents(flight.state).events).toMatchObject([{ index: 32 * BEAT_QUANTA }])
})

it('starts again with the engine off, holding its attitude and watching no ship', () => {
  const flight = twoBodyFlight(2048)
  const { ships, sightings } = flight.state
  ships.sighting[0] = 3
  launchAt(flight, 0, [RADIUS + 500, 0, 0], [-100, 0, 0])
  expect(ships.sighting[0], 'at the launch').toBe(-1)
  ships.thrustLevel[0] = 0.5
  ships.attitudeMode[0] = TURNING
  ships.pointing[0] = POINTINGS.indexOf('target')
  ships.sighting[0] = 3
  sightings.sightedAt[3] = -1
  advanceChunk(flight, 0, 64 * 60)
  expect(takeEvents(flight.state).events).toMatchObject([{ kind: 'impact' }])
  expect([ships.thrustLevel[0], ships.attitudeMode[0], ships.pointing[0]]).toEqual([0, 0, 0])
  expect(ships.sighting[0]).toBe(-1)
})

it('lists events by index, ship and kind, each once', () => {
  const { state } = twoBodyFlight(2048)
  state.ships.shipNumber.set([9, 4])
  const noted = [
    ['frozen', 0, 128],
    ['impact', 0, 64],
    ['locked', 1, 64],
    ['impact', 1, 64],
    ['impact', 0, 64],
  ] as const
  for (const [kind, slot, index] of noted) noteEvent(state, kind, slot, index, 0)
  const order = (kind: ShipEvent['kind']): number => EVENT_KINDS.indexOf(kind)
  const four = (['impact', 'locked'] as const).toSorted((a, b) => order(a) - order(b))
  expect(
    takeEvents(state).events.map(({ index, shipNumber, kind }) => [index, shipNumber, kind]),
  ).toEqual([...four.map((kind) => [64, 4, kind]), [64, 9, 'impact'], [128, 9, 'frozen']])
})

it.each([
  [500, 0],
  [2000, 0],
  [4000, 0],
  [4000, 60],
])('reports the first beat inside after a fall of %i m that begins at %i m/s', (height, speed) => {
  const flight = twoBodyFlight(2048)
  launchAt(flight, 0, [RADIUS + height, 0, 0], [-speed, 0, 0])
  advanceChunk(flight, 0, 64 * 60)
  const fell = fallSeconds(height, speed)
  expect(fell).toBeLessThan(30)
  expect(takeEvents(flight.state).events[0].index).toBe(BEAT_QUANTA * Math.ceil(fell))
})

it('names the body that a ship enters, the first of two at one beat', () => {
  const bodies = [-1, 0].map((parent) => ({
    name: `Body ${parent}`,
    parent,
    gm: 1,
    radius: RADIUS,
  }))
  const impacts = (apart: number, r: number[], v: number[]): unknown => {
    const start = createMassiveState(2)
    start.x[3] = apart
    const flight = flightAmong(bodies, start, 2048)
    // It begins again on the far side of the first.
    flight.state.ships.spawnKey.set(spawnKey(0, 2), 0)
    launchAt(flight, 0, r, v)
    advanceChunk(flight, 0, 64 * 600)
    return takeEvents(flight.state).events.map(({ index, body }) => [index / BEAT_QUANTA, body])
  }
  // The second body is behind 0.1 radii of space.
  const across = Math.ceil((0.1 * RADIUS) / 2000)
  expect(impacts(3 * RADIUS, [1.9 * RADIUS, 0, 0], [2000, 0, 0])).toEqual([[across, 1]])
  // Over the middle between the centres the surfaces meet at 0.866 radii.
  const down = Math.ceil((RADIUS * (1 - Math.sqrt(0.75))) / 2000)
  expect(impacts(RADIUS, [RADIUS / 2, RADIUS, 0], [0, -2000, 0])).toEqual([[down, 0]])
})

it('gives the same impact however the flight is cut into ticks', () => {
  const indices = [64 * 600, 1, 37, 640].map((tick) => {
    const flight = twoBodyFlight(2048)
    launchAt(flight, 0, [RADIUS + 2e5, 0, 0], [-800, 6_500, 0])
    const events = []
    for (let n = 0; n <= 64 * 600; n += tick) {
      advanceChunk(flight, 0, n)
      events.push(...takeEvents(flight.state).events)
    }
    return events.map(({ index }) => index)
  })
  expect(indices[0]).toHaveLength(1)
  for (const found of indices) expect(found).toEqual(indices[0])
})

it('refuses a launch inside a body or with a state that is not finite', () => {
  const flight = withWitness()
  const inside = (): void => launchAt(flight, 0, [RADIUS - 1, 0, 0], [0, 1, 0])
  expect(inside).toThrow(expect.objectContaining({ code: 'ERR_SHIP_STATE' }))
  for (const [r, v] of [
    [
      [NaN, 0, 0],
      [0, 1, 0],
    ],
    [
      [7e6, 0, 0],
      [0, Infinity, 0],
    ],
    [
      [Infinity, 0, 0],
      [0, NaN, 0],
    ],
  ]) {
    for (const slot of [0, 7]) {
      expect(() => launchAt(flight, slot, r, v)).toThrow(
        expect.objectContaining({ code: 'ERR_SHIP_STATE' }),
      )
    }
  }
  expect(flight.state.ships.condition[0]).toBe(0)
})

it('freezes a ship whose numbers break, reports it, and flies the others on', () => {
  const breakages: ((flight: Flight) => void)[] = [
    ({ state }) => void (state.ships.velocity[0] = NaN),
    ({ state }) => void (state.ships.position[2] = Infinity),
    ({ state }) => void (state.ships.fuel[0] = NaN),
    ({ state }) => void (state.ships.attitude[1] = NaN),
    ({ state }) => void (state.ships.angularMomentum[1] = Infinity),
  ]
  const alone = withWitness()
  advanceChunk(alone, 0, 64 * 600)
  for (const [i, breakage] of breakages.entries()) {
    const flight = withWitness()
    launchAt(flight, 0, [6.9e6, 0, 0], [0, SPEED, 0])
    flight.state.ships.shipNumber[0] = 3
    advanceChunk(flight, 0, 64 * 100)
    breakage(flight)
    // The open step was made before; the next begins on what broke, as after a stray write.
    flight.state.ships.stepEnd[0] = flight.state.ships.stepStart[0]
    relaunch(flight)
    advanceChunk(flight, 0, 64 * 600)
    expect(flight.state.ships.condition[0], `breakage ${i}`).toBe(FROZEN)
    expect(takeEvents(flight.state).events).toMatchObject([{ kind: 'frozen', shipNumber: 3 }])
    expect(rowOf(flight, 5), `breakage ${i}: the witness`).toEqual(rowOf(alone, 5))
  }
})

/** Makes the ship's step again from its start columns, by a cut at its end. */
function relaunch(flight: Flight): void {
  const { ships, chunk, orders } = flight.state
  const start = ships.stepStart[0]
  ships.stepEnd[0] = start + 64
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  orders.orderIndex[0] = start + 32
  orders.orderSlot[0] = 0
  orders.orderFields[0] = 0
  updateChunkDue(flight, 0, start)
}

/** Seconds to fall through `height` from a downward speed, by the energy integral. */
function fallSeconds(height: number, speed: number): number {
  const steps = 100_000
  const dr = height / steps
  let seconds = 0
  for (let i = 0; i < steps; i++) {
    const r = RADIUS + height - (i + 0.5) * dr
    const gained = 2 * GM * (1 / r - 1 / (RADIUS + height))
    seconds += dr / Math.sqrt(speed * speed + gained)
  }
  return seconds
}
