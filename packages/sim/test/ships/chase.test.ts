/**
 * Laws of ships that see each other: a watcher's sighting is the target's state at the last
 * beat, to the bit; a hull locks only after a sighting; and two ships that chase each
 * other fly the same bits however time is cut into ticks.
 */
import {
  BEAT_QUANTA,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  TURNING,
  type Flight,
  type RoundsOf,
  type ShipEvent,
  type WorldDigest,
  createIntegration,
  createMassiveState,
  createStateVector,
  flyTo,
  segmentState,
  takeEvents,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SECONDS = 320
const END = 64 * SECONDS
const TARGET = POINTINGS.indexOf('target')

interface Chase {
  readonly flight: Flight
  readonly world: RoundsOf
  readonly digests: WorldDigest[]
}

/** Three ships in two chunks; the first two chase each other from 2 s on, the third coasts. */
function chase(): Chase {
  const flight = twoBodyFlight(SECONDS + 64)
  const speed = Math.sqrt(GM / 6.8e6)
  launchAt(flight, 0, [6.8e6, 0, 0], [0, speed, 0])
  launchAt(flight, 256, [6.8e6, 1e5, 2e4], [3, speed, -40])
  launchAt(flight, 1, [6.8e6, 9e5, 0], [-900, speed, 0])
  for (const slot of [0, 1, 256]) flight.state.ships.shipNumber[slot] = slot + 1
  const { system } = flight.state
  const integration = createIntegration(system, createMassiveState(1))
  const world = { state: flight.state, ship: flight.state.classes[0], integration, since: 0 }
  return { flight, world, digests: [] }
}

function orderChase({ flight }: Chase, from: number, to: number): void {
  const { chunk, orders } = flight.state
  for (const [row, [slot, target, index]] of [
    [0, 256, 128],
    [256, 0, 132],
  ].entries()) {
    const due = index > from && index <= to
    chunk.chunkOrderBegin[slot / 256] = due ? row : 0
    chunk.chunkOrderEnd[slot / 256] = due ? row + 1 : 0
    orders.orderIndex[row] = index
    orders.orderSlot[row] = slot
    orders.orderFields[row] = ORDERS_THRUST + ORDERS_POINTING
    orders.orderThrustLevel[row] = 0.3
    orders.orderPointing[row] = TARGET
    orders.orderTarget[row] = target
    orders.orderTargetNumber[row] = target + 1
    orders.orderSighting[row] = row
  }
}

function fly(chased: Chase, from: number, to: number): void {
  orderChase(chased, from, to)
  flyTo(chased.flight, chased.world, from, to, (digest) => chased.digests.push(digest))
}

function flown(tickQuanta: number): { digests: WorldDigest[]; end: string } {
  const chased = chase()
  for (let n = 0; n < END; n += tickQuanta) fly(chased, n, Math.min(END, n + tickQuanta))
  const { position, velocity, fuel, attitude } = chased.flight.state.ships
  return { digests: chased.digests, end: [position, velocity, fuel, attitude].join(';') }
}

it('flies two ships that chase each other to the same bits in ticks of any length', () => {
  const whole = flown(END)
  expect(whole.digests.map(({ index }) => index)).toEqual([4096, 8192, 12288, 16384])
  expect(new Set(whole.digests.map(({ digest }) => digest)).size).toBe(4)
  for (const tick of [7, 64, 100, 640, 4096, 6400]) {
    expect(flown(tick), `ticks of ${tick} quanta`).toEqual(whole)
  }
})

it('locks on a target only after its first sighting, with events in this order', () => {
  const chased = chase()
  const { state } = chased.flight
  const events: ShipEvent[] = []
  const modes = new Set<number>()
  for (let n = 0; n < 6400; n += 1) {
    fly(chased, n, n + 1)
    events.push(...takeEvents(state).events)
    if (n >= 132 && n < 192) modes.add(state.ships.attitudeMode[0])
  }
  expect([...modes]).toEqual([TURNING])
  for (const shipNumber of [1, 257]) {
    const own = events.filter((event) => event.shipNumber === shipNumber)
    expect(own.map(({ kind }) => kind)).toEqual(['sighted', 'locked'])
    // Ordered at rest at 2 s: without a target to turn to it would have locked at once.
    expect(own[0]).toMatchObject({ index: 192, distance: 0 })
    expect(own[1].index).toBeGreaterThan(256)
    expect(own[1].distance).toBeGreaterThan(1e4)
    expect(own[1].distance).toBeLessThan(1.1e5)
  }
})

it('holds the state of the target at the last beat, and nothing newer', () => {
  const chased = chase()
  const { ships, sightings } = chased.flight.state
  const state = createStateVector()
  const { r, v } = state
  fly(chased, 0, 150)
  expect(sightings.sightedAt[0], 'ordered at 2 s, no beat since').toBe(-1)
  let seen = 0
  for (let n = 150; n < 5000; n += 10) {
    fly(chased, n, n + 10)
    const beat = Math.floor((n + 10) / BEAT_QUANTA) * BEAT_QUANTA
    if (beat < 192) continue
    expect(sightings.sightedAt[0]).toBe(beat)
    if (ships.stepStart[256] > beat || ships.stepEnd[256] < beat) continue
    segmentState(state, ships, 256, chased.flight.state.classes[0], beat, 0)
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(sightings.sightedPosition[axis] - r[axis])).toBeLessThan(2e-9)
      expect(Math.abs(sightings.sightedVelocity[axis] - v[axis])).toBeLessThan(2e-12)
    }
    seen++
  }
  expect(seen).toBeGreaterThan(20)
})

it('closes the distance, nose on the target', () => {
  const chased = chase()
  const before = distance(chased)
  fly(chased, 0, 64 * 100)
  expect(distance(chased)).toBeLessThan(0.9 * before)
  expect(chased.flight.state.ships.fuel[0]).toBeLessThan(
    chased.flight.state.classes[0].fuelCapacity,
  )
})

it('loses a target that is gone, and flies on', () => {
  const chased = chase()
  fly(chased, 0, 640)
  expect(chased.flight.state.sightings.watched[0]).toBe(256)
  chased.flight.state.ships.condition[256] = 0
  takeEvents(chased.flight.state)
  fly(chased, 640, 1280)
  const { ships, sightings } = chased.flight.state
  const [lost, ...more] = takeEvents(chased.flight.state).events.filter(
    ({ kind }) => kind === 'lost' || kind === 'sighted',
  )
  expect(lost).toMatchObject({ kind: 'lost', index: 704, shipNumber: 1 })
  expect(more).toEqual([])
  expect(sightings.watched[0]).toBe(-1)
  expect(ships.stepEnd[0]).toBeGreaterThan(1280)
  expect(Number.isFinite(ships.position[0])).toBe(true)
})

function distance({ flight }: Chase): number {
  const { position } = flight.state.ships
  return Math.hypot(...[0, 1, 2].map((axis) => position[axis] - position[3 * 256 + axis]))
}
