// Law: a flight shows what the ticks of its socket hold, among bodies that it asks for.
// Method: real sockets to a server on a real port that sends what each test gives it.
import type { BodiesResponse, SystemResponse } from '@orrery/protocol'
import { createStateVector, latticeFromUtc, railState, turnRate, utcFromLattice } from '@orrery/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Flight,
  type WorldEvents,
  createShipSample,
  openFlight,
} from '../../src/flight/index.ts'
import { createBodies } from '../../src/scene/bodies.ts'
import {
  type GameSocket,
  type ShipState,
  type Vec3,
  connectSocket,
  createGameClient,
} from '../../src/index.ts'
import {
  type LocalServer,
  type Reply,
  type ServerSide,
  WELCOME,
  localServer,
  tickMessage,
} from '../local-server.ts'
import { type SimulatedClock, simulatedClock } from '../simulated-clock.ts'
import { next } from '../flight/flown-ship.ts'
import { PAIR, pairAt } from '../flight/sent-frames.ts'

const SHIP = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'
const OTHER = '0badcafe-0000-4000-8000-000000000001'
const INDEX = latticeFromUtc(Date.parse(WELCOME.game_time))
const NODE = Math.floor(INDEX / 16384)

let server: LocalServer
let clock: SimulatedClock
let socket: GameSocket
let side: ServerSide
let flight: Flight

beforeEach(async () => {
  server = await localServer({ greets: false })
  clock = simulatedClock()
})

afterEach(async () => {
  flight.close()
  socket.close()
  await server.close()
})

async function open(): Promise<void> {
  const game = createGameClient(server)
  socket = connectSocket({ url: server.url, token: 'a.b.c', clock, wire: 'json' })
  flight = openFlight({ socket, game, clock })
  side = await server.socket()
}

/** The next event of the world of a kind. */
function happened<Kind extends keyof WorldEvents>(kind: Kind): Promise<WorldEvents[Kind]> {
  return new Promise((resolve) => {
    const stop = flight.world.on(kind, (event) => {
      stop()
      resolve(event)
    })
  })
}

describe('with ticks', () => {
  const rail = {
    kind: 'orbit',
    parent: 0,
    radius: 7e6,
    pole: [0.6, 0, 0.8],
    rate: turnRate(1.07e-3),
    epoch: INDEX - 123_456,
  } as const
  const STATION = '0badcafe-0000-4000-8000-00000000000a'
  const GATE = '0badcafe-0000-4000-8000-00000000000b'
  const bodies = createBodies(PAIR)
  bodies.anchor(pairAt(NODE))
  const vector = (values: Float64Array): Vec3 => ({ x: values[0], y: values[1], z: values[2] })
  const out = createShipSample()

  /** State of a body, or of the station, from the barycentre. */
  function place(body: number, time: number): { position: Vec3; velocity: Vec3 } {
    bodies.reach(time)
    bodies.stateAt(out, body, -1, time)
    return { position: vector(out.r), velocity: vector(out.v) }
  }

  /** of the planet in the system `other`; the one of `pair` is a sphere */
  const SHAPE = { pole: { x: 0.6, y: 0, z: 0.8 }, reference_radius: 6.4e6, j2: 1e-3, j4: -2e-6 }

  function replies(request: string): Reply | undefined {
    const nothing = { secondary_body: null, lagrange_point: null, orbit_radius: null }
    const object = { name: 'Object', parent_body: 'Globe', mass: 1, radius: 30 }
    const system: SystemResponse = {
      id: PAIR.id,
      name: PAIR.name,
      star_body: 'Globe',
      home_body: 'Globe',
      position: { x: 0, y: 0, z: 0 },
      bodies: PAIR.bodies.map(({ name, gm, radius, parent }) => ({
        name,
        kind: 'planet',
        parent_body: PAIR.bodies[parent]?.name ?? null,
        gm,
        radius,
        sphere_of_influence: null,
        pole: null,
        reference_radius: null,
        j2: null,
        j4: null,
        accuracy: null,
      })),
      stations: [{ ...object, ...nothing, station_id: STATION, orbit_radius: 7e6 }],
      jumpgates: [
        {
          ...object,
          jumpgate_id: GATE,
          secondary_body: 'Moon',
          lagrange_point: 4,
          paired_jumpgate_id: null,
        },
      ],
    }
    const at = new Date(utcFromLattice(NODE * 16384)).toISOString()
    const moment = { game_time: at, from: at, until: at }
    const states: BodiesResponse = {
      ...moment,
      bodies: PAIR.bodies.map(({ name }, body) => {
        const state = place(body, NODE * 16384)
        const relative = { relative_position: state.position, relative_velocity: state.velocity }
        return { name, parent_body: null, ...state, ...relative, accuracy: null }
      }),
    }
    if (request === 'GET /api/systems/pair') return { status: 200, body: JSON.stringify(system) }
    if (request === 'GET /api/systems/other') {
      const [globe, moon] = system.bodies
      const shaped = [
        { ...globe, ...SHAPE },
        { ...moon, pole: { x: 0, y: 0, z: 1 } },
      ]
      return { status: 200, body: JSON.stringify({ ...system, id: 'other', bodies: shaped }) }
    }
    if (/^GET \/api\/systems\/\w+\/bodies/.test(request)) {
      const isAsked = request.endsWith(`/bodies?at=${encodeURIComponent(at)}`)
      return isAsked ? { status: 200, body: JSON.stringify(states) } : undefined
    }
    return undefined
  }

  const ship: ShipState = {
    ship_id: SHIP,
    name: 'Ida',
    system_id: PAIR.id,
    ship_class: 'courier',
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 0, y: 0, z: 0 },
    reference_body: 'Globe',
    relative_position: { x: 7e6, y: 0, z: 0 },
    relative_velocity: { x: 0, y: Math.sqrt(3.986004418e14 / 7e6), z: 0 },
    attitude: { w: 1, x: 0, y: 0, z: 0 },
    angular_velocity: { x: 0, y: 0, z: 0.1 },
    thrust_level: 0,
    fuel: 10_000,
    fuel_capacity: 10_000,
    mass: 30_000,
    delta_v: 9731,
    wheel_saturation: { x: 0, y: 0, z: 0.5 },
  }

  /** Waits until the client has taken the next message of a kind. */
  const taken = (kind: 'clock' | 'paused' | 'tick' | 'welcome'): Promise<void> =>
    next((listener) => socket.on(kind, listener))

  function tick(count: number, ships: readonly ShipState[]): void {
    const seconds = count - 41
    const globe = place(0, INDEX + 64 * seconds)
    railState(out, bodies.ephemeris, rail, INDEX + 64 * seconds, 0)
    side.send({
      ...tickMessage(count, Date.parse(WELCOME.game_time) + 1000 * seconds),
      ships,
      stations: [
        {
          station_id: STATION,
          name: 'Object',
          parent_body: 'Globe',
          radius: 30,
          position: {
            x: globe.position.x + out.r[0],
            y: globe.position.y + out.r[1],
            z: globe.position.z + out.r[2],
          },
          velocity: {
            x: globe.velocity.x + out.v[0],
            y: globe.velocity.y + out.v[1],
            z: globe.velocity.z + out.v[2],
          },
        },
      ],
      jumpgates: [
        { jumpgate_id: GATE, name: 'Object', parent_body: 'Globe', radius: 30, ...place(1, INDEX) },
      ],
    })
  }

  beforeEach(async () => {
    server.reply(replies)
    await open()
    side.send(WELCOME)
    await socket.opened
    const objects = happened('objects')
    tick(42, [ship])
    await objects
    if (flight.world.objects().length === 0) await happened('objects')
    const joined = happened('joined')
    tick(43, [ship, { ...ship, ship_id: OTHER, name: 'Eros' }])
    await joined
  })

  it('the world is the same', () => {
    const { world } = flight
    expect(world.ships()).toMatchObject([
      { id: SHIP, name: 'Ida' },
      { id: OTHER, name: 'Eros' },
    ])
    const time = INDEX + 128
    expect(flight.clock.serverNow()).toBeCloseTo(time, 0)
    expect(world.bodyAt(out, 'Moon', time, 'Globe')).toBe(true)
    const expected = createStateVector()
    bodies.stateAt(expected, 1, 0, time)
    for (let axis = 0; axis < 3; axis++) expect(out.r[axis]).toBeCloseTo(expected.r[axis], 3)
    for (const later of [128, 640.5]) {
      const n = INDEX + Math.floor(later)
      expect(world.objectAt(out, STATION, n, 'Globe')).toBe(true)
      railState(expected, bodies.ephemeris, rail, n, 0)
      // A timestamp has milliseconds, in which it moves 7 m.
      expect(Math.hypot(...out.r.map((x, i) => x - expected.r[i]))).toBeLessThan(60)
    }
    expect(world.objectAt(out, GATE, time)).toBe(true)
    expect(world.completeness()).toEqual({ known: 2, inView: 2, waiting: 0 })
  })

  it('ships coast and turn on between ticks', () => {
    const now = flight.clock.now()
    expect(flight.world.shipAt(out, SHIP, now + 640)).toBe(true)
    const angle = (10 * Math.sqrt(3.986004418e14 / 7e6)) / 7e6
    expect(out.r[0]).toBeCloseTo(7e6 * Math.cos(angle), 1)
    expect(out.r[1]).toBeCloseTo(7e6 * Math.sin(angle), 1)
    expect(out.attitude[3]).toBeCloseTo(Math.sin(0.5), 6)
    expect(out.wheels[2]).toBe(0.5)
  })

  it('a ship that is in no tick any more has left, also the last', async () => {
    const left = happened('left')
    tick(44, [ship])
    expect(await left).toMatchObject([{ id: OTHER }])
    expect(flight.world.ships()).toMatchObject([{ id: SHIP }])
    const last = happened('left')
    tick(45, [])
    expect(await last).toMatchObject([{ id: SHIP }])
    expect(flight.world.ships()).toEqual([])
  })

  it('the fuel stays, and the orbit is the same before the tick', () => {
    const angle = Math.sqrt(3.986004418e14 / 7e6) / 7e6
    for (const seconds of [-640, 640]) {
      expect(flight.world.shipAt(out, SHIP, INDEX + 128 + 64 * seconds)).toBe(true)
      expect(out.fuel).toBe(10_000)
      expect(Math.hypot(...out.r)).toBeCloseTo(7e6, 1)
      expect(Math.atan2(out.r[1], out.r[0])).toBeCloseTo(seconds * angle, 5)
    }
  })

  it('the clock is as old as the message is, and stands while the game does', async () => {
    const now = new Date(Date.parse(WELCOME.game_time) + 10_000).toISOString()
    const state = { tick_rate: 1, time_scale: 2, effective_time_scale: 2, paused: false }
    const changed = taken('clock')
    side.send({ type: 'clock', ...state, game_time: now, age: 0.25 })
    await changed
    expect(flight.clock.serverNow()).toBeCloseTo(INDEX + 640 + 32, 0)
    expect(flight.clock.scale).toBe(2)
    const paused = taken('paused')
    side.send({ type: 'paused', tick: 51, game_time: now })
    await paused
    clock.pass(1000)
    expect(flight.clock.scale).toBe(0)
    expect(flight.clock.serverNow()).toBeCloseTo(INDEX + 640, 0)
    expect(flight.clock.utc(INDEX + 0.5) - flight.clock.utc(INDEX)).toBeCloseTo(7.8125, 2)
  })

  it('what is known is asked for once, and again where it is another', async () => {
    const asked = [...server.requests]
    expect(asked).toHaveLength(2)
    tick(44, [ship])
    await taken('tick')
    expect(server.requests).toEqual(asked)
    const entered = happened('system')
    const objects = happened('objects')
    const elsewhere = { ...ship, system_id: 'other' }
    tick(45, [elsewhere])
    expect(await entered).toEqual({
      ...PAIR,
      id: 'other',
      bodies: [
        {
          ...PAIR.bodies[0],
          oblateness: { referenceRadius: 6.4e6, j2: 1e-3, j4: -2e-6, pole: [0.6, 0, 0.8] },
        },
        { ...PAIR.bodies[1], oblateness: { referenceRadius: 1.74e6, j2: 0, pole: [0, 0, 1] } },
      ],
    })
    await objects
    expect(flight.world.ships()).toEqual([])
    const joined = happened('joined')
    tick(46, [elsewhere])
    expect(await joined).toMatchObject([{ id: SHIP }])
    expect(server.requests).toHaveLength(4)
  })

  it('is asked for again after a failure', async () => {
    const faults: unknown[] = []
    flight.on('fault', ({ error }) => faults.push(error))
    server.reply(() => ({ status: 500 }))
    const elsewhere = { ...ship, system_id: 'other' }
    tick(44, [elsewhere])
    await taken('tick')
    server.reply(replies)
    for (let count = 45; flight.world.system?.id !== 'other'; count++) {
      tick(count, [elsewhere])
      await taken('tick')
    }
    expect(faults).toEqual([])
  })

  it('a ship about a body that is not known is left out', async () => {
    const left = happened('left')
    tick(44, [ship, { ...ship, ship_id: OTHER, name: 'Eros', reference_body: 'Pluto' }])
    expect(await left).toMatchObject([{ id: OTHER }])
  })

  it('a ship changes with its throttle alone', async () => {
    const changes: string[] = []
    flight.world.on('changed', (ships) => changes.push(ships.map(({ name }) => name).join()))
    const other = { ...ship, ship_id: OTHER, name: 'Eros' }
    for (const [i, level] of [0, 0.5, 0.5, 0].entries()) {
      tick(44 + i, [ship, { ...other, thrust_level: level }])
      await taken('tick')
    }
    expect(changes).toEqual(['Eros', 'Eros'])
  })

  it('the attitude and the engine of a ship are those of its tick', async () => {
    const attitude = { w: 0.5, x: 0.1, y: -0.7, z: 0.5 }
    const angular = { x: 0, y: 0, z: 0 }
    const wheels = { x: 0.1, y: 0.2, z: 0.3 }
    const turned = { attitude, angular_velocity: angular, wheel_saturation: wheels }
    tick(44, [{ ...ship, ...turned, thrust_level: 0.25, fuel: 700 }])
    await taken('tick')
    expect(flight.world.shipAt(out, SHIP, INDEX + 64 * 5)).toBe(true)
    const { attitude: q, rate, wheels: shown, thrustLevel, fuel, isFrozen } = out
    expect([[...q], [...rate], [...shown], thrustLevel, fuel, isFrozen]).toEqual([
      Object.values(attitude),
      [0, 0, 0],
      Object.values(wheels),
      0.25,
      700,
      false,
    ])
  })

  it('a clock that stands is shown so, also on another connection', async () => {
    const stands = { tick_rate: 1, time_scale: 2, effective_time_scale: 2, paused: true }
    const now = new Date(Date.parse(WELCOME.game_time) + 10_000).toISOString()
    side.send({ type: 'clock', ...stands, game_time: now, age: 3 })
    await taken('clock')
    expect([flight.clock.scale, flight.clock.serverNow()]).toEqual([
      0,
      expect.closeTo(INDEX + 640, 0),
    ])
    const fast = { effective_time_scale: 4, game_time: now, age: 0.5 }
    side.send({ ...WELCOME, ...fast })
    await taken('welcome')
    expect(flight.clock.scale).toBe(4)
    expect(flight.clock.serverNow()).toBeCloseTo(INDEX + 640 + 128, 0)
    side.send({ ...WELCOME, ...fast, paused: true })
    await taken('welcome')
    expect([flight.clock.scale, flight.clock.serverNow()]).toEqual([
      0,
      expect.closeTo(INDEX + 640, 0),
    ])
  })
})
