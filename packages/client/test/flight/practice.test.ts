/**
 * Law: a practised ship flies as its forecast has it, to the bit, and the game knows nothing of it.
 * Goal: pace, stops, orders, events and starts of a practice. Method: the core flies a fleet's
 * first ship; nothing is connected.
 */
import type { EventMessage } from '@orrery/protocol'
import { COURIER, utcFromLattice } from '@orrery/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import type { Forecast } from '../../src/forecast/forecast.ts'
import { Forecasts } from '../../src/forecast/forecasts.ts'
import { type Practice, openPractice } from '../../src/flight/practice-flight.ts'
import { createPlaces } from '../../src/pilot/ship-places.ts'
import { Scene } from '../../src/scene/scene.ts'
import { createShipSample } from '../../src/scene/world.ts'
import type { Order } from '../../src/socket/game-socket.ts'
import { PAIR, anchorOf, arcsOf, identities, pairAt, readFrame } from './sent-frames.ts'
import { DEPOT, NOW, PLACE, copyOf, fleet, id, known } from '../forecast/forecast-fleet.ts'

const game = fleet()
const state = createShipSample()
const other = createShipSample()
let scene: Scene
let practice: Practice

function open(shipId = id(0), seed = { index: NOW, ship: copyOf(game, 0) }): Practice {
  const own = new Scene()
  const parts = { scene: own, places: createPlaces(own), forecasts: new Forecasts(own) }
  return openPractice({
    live: scene,
    system: PLACE,
    seed,
    id: shipId,
    utc: utcFromLattice,
    ...parts,
  })
}

beforeEach(() => {
  scene = new Scene()
  scene.enter(PAIR, [COURIER])
  scene.placeObjects([DEPOT])
  const names = identities([0, 1, 2].map(known))
  takeFrame(scene, readFrame(NOW, [anchorOf({ ...pairAt(0), node: 0 }), ...names]))
  takeFrame(scene, readFrame(NOW, [arcsOf(game, [0, 1, 2])]))
  practice = open()
})

afterEach(() => practice.flight.close())

/** Flies on for so many seconds of the player. */
function fly(seconds: number): void {
  practice.advance(seconds, 10_000)
}

const order = (given: Order): Promise<unknown> => practice.flight.ship.order(given)

/** What stands of the ship now, as bits. */
function now(): readonly number[] {
  const { clock, world } = practice.flight
  expect(world.shipAt(state, id(0), clock.now())).toBe(true)
  return [...state.r, ...state.v, state.fuel]
}

function expected(forecast: Forecast): readonly number[] {
  expect(forecast.stateAt(other, practice.flight.clock.now())).toBe(true)
  return [...other.r, ...other.v]
}

describe('a practice', () => {
  it('flies as its forecast has it, at any pace', async () => {
    const burn = { type: 'control', thrust_level: 1, delta_v: 40 } as const
    const forecast = await practice.flight.forecast(id(0), { hours: 6, orders: [{ order: burn }] })
    expect(forecast.isExact).toBe(true)
    await order(burn)
    for (const [pace, seconds] of [
      [1, 2.5],
      [100, 4],
      [10_000, 1],
      [0, 5],
      [1000, 7.25],
    ]) {
      practice.clock.pace = pace
      const from = practice.flight.clock.now()
      fly(seconds)
      expect(practice.flight.clock.now() - from).toBe(pace * seconds * 64)
      expect(now().slice(0, 6)).toEqual(expected(forecast))
    }
    expect(state.fuel).toBeLessThan(COURIER.fuelCapacity)
  })

  it('flies no further at once than its time allows', () => {
    practice.clock.pace = 1e6
    practice.advance(1, 0)
    expect(practice.flight.clock.now()).toBe(NOW + 65_536)
  })

  it('stands at the time that it is to stop at', () => {
    Object.assign(practice.clock, { pace: 1000, stop: NOW + 64_000.5 })
    fly(20)
    expect(practice.flight.clock.now()).toBe(NOW + 64_000.5)
    expect([practice.clock.pace, practice.clock.stop]).toEqual([0, undefined])
    expect(practice.flight.clock.scale).toBe(0)
  })

  it('reports what happens, and what the ship does', async () => {
    const events: EventMessage[] = []
    const stop = practice.on('event', (event) => events.push(event))
    await order({ type: 'maneuver_start', maneuver: 'circularize' })
    fly(1)
    expect(practice.stated().maneuver).toMatchObject({ maneuver: 'circularize', target_id: null })
    practice.clock.pace = 20_000
    fly(1)
    expect(events.at(-1)).toMatchObject({
      event: 'maneuver_completed',
      maneuver: 'circularize',
      ship_id: id(0),
    })
    const { last_maneuver: last, maneuver, mean_orbit: orbit } = practice.stated()
    expect(maneuver).toBe(null)
    expect(last).toMatchObject({ maneuver: 'circularize', outcome: 'completed', reason: null })
    expect(orbit.eccentricity).toBeLessThan(1e-3)
    stop()
    await order({ type: 'control', pointing: 'target', target_station_id: DEPOT.id })
    await order({ type: 'control', thrust_level: 0.5, delta_v: 10 })
    const count = events.length
    practice.clock.pace = 1
    fly(1)
    expect(practice.stated().steering).toMatchObject({
      pointing: 'target',
      target_station_id: DEPOT.id,
      mode: 'turning',
      burn_delta_v: expect.any(Number),
    })
    expect(events.length).toBe(count)
  })

  it('a maneuver that cannot be flown fails with its reason', async () => {
    const events: EventMessage[] = []
    practice.on('event', (event) => events.push(event))
    const moon = PAIR.bodies[1].name
    const far = { target_body: moon, delta_v_max: 1, depart_within: 3600 }
    await order({ type: 'maneuver_start', maneuver: 'transfer', ...far })
    practice.clock.pace = 20_000
    fly(10)
    expect(events.at(-1)).toMatchObject({ event: 'maneuver_failed' })
    expect(practice.stated().last_maneuver?.outcome).toBe('failed')
  })

  it('refuses what is not part of it in a sentence', async () => {
    const watch = { type: 'control', pointing: 'target', target_ship_id: id(1) } as const
    await expect(order(watch)).rejects.toMatchObject({ code: 'practice' })
    await expect(order({ type: 'undock' })).rejects.toMatchObject({ code: 'E003' })
    await expect(order({ type: 'dock', station_id: id(9) })).rejects.toMatchObject({ code: 'E002' })
    expect(() => practice.begin({ stationId: id(9) })).toThrow('That station is not')
  })

  it('begins where ships begin, or behind a station', () => {
    practice.begin('low_orbit')
    fly(1)
    const [x, y, z] = now()
    expect(Math.hypot(x, y, z)).toBeCloseTo(8e6, -3)
    expect(state.fuel).toBe(COURIER.fuelCapacity)
    practice.begin({ stationId: DEPOT.id })
    fly(0.5)
    now()
    const { clock, world } = practice.flight
    expect(world.objectAt(other, DEPOT.id, clock.now(), state.body)).toBe(true)
    const gap = Math.hypot(...state.r.map((value, axis) => value - other.r[axis]))
    expect(gap).toBeCloseTo(1500, -2)
    expect(practice.stated()).toMatchObject({ maneuver: null, docked_at: null })
  })

  it('has the ship alone, and changes nothing of the game', async () => {
    const before = scene.shipAt(state, id(0), NOW) && [...state.r, ...state.v]
    await order({ type: 'control', thrust_level: 1 })
    practice.clock.pace = 1e4
    fly(10)
    expect(practice.flight.world.ships().map((ship) => ship.id)).toEqual([id(0)])
    expect(practice.flight.ship.mode).toEqual({ mode: 'practised' })
    expect(scene.ships().length).toBe(3)
    expect(scene.shipAt(state, id(0), NOW) && [...state.r, ...state.v]).toEqual(before)
  })

  it('begins only where the ship is flown here', () => {
    expect(() => open(id(9))).toThrow('A practice begins where your ship is flown by this page')
  })
})
