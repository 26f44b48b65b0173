/**
 * Law: what frames hold of a world is that world. Goal: positions and velocities of ships and
 * bodies to the bit, coasting or burning; fuel and attitude to the rounding of their records.
 * Method: ships of the core are flown, each change is sent in frames of the protocol, and the
 * scene is asked at many times for what the core answers.
 */
import { createBlock } from '@orrery/protocol'
import {
  CHUNK_SLOTS,
  COURIER,
  type Flight,
  ORDERS_POINTING,
  ORDERS_THRUST,
  POINTINGS,
  advanceChunk,
  bodyState,
  createFlight,
  createIntegration,
  createState,
  createStateVector,
  extendEphemeris,
  launch,
  railState,
  segmentAttitude,
  segmentFraction,
  segmentFuel,
  segmentState,
  stateBytes,
} from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { beforeEach, describe, expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { Scene } from '../../src/scene/scene.ts'
import { type Ship, createShipSample } from '../../src/scene/world.ts'
import {
  PAIR,
  anchorOf,
  arcsOf,
  endPull,
  hullsOf,
  identities,
  pairAt,
  readFrame,
  startPull,
  stepsOf,
} from './sent-frames.ts'

const SHIPS = 12
const NODES = 16

/** Ships about both bodies; every second one is ordered to burn along its motion for a while. */
function fleet(): Flight {
  const size = { ships: CHUNK_SLOTS, nodes: NODES }
  const buffer = new SharedArrayBuffer(stateBytes(PAIR, size))
  const state = createState(buffer, PAIR, size)
  extendEphemeris(createIntegration(PAIR, pairAt(0)), state.ephemeris, NODES - 1)
  const territory = { home: 0, spheres: Float64Array.of(Infinity, 6e7) }
  const flight = createFlight(state, territory)
  const { ships, orders, chunk } = state
  for (let slot = 0; slot < SHIPS; slot++) {
    const body = slot % 3 === 2 ? 1 : 0
    const distance = (body ? 2.5e6 : 6.8e6) * (1 + 0.1 * slot)
    const speed = Math.sqrt(PAIR.bodies[body].gm / distance)
    ships.reference[slot] = body
    ships.position.set([0.6 * distance, 0.8 * distance, 0], 3 * slot)
    ships.velocity.set([-0.8 * speed, 0.6 * speed, 0.2 * speed], 3 * slot)
    ships.attitude.set([1, 0, 0, 0], 4 * slot)
    ships.fuel[slot] = COURIER.fuelCapacity
    ships.shipNumber[slot] = 100 + 7 * slot
    launch(flight, slot, 0)
  }
  let row = 0
  for (const [index, thrust] of [
    [1000, 0.4],
    [9000, 0],
  ]) {
    for (let slot = 0; slot < SHIPS; slot += 2) {
      orders.orderIndex[row] = index
      orders.orderSlot[row] = slot
      orders.orderTarget[row] = -1
      orders.orderFields[row] = ORDERS_THRUST + ORDERS_POINTING
      orders.orderPointing[row] = POINTINGS.indexOf('prograde')
      orders.orderThrustLevel[row] = thrust
      row++
    }
  }
  chunk.chunkOrderEnd[0] = row
  return flight
}

const known = (slot: number): Ship => ({
  number: 100 + 7 * slot,
  id: `0badcafe-0000-4000-8000-0000000000${String(slot).padStart(2, '0')}`,
  name: `Ship ${slot} ø`,
  shipClass: 'courier',
})
const slots = Array.from({ length: SHIPS }, (_, slot) => slot)

let flight: Flight
let scene: Scene
const received = new Map<number, { start: number; end: number; pull: string }>()

/** Sends what is new at a published index; returns how many records were chained. */
function publish(index: number): number {
  advanceChunk(flight, 0, index)
  const { ships } = flight.state
  const due = slots.filter((slot) => received.get(slot)?.start !== ships.stepStart[slot])
  const follows = (slot: number): boolean =>
    received.get(slot)?.end === ships.stepStart[slot] &&
    received.get(slot)?.pull === String(startPull(flight, slot))
  const steps = due.filter(follows)
  const whole = due.filter((slot) => !steps.includes(slot))
  const blocks = [stepsOf(flight, steps, index), arcsOf(flight, whole), hullsOf(flight, due)]
  takeFrame(scene, readFrame(index, blocks))
  for (const slot of due) {
    received.set(slot, {
      start: ships.stepStart[slot],
      end: ships.stepEnd[slot],
      pull: String(endPull(flight, slot)),
    })
  }
  return steps.length
}

beforeEach(() => {
  flight = fleet()
  scene = new Scene()
  received.clear()
  scene.enter(PAIR, [COURIER])
  takeFrame(scene, readFrame(0, [anchorOf(pairAt(0)), ...identities(slots.map(known))]))
  publish(0)
})

const [state, expected] = [createShipSample(), createStateVector()]
const attitude = new Float64Array(4)

/** Angle between two attitudes [rad]. */
function angle(a: Float64Array, b: Float64Array): number {
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1
  return 2 * Math.hypot(...a.map((x, i) => x - sign * b[i]))
}

describe('within their steps', () => {
  it('ships are where the core has them, to the bit', () => {
    const { share } = createChance(7)
    const { ships } = flight.state
    let chained = 0
    for (let index = 0; index < 14_000; index += 70) {
      chained += publish(index)
      for (const slot of slots) {
        const rest = ships.stepEnd[slot] - index
        const offset = slot === 0 ? 0 : Math.floor(1024 * share() * Math.min(64, rest)) / 1024
        expect(scene.shipAt(state, known(slot).id, index + offset)).toBe(true)
        segmentState(expected, ships, slot, COURIER, index, offset)
        expect(state.r).toEqual(expected.r)
        expect(state.v).toEqual(expected.v)
        expect(state.body).toBe(PAIR.bodies[ships.reference[slot]].name)
        segmentAttitude(attitude, flight, slot, expected, index, offset)
        const isLocked = ships.attitudeMode[slot] === 0
        expect(angle(state.attitude, attitude)).toBeLessThan(isLocked ? 1e-6 : 1e-2)
        const fuel = segmentFuel(ships, slot, segmentFraction(ships, slot, index, offset))
        expect(Math.abs(state.fuel - fuel)).toBeLessThan(1e-6)
      }
    }
    expect(chained).toBeGreaterThan(20)
  })

  it('bodies, and what runs on rails, are where the core has them, to the bit', () => {
    const rail = { kind: 'lagrange', parent: 0, secondary: 1, point: 4 } as const
    const gate = { id: 'gate', name: 'Gate', kind: 'jumpgate', radius: 10, row: 3, rail } as const
    scene.placeObjects([gate])
    const { ephemeris } = flight.state
    for (let time = 5; time < 150_000; time += 1377.25) {
      const n = Math.floor(time)
      expect(scene.bodyAt(state, 'moon', time, 'Globe')).toBe(true)
      bodyState(expected, ephemeris, 1, 0, n, time - n)
      expect([...state.r, ...state.v]).toEqual([...expected.r, ...expected.v])
      expect(scene.bodyAt(state, 'Moon', time)).toBe(true)
      bodyState(expected, ephemeris, 1, -1, n, time - n)
      expect([...state.r, ...state.v]).toEqual([...expected.r, ...expected.v])
      expect(scene.objectAt(state, 'gate', time, 'Globe')).toBe(true)
      railState(expected, ephemeris, rail, n, time - n)
      expect([...state.r, ...state.v]).toEqual([...expected.r, ...expected.v])
      expect(scene.lagrangeAt(state, { secondary: 'moon', point: 4 }, time, 'Globe')).toBe(true)
      expect([...state.r, ...state.v]).toEqual([...expected.r, ...expected.v])
    }
    expect(scene.lagrangeAt(state, { secondary: 'Globe', point: 4 }, 5)).toBe(false)
    expect(scene.bodyAt(state, 'Pluto', 5)).toBe(false)
    expect(scene.bodyAt(state, 'Moon', -1)).toBe(false)
  })

  it('all positions at once are those of each', () => {
    publish(700)
    const out = new Float64Array(3 * SHIPS + 3).fill(1)
    expect(scene.positionsAt(out, 777, 'Moon')).toBe(SHIPS)
    expect([...out.subarray(3 * SHIPS)]).toEqual([1, 1, 1])
    for (const [i, { id }] of scene.ships().entries()) {
      expect(scene.positionAt(state, id, 777, 'Moon')).toBe(true)
      expect([...state.r]).toEqual([...out.subarray(3 * i, 3 * i + 3)])
    }
  })

  it('states of some at once are those of each', () => {
    publish(700)
    const indices = Uint32Array.of(2, SHIPS, 0)
    const out = new Float64Array(6 * indices.length)
    scene.statesAt(out, indices, 777, 'Moon')
    for (const [k, i] of indices.entries()) {
      const ship = scene.ships()[i]
      const isKnown = ship !== undefined && scene.positionAt(state, ship.id, 777, 'Moon')
      const due = isKnown ? [...state.r, ...state.v] : Array.from({ length: 6 }, () => NaN)
      expect([...out.subarray(6 * k, 6 * k + 6)]).toEqual(due)
    }
  })
})

describe('beyond their steps', () => {
  it('ships coast on', () => {
    publish(0)
    const { ships } = flight.state
    const ends = slots.map((slot) => ships.stepEnd[slot])
    advanceChunk(flight, 0, 900)
    for (const slot of slots) {
      const index = ends[slot] + 64
      if (ships.stepStart[slot] > index || ships.stepEnd[slot] < index) continue
      scene.shipAt(state, known(slot).id, index)
      segmentState(expected, ships, slot, COURIER, index, 0)
      expect(Math.hypot(...state.r.map((x, i) => x - expected.r[i]))).toBeLessThan(1e-3)
    }
  })

  it('a burn that was received before it begins leaves the ship alone until then', () => {
    publish(980)
    const before = createShipSample()
    const { id } = known(2)
    scene.shipAt(before, id, 999)
    publish(1000)
    scene.shipAt(state, id, 999)
    expect(state).toEqual(before)
    scene.shipAt(state, id, 1064)
    expect(state.thrustLevel).toBeCloseTo(0.4)
  })
})

describe('ships in view', () => {
  it('join, are named, change and leave', () => {
    const events: string[] = []
    for (const kind of ['joined', 'left', 'named', 'changed'] as const) {
      scene.on(kind, (ships) => events.push(`${kind} ${ships.map(({ name }) => name).join()}`))
    }
    const renamed = { ...known(3), name: 'Ida' }
    takeFrame(scene, readFrame(0, identities([renamed])))
    const left = createBlock('left', 2)
    left.columns.number.set([known(0).number, 12345])
    takeFrame(scene, readFrame(0, [left]))
    expect(scene.ship(known(0).id)).toBeUndefined()
    expect(scene.shipAt(state, known(0).id, 10)).toBe(false)
    const view = createBlock('view', 2)
    view.columns.number.set([renamed.number, 99])
    takeFrame(scene, readFrame(0, [view]))
    expect(scene.ships()).toMatchObject([renamed])
    expect(scene.shipAt(state, renamed.id, 10)).toBe(true)
    segmentState(expected, flight.state.ships, 3, COURIER, 10, 0)
    expect(state.r).toEqual(expected.r)
    expect(events.slice(0, 2)).toEqual(['named Ida', 'left Ship 0 ø'])
    expect(events).toHaveLength(3)
    takeFrame(scene, readFrame(0, [arcsOf(flight, [5]), ...identities([known(5)])]))
    expect(events.slice(3)).toEqual(['joined Ship 5 ø', 'changed Ship 5 ø'])
    expect(scene.completeness().known).toBe(2)
  })

  it('are of the classes that frames name, and one of a class that is not there is refused', () => {
    scene.enter(PAIR, [COURIER, { ...COURIER, name: 'tug' }])
    const both = [known(0), known(1)]
    takeFrame(scene, readFrame(0, identities(both, [0, 1])))
    expect(scene.ships().map(({ shipClass }) => shipClass)).toEqual(['courier', 'tug'])
    const wrong = readFrame(0, identities(both, [0, 2]))
    expect(() => takeFrame(scene, wrong)).toThrow(/no ship class 2/)
  })

  it('a reference body that the system has not is refused', () => {
    const arcs = arcsOf(flight, [1])
    arcs.columns.reference[0] = 2
    expect(() => takeFrame(scene, readFrame(0, [arcs]))).toThrow(/reference body is 2/)
  })
})
