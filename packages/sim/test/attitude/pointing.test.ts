/**
 * Laws of pointing: a ship points in the ordered direction, to rounding, all along its
 * orbit and inside its steps; its hull has the rate of the frame; and the momentum keeps its
 * bits. Directions are computed here independently.
 */
import {
  COURIER,
  FREE,
  LOCKED,
  ORDERS_ATTITUDE,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  TURNING,
  type Flight,
  type Pointing,
  advanceChunk,
  attitudeAt,
  bodyRate,
  createStateVector,
  segmentAttitude,
  segmentState,
  settleAttitude,
  thrustDirection,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, it } from 'vitest'
import { GM, launchAt, twoBodyFlight } from '../field/two-body-field.ts'
import { openHull } from '../ships/open-hull.ts'
import { angleBetween, bodyAxes, dice, hullAtRest, makeAttitudeStep } from '../hull.ts'

const SEED = 40_961

/** From one look at a hull that points along its orbit to the next [s]. */
const STRIDE = byTier({ gate: 7, night: 1 })
const ALONG_ORBIT: readonly Pointing[] = [
  'prograde',
  'retrograde',
  'normal',
  'antinormal',
  'radial_out',
  'radial_in',
]

type Vector = readonly number[]

const minus = (a: Vector): number[] => a.map((x) => -x)
const dot = (a: Vector, b: Vector): number => a.reduce((sum, x, i) => sum + x * b[i], 0)
const unit = (a: Vector): number[] => a.map((x) => x / Math.hypot(...a))
const cross = (a: Vector, b: Vector): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

const DIRECTIONS: Readonly<Record<string, (r: Vector, v: Vector) => number[]>> = {
  prograde: (_r, v) => unit(v),
  retrograde: (_r, v) => minus(unit(v)),
  normal: (r, v) => unit(cross(r, v)),
  antinormal: (r, v) => unit(cross(v, r)),
  radial_out: (r) => unit(r),
  radial_in: (r) => minus(unit(r)),
}

/** Distance between where the nose points and where it should, and +z and where it should. */
function misses(q: ArrayLike<number>, pointing: Pointing, r: Vector, v: Vector): number[] {
  const [x, , z] = bodyAxes(q)
  const ahead = DIRECTIONS[pointing](r, v)
  const from = pointing.startsWith('radial') ? v : r
  const up = unit(from.map((part, axis) => part - dot(from, ahead) * ahead[axis]))
  const distance = (a: Vector, b: Vector): number => Math.hypot(...a.map((part, i) => part - b[i]))
  return [distance(x, ahead), distance(z, up)]
}

/** Orders of index 4, one to a slot. */
function order(flight: Flight, slot: number, fields: number): number {
  const { chunk, orders } = flight.state
  const row = chunk.chunkOrderEnd[0]++
  orders.orderIndex[row] = 4
  orders.orderSlot[row] = slot
  orders.orderFields[row] = fields
  return row
}

const state = createStateVector()
const rate = new Float64Array(3)

/** Attitude shown at an index and some quanta within the open step. */
function shown(flight: Flight, slot: number, n: number, offset: number): Float64Array {
  const { ships } = flight.state
  const q = new Float64Array(4)
  segmentState(state, ships, slot, flight.state.classes[0], n, offset)
  segmentAttitude(q, flight, slot, state, n, offset)
  return q
}

it(`points along its orbit from any attitude, seed ${SEED}`, () => {
  const { direction } = dice(SEED)
  const seconds = 6500
  const flight = twoBodyFlight(seconds + 64)
  const { ships } = flight.state
  const momentum = [600, -900, 1700]
  for (const [slot, pointing] of ALONG_ORBIT.entries()) {
    const speed = Math.sqrt((1.1 * GM) / 7e6)
    ships.angularMomentum.set(momentum, 3 * slot)
    launchAt(flight, slot, [7e6, 0, 0], [0, 0.8 * speed, 0.6 * speed])
    ships.attitude.set(direction(4), 4 * slot)
    const row = order(flight, slot, ORDERS_POINTING)
    flight.state.orders.orderPointing[row] = POINTINGS.indexOf(pointing)
  }
  for (let n = 64; n <= 64 * seconds; n += 64) {
    advanceChunk(flight, 0, n)
    for (const [slot, pointing] of ALONG_ORBIT.entries()) {
      if (n < 64 * 200 || n % (64 * STRIDE) !== 0) continue
      expect(ships.attitudeMode[slot]).toBe(LOCKED)
      const at = [3 * slot, 3 * slot + 3] as const
      const place = [...ships.position.subarray(...at)]
      const course = [...ships.velocity.subarray(...at)]
      const attitude = ships.attitude.subarray(4 * slot, 4 * slot + 4)
      const within = shown(flight, slot, n, 0.5)
      for (const miss of [
        ...misses(attitude, pointing, place, course),
        ...misses(within, pointing, [...state.r], [...state.v]),
      ]) {
        expect(miss).toBeLessThan(1e-14)
      }
    }
  }
  for (const [slot] of ALONG_ORBIT.entries()) {
    expect([...ships.angularMomentum.subarray(3 * slot, 3 * slot + 3)]).toEqual(momentum)
    // The step's start is over: around it, the attitude turned as fast as the hull does there.
    const { attitude, angularMomentum, wheelMomentum, stepStart } = ships
    bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, COURIER.inertia)
    const before = shown(flight, slot, stepStart[slot], -16)
    const after = shown(flight, slot, stepStart[slot], 16)
    const turned = (angleBetween(before, after) * 64) / 32
    expect(Math.hypot(...rate)).toBeGreaterThan(1e-4)
    expect(Math.abs(turned / Math.hypot(...rate) - 1)).toBeLessThan(1e-6)
  }
})

it('thrusts where it points, at the middle of each step', () => {
  const seconds = 300
  const flight = twoBodyFlight(seconds + 64)
  const { ships, orders } = flight.state
  const speed = Math.sqrt(GM / 7e6)
  for (const [slot, pointing] of ALONG_ORBIT.entries()) {
    launchAt(flight, slot, [7e6, 0, 0], [0, speed, 0])
    const row = order(flight, slot, ORDERS_POINTING + ORDERS_THRUST)
    orders.orderPointing[row] = POINTINGS.indexOf(pointing)
    orders.orderThrustLevel[row] = 0.01
  }
  for (let n = 64 * 200; n <= 64 * seconds; n += 64) {
    advanceChunk(flight, 0, n)
    for (const [slot, pointing] of ALONG_ORBIT.entries()) {
      expect(ships.attitudeMode[slot]).toBe(LOCKED)
      const { stepStart, stepEnd } = ships
      segmentState(
        state,
        ships,
        slot,
        COURIER,
        stepStart[slot],
        (stepEnd[slot] - stepStart[slot]) / 2,
      )
      const push = unit(openHull(ships, slot).force)
      const wanted = DIRECTIONS[pointing]([...state.r], [...state.v])
      expect(Math.hypot(...push.map((x, axis) => x - wanted[axis]))).toBeLessThan(2e-5)
    }
  }
})

describe('a target', () => {
  const TARGET = POINTINGS.indexOf('target')

  /** A ship at rest whose target passes it at 3 km and 20 m/s, one second after the other. */
  const chase = (seconds: number): { q: number[]; modes: number[]; aim: number[] } => {
    const ships = hullAtRest()
    const aim = new Float64Array(6)
    ships.pointing[0] = TARGET
    ships.attitudeMode[0] = TURNING
    ships.position.set([7e6, 0, 0])
    ships.fuel[0] = 1
    const modes: number[] = []
    for (let n = 0; n < 64 * seconds;) {
      const quanta = ships.attitudeMode[0] === TURNING ? 16 : 64
      aim.set([(20 * n) / 64 - 2000, 3000, 100, 20, 0, 0])
      makeAttitudeStep(ships, COURIER, quanta, aim)
      ships.attitude.set(ships.endAttitude)
      ships.wheelMomentum.set(ships.endWheelMomentum)
      n += quanta
      aim.set([(20 * n) / 64 - 2000, 3000, 100, 20, 0, 0])
      ships.attitudeMode[0] = settleAttitude(ships, COURIER, 0, quanta, aim)
      modes.push(ships.attitudeMode[0])
    }
    return { q: [...ships.attitude], modes, aim: [...aim] }
  }

  it('is kept in sight while it passes, once found', () => {
    for (const seconds of [120, 150, 200]) {
      const { q, modes, aim } = chase(seconds)
      expect(modes.lastIndexOf(TURNING)).toBeLessThan(modes.indexOf(LOCKED))
      const [nose, , up] = bodyAxes(q)
      const wanted = unit(aim.slice(0, 3))
      expect(Math.hypot(...nose.map((x, axis) => x - wanted[axis]))).toBeLessThan(1e-15)
      expect(up[0]).toBeGreaterThan(0)
      expect(Math.abs(dot(cross([1, 0, 0], wanted), up))).toBeLessThan(1e-15)
    }
  })
})

it.each([
  { name: 'prograde at rest', pointing: 'prograde', v: [0, 0, 0] },
  { name: 'normal in a fall', pointing: 'normal', v: [-900, 0, 0] },
  { name: 'antinormal at rest', pointing: 'antinormal', v: [0, 0, 0] },
  { name: 'a target that is not sighted', pointing: 'target', v: [0, 7500, 0] },
] as const)('holds its attitude where there is no direction: $name', ({ pointing, v: course }) => {
  const ships = hullAtRest()
  const aim = new Float64Array(6)
  const q = [0.5, -0.5, 0.5, 0.5]
  ships.position.set([7e6, 0, 0])
  ships.velocity.set(course)
  ships.attitude.set(q)
  ships.pointing[0] = POINTINGS.indexOf(pointing)
  ships.attitudeMode[0] = TURNING
  makeAttitudeStep(ships, COURIER, 16, aim)
  expect([...ships.endAttitude]).toEqual(q)
  expect(settleAttitude(ships, COURIER, 0, 16, aim)).toBe(LOCKED)
  expect([...ships.attitude]).toEqual(q)
  ships.attitudeMode[0] = LOCKED
  attitudeAt(ships.endAttitude, ships, 0, 0.5, { r: ships.position, v: ships.velocity })
  expect([...ships.endAttitude]).toEqual(q)
  const out = new Float64Array(3)
  ships.gravity.set([0, 0, 0])
  thrustDirection(out, ships, COURIER, 0, 128, aim)
  expect([...out]).toEqual(bodyAxes(q)[0])
})

it.each([
  { name: 'the vertical out of a fall', v: [-900, 0, 0] },
  { name: 'the vertical at rest', v: [0, 0, 0] },
])('turns no more than it must to point along $name', ({ v: course }) => {
  const ships = hullAtRest()
  const q = new Float64Array(4)
  ships.attitude.set([Math.cos(0.3), 0, 0, Math.sin(0.3)])
  ships.pointing[0] = POINTINGS.indexOf('radial_out')
  attitudeAt(q, ships, 0, 0, { r: Float64Array.of(7e6, 0, 0), v: Float64Array.from(course) })
  expect(angleBetween(q, ships.attitude)).toBeCloseTo(0.6, 14)
  expect(bodyAxes(q)[0][0]).toBeCloseTo(1, 15)
})

it('turns to a frame that jumps further than its wheels could have followed', () => {
  const ships = hullAtRest()
  const aim = new Float64Array(6)
  ships.position.set([7e6, 0, 0])
  ships.velocity.set([0, 7500, 0])
  ships.pointing[0] = POINTINGS.indexOf('prograde')
  // Nose along +x, prograde along +y: another reference body, say, from one step to the next.
  expect(settleAttitude(ships, COURIER, 0, 2048, aim)).toBe(TURNING)
  expect([...ships.attitude]).toEqual([1, 0, 0, 0])
})

it.each([
  { seconds: 1, angle: 0.00124, mode: LOCKED },
  { seconds: 1, angle: 0.00128, mode: TURNING },
  { seconds: 64, angle: 0.0099, mode: LOCKED },
  { seconds: 64, angle: 0.0102, mode: TURNING },
])('follows a frame in $seconds s by $angle rad as far as its wheels reach', (jump) => {
  const ships = hullAtRest()
  const { seconds, angle, mode } = jump
  ships.position.set([0, 0, 7e6])
  ships.velocity.set([7500 * Math.cos(angle), 7500 * Math.sin(angle), 0])
  ships.pointing[0] = POINTINGS.indexOf('prograde')
  // Torque over inertia is 0.005 rad/s² about every axis; a quarter of it, at most 0.01 rad.
  expect(settleAttitude(ships, COURIER, 0, 64 * seconds, new Float64Array(6))).toBe(mode)
})

describe.each([
  { name: 'a small turn', target: [1, 0.001, 0, 0] },
  { name: 'a quarter turn', target: [1, 0, 1, 0] },
  { name: 'half a turn', target: [0, 0, 0, 1] },
  { name: 'a turn about a skew axis, the long quaternion', target: [-0.2, 0.9, -0.5, 0.3] },
])('$name', ({ target }) => {
  it.each([
    { name: 'a hull at rest', momentum: [0, 0, 0] },
    { name: 'a hull that tumbles', momentum: [300, -900, 700] },
  ])('of $name arrives and is held', ({ momentum }) => {
    const flight = twoBodyFlight(300)
    launchAt(flight, 0, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
    const { ships, orders } = flight.state
    ships.angularMomentum.set(momentum)
    orders.orderAttitude.set(target, 4 * order(flight, 0, ORDERS_ATTITUDE))
    const length = Math.hypot(...target)
    let turned = 0
    for (let n = 64; n <= 64 * 200; n += 64) {
      advanceChunk(flight, 0, n)
      if (ships.attitudeMode[0] === TURNING) turned++
      expect(ships.attitudeMode[0]).not.toBe(FREE)
      expect(Math.hypot(...ships.attitude.subarray(0, 4))).toBeCloseTo(1, 14)
    }
    expect(turned).toBeGreaterThan(1)
    expect(ships.attitudeMode[0]).toBe(LOCKED)
    for (let i = 0; i < 4; i++) expect(ships.attitude[i]).toBeCloseTo(target[i] / length, 15)
    expect([...ships.angularMomentum.subarray(0, 3)]).toEqual(momentum)
    const { attitude, angularMomentum, wheelMomentum } = ships
    bodyRate(rate, attitude, angularMomentum, wheelMomentum, 0, COURIER.inertia)
    expect(Math.hypot(...rate)).toBeLessThan(1e-15)
  })
})

it('holds the attitude that the hull has when it is ordered, whatever was commanded before', () => {
  const flight = twoBodyFlight(300)
  launchAt(flight, 0, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 0])
  const { ships, orders } = flight.state
  orders.orderAttitude.set([0, 1, 0, 0], 4 * order(flight, 0, ORDERS_ATTITUDE))
  advanceChunk(flight, 0, 64 * 5)
  const row = order(flight, 0, ORDERS_POINTING)
  orders.orderIndex[row] = 64 * 8
  orders.orderPointing[row] = POINTINGS.indexOf('hold')
  advanceChunk(flight, 0, 64 * 8)
  const held = ships.attitude.slice(0, 4)
  expect(angleBetween(held, [1, 0, 0, 0])).toBeGreaterThan(0.01)
  advanceChunk(flight, 0, 64 * 200)
  expect(ships.attitudeMode[0]).toBe(LOCKED)
  expect(angleBetween(ships.attitude.subarray(0, 4), held)).toBeLessThan(1e-14)
})
