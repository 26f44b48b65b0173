/**
 * Law: a hull that points at a body or a rail has its nose on it, at every moment and with the
 * engine on; the reference body itself is where `radial_in` points. A rail that is gone leaves the
 * hull where it is.
 */
import {
  type Flight,
  LOCKED,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  TARGETS,
  advanceChunk,
  bodyState,
  createMassiveState,
  createStateVector,
  segmentAttitude,
  segmentState,
  writeRail,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { bodyAxes, dice } from '../hull.ts'
import { GM, RADIUS, flightAmong, launchAt } from '../field/two-body-field.ts'

const SEED = 2_718
const MOON_GM = 4.9e12
const DISTANCE = 3.8e8

function pairFlight(): Flight {
  const start = createMassiveState(2)
  const speed = Math.sqrt((GM + MOON_GM) / DISTANCE)
  const share = MOON_GM / (GM + MOON_GM)
  start.x.set([-share * DISTANCE, 0, 0, (1 - share) * DISTANCE, 0, 0])
  start.v.set([0, -share * speed, 0, 0, (1 - share) * speed, 0])
  const bodies = [
    { name: 'Globe', parent: -1, gm: GM, radius: RADIUS },
    { name: 'Moon', parent: 0, gm: MOON_GM, radius: 1.7e6 },
  ]
  return flightAmong(bodies, start, 2048)
}

/** Points a ship at a place from index 4 on. */
function order(flight: Flight, slot: number, kind: 'body' | 'rail', place: number): void {
  const { chunk, orders } = flight.state
  const row = chunk.chunkOrderEnd[0]++
  orders.orderIndex[row] = 4
  orders.orderSlot[row] = slot
  orders.orderFields[row] = ORDERS_POINTING + ORDERS_THRUST
  orders.orderThrustLevel[row] = slot % 2 === 0 ? 0 : 1e-3
  orders.orderPointing[row] = POINTINGS.indexOf('target')
  orders.orderTargetKind[row] = TARGETS.indexOf(kind)
  orders.orderPlace[row] = place
}

const at = createStateVector()
const moon = createStateVector()
const q = new Float64Array(4)

/** The nose of a ship at a moment, and where it is. */
function look(flight: Flight, slot: number, n: number): number[] {
  segmentState(at, flight.state.ships, slot, flight.state.classes[0], n, 0)
  segmentAttitude(q, flight, slot, at, n, 0)
  return bodyAxes(q)[0]
}

function miss(nose: readonly number[], place: ArrayLike<number>): number {
  const line = nose.map((_, axis) => place[axis] - at.r[axis])
  const length = Math.hypot(...line)
  return Math.hypot(...nose.map((part, axis) => part - line[axis] / length))
}

it(`keeps the nose on a body, seed ${SEED}`, () => {
  const { direction } = dice(SEED)
  const flight = pairFlight()
  const { ships, ephemeris } = flight.state
  for (let slot = 0; slot < 4; slot++) {
    launchAt(flight, slot, [7e6, 0, 0], [0, 6000, 4600])
    ships.attitude.set(direction(4), 4 * slot)
    order(flight, slot, 'body', slot < 2 ? 0 : 1)
  }
  for (let n = 64 * 200; n < 64 * 1800; n += 64 * 16 + 13) {
    advanceChunk(flight, 0, n)
    bodyState(moon, ephemeris, 1, 0, n, 0)
    for (let slot = 0; slot < 4; slot++) {
      const place = slot < 2 ? [0, 0, 0] : moon.r
      expect(miss(look(flight, slot, n), place)).toBeLessThan(1e-12)
      expect(ships.attitudeMode[slot]).toBe(LOCKED)
    }
  }
})

it('keeps the nose on a rail until that is gone', () => {
  const flight = pairFlight()
  const { rails, ships } = flight.state
  writeRail(rails, 3, { kind: 'lagrange', parent: 0, secondary: 1, point: 1 })
  for (const slot of [0, 1]) {
    launchAt(flight, slot, [7e6, 0, 0], [0, 6000, 4600])
    order(flight, slot, 'rail', slot === 0 ? 3 : 8)
  }
  advanceChunk(flight, 0, 64 * 500)
  bodyState(moon, flight.state.ephemeris, 1, 0, 64 * 500, 0)
  const nose = look(flight, 0, 64 * 500)
  // The first Lagrange point, at a share of the way that follows from the ratio of masses.
  expect(
    miss(
      nose,
      moon.r.map((part) => 0.849 * part),
    ),
  ).toBeLessThan(1e-4)
  // There is none in the row of the other.
  expect([...ships.attitudeMode.subarray(0, 2)]).toEqual([LOCKED, LOCKED])
  expect(look(flight, 1, 64 * 500)).toEqual([1, 0, 0])
})
