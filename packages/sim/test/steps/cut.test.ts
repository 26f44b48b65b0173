/**
 * Laws of cuts. A command that ends a step early leaves the bits that a step scheduled to end
 * there leaves; and what was scheduled behind it never happens.
 */
import {
  COURIER,
  type Flight,
  LOCKED,
  ORDERS_ATTITUDE,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  SHIP_COLUMNS,
  advanceChunk,
  chunkPhase,
  createFlight,
  createStateVector,
  segmentState,
  takeEvents,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { GM, RADIUS, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const SPEED = Math.sqrt(GM / 6.8e6)

/** From one cut of a long step to the next [quanta]. */
const STRIDE = byTier({ gate: 248, night: 124 })

/** Columns that a command may not touch, and a cut must not. */
const STATE: ReadonlySet<string> = new Set(
  SHIP_COLUMNS.map(({ name }) => name).filter(
    (name) =>
      !name.startsWith('end') && !['stepEnd', 'shipNumber', 'hullRow', 'hullStep'].includes(name),
  ),
)

function order(flight: Flight, slot: number, index: number, thrustLevel: number): void {
  const { chunk, orders } = flight.state
  chunk.chunkOrderBegin[Math.floor(slot / 256)] = 0
  chunk.chunkOrderEnd[Math.floor(slot / 256)] = 1
  orders.orderIndex[0] = index
  orders.orderSlot[0] = slot
  orders.orderFields[0] = ORDERS_THRUST
  orders.orderThrustLevel[0] = thrustLevel
}

it('is a step like any other: a cut at an index gives the bits of a step that ends there', () => {
  // The two chunks' steps end at different indices.
  const [, phase] = [0, 1].map(chunkPhase)
  for (const start of [0, 100, 300, phase - 4, 4096, 4096 + 256]) {
    const scheduled = twoBodyFlight(256)
    launchAt(scheduled, 256, [6.8e6, 0, 0], [0, SPEED, 900], start)
    const end = scheduled.state.ships.stepEnd[256]
    advanceChunk(scheduled, 1, end)
    const cut = twoBodyFlight(256)
    launchAt(cut, 0, [6.8e6, 0, 0], [0, SPEED, 900], start)
    expect(cut.state.ships.stepEnd[0]).toBeGreaterThan(end)
    order(cut, 0, end, 0)
    advanceChunk(cut, 0, end)
    expect(cut.state.ships.stepStart[0]).toBe(end)
    expect(rowOf(cut, 0), `from ${start} to ${end}`).toEqual(rowOf(scheduled, 256))
  }
})

it('cuts at any index of a long step to the bits of a ship that was launched to end there', () => {
  let natural = 0
  for (let phase = 4; phase < 2048; phase += STRIDE) {
    // Launched at -phase of its block, a ship's first step ends after `phase` quanta at most.
    const short = launchedAt(4096 - phase)
    const end = short.state.ships.stepEnd[0]
    advanceChunk(short, 0, end)
    const long = launchedAt(0)
    if (long.state.ships.stepEnd[0] <= end - (4096 - phase)) continue
    order(long, 0, end - (4096 - phase), 0)
    advanceChunk(long, 0, end - (4096 - phase))
    const compared = rowOf(long, 0, 'stepStart')
    expect(compared, `after ${phase} quanta`).toEqual(rowOf(short, 0, 'stepStart'))
    natural++
  }
  expect(natural).toBeGreaterThan(1240 / STRIDE)
})

it('discards what was scheduled behind a cut: an impact that a burn avoids is never seen', () => {
  const radius = RADIUS + 9_000
  const falling = (): Flight => {
    const flight = twoBodyFlight(256)
    launchAt(flight, 0, [radius, 0, 0], [-900, 0, 7_000])
    return flight
  }
  const doomed = falling()
  const impactAt = doomed.state.ships.impactAt[0]
  expect(impactAt, 'the first step runs into the ground').toBeLessThan(64 * 16)
  expect(takeEvents(doomed.state).events, 'and no event is reported before').toEqual([])
  advanceChunk(doomed, 0, impactAt)
  expect(takeEvents(doomed.state).events).toMatchObject([{ kind: 'impact', index: impactAt }])

  const saved = falling()
  const { ships, orders } = saved.state
  ships.attitude.set([1, 0, 0, 0], 0) // nose up: +x
  order(saved, 0, 64, 1)
  orders.orderFields[0] = ORDERS_THRUST
  expect(ships.impactAt[0]).toBe(impactAt)
  const free = falling()
  order(free, 0, 64, 0)
  advanceChunk(free, 0, 64)
  expect(free.state.ships.impactAt[0], 'a cut alone does not avoid the impact').toBe(impactAt)
  // A pilot with an engine of ten times the thrust gets away.
  const classes = [{ ...COURIER, thrustMax: 1e8, exhaustVelocity: 1e7 }]
  const strong = createFlight({ ...saved.state, classes }, saved.territory)
  advanceChunk(strong, 0, 64 * 60)
  expect(takeEvents(saved.state).events).toEqual([])
  expect(ships.condition[0]).toBe(1)
})

it('cuts turning ships like coasting ones', () => {
  const whole = twoBodyFlight(256)
  const cut = twoBodyFlight(256)
  for (const flight of [whole, cut]) {
    launchAt(flight, 0, [6.8e6, 0, 0], [0, SPEED, 0])
    flight.state.orders.orderAttitude.set([1, 0.2, 0.4, -0.3], 0)
    order(flight, 0, 64, 0)
    flight.state.orders.orderFields[0] = ORDERS_THRUST + ORDERS_ATTITUDE
    advanceChunk(flight, 0, 64)
  }
  const end = whole.state.ships.stepEnd[0]
  expect(end).toBe(80)
  order(cut, 0, end, 0)
  advanceChunk(cut, 0, end)
  whole.state.chunk.chunkOrderEnd[0] = 0
  advanceChunk(whole, 0, end)
  expect(rowOf(cut, 0)).toEqual(rowOf(whole, 0))
})

it.each([4, 20, 64, 100])('keeps the throttle that empties the tank, cut after %i', (cut) => {
  const flight = twoBodyFlight(1024)
  launchAt(flight, 0, [0, 1e13, 0], [0, 0, 0])
  const { ships, chunk } = flight.state
  order(flight, 0, 4, 1)
  advanceChunk(flight, 0, 4)
  chunk.chunkOrderEnd[0] = 0
  const { dryMass, fuelCapacity, exhaustVelocity, thrustMax } = COURIER
  const perQuantum = thrustMax / exhaustVelocity / 64
  while (ships.fuel[0] > perQuantum * (ships.stepEnd[0] - ships.stepStart[0])) {
    advanceChunk(flight, 0, ships.stepEnd[0])
  }
  const shown = createStateVector()
  const index = ships.stepStart[0] + cut
  expect(ships.stepEnd[0]).toBeGreaterThan(index)
  segmentState(shown, ships, 0, COURIER, index, 0)
  order(flight, 0, index, 1)
  advanceChunk(flight, 0, index)
  expect(Math.abs(ships.position[0] - shown.r[0])).toBeLessThan(1e-8)
  expect(Math.abs(ships.velocity[0] - shown.v[0])).toBeLessThan(1e-9)
  expect(ships.fuel[0]).toBeGreaterThan(0)
  chunk.chunkOrderEnd[0] = 0
  while (ships.fuel[0] > 0) advanceChunk(flight, 0, ships.stepEnd[0])
  // What is left burns after the cut: together it is the rocket equation.
  const gain = exhaustVelocity * Math.log((dryMass + fuelCapacity) / dryMass)
  expect(Math.abs(ships.velocity[0] / gain - 1)).toBeLessThan(1e-14)
})

it.each([4, 20, 64, 100])(
  'keeps the thrust of a ship that points prograde, cut after %i',
  (cut) => {
    const flight = twoBodyFlight(1024)
    launchAt(flight, 0, [6.8e6, 0, 0], [0, SPEED, 0])
    const { ships, chunk, orders } = flight.state
    order(flight, 0, 4, 1)
    orders.orderFields[0] = ORDERS_THRUST + ORDERS_POINTING
    orders.orderPointing[0] = POINTINGS.indexOf('prograde')
    advanceChunk(flight, 0, 4)
    chunk.chunkOrderEnd[0] = 0
    while (ships.attitudeMode[0] !== LOCKED) advanceChunk(flight, 0, ships.stepEnd[0])
    while (ships.stepEnd[0] - ships.stepStart[0] < 128) advanceChunk(flight, 0, ships.stepEnd[0])
    const shown = createStateVector()
    const index = ships.stepStart[0] + cut
    segmentState(shown, ships, 0, COURIER, index, 0)
    order(flight, 0, index, 1)
    advanceChunk(flight, 0, index)
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(ships.position[axis] - shown.r[axis])).toBeLessThan(1e-6)
      expect(Math.abs(ships.velocity[axis] - shown.v[axis])).toBeLessThan(1e-6)
    }
  },
)

function launchedAt(n: number): Flight {
  const flight = twoBodyFlight(512)
  launchAt(flight, 0, [6.8e6, 0, 0], [0, SPEED, 900], n)
  return flight
}

function rowOf(flight: Flight, slot: number, ...except: string[]): Record<string, number[]> {
  const { ships } = flight.state
  return Object.fromEntries(
    SHIP_COLUMNS.filter(({ name }) => STATE.has(name) && !except.includes(name)).map(
      ({ name, components }) => [
        name,
        [...ships[name].subarray(components * slot, components * (slot + 1))],
      ],
    ),
  )
}
