// Goal: stations and gates are where the operator places them, move with their bodies, are seen by
// the pilots of their system, and outlive the server. Method: one real server, started twice;
// positions against the bodies as pilots see them, while the world is paused.
import {
  type JumpgateEntry,
  type ShipState,
  type StationEntry,
  type Vec3,
  jumpgatesResponse,
  stationsResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { dot, length, plus } from './orbit.ts'
import { type PlayerSocket, openSocket, register, shipOf } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

let ida: PlayerSocket
let idaShip: string
let idaToken: string

const server = sharedServer(async () => {
  ;({ ship_id: idaShip, token: idaToken } = await register(server, 'Ida'))
  ida = await openSocket(server, idaToken)
})

const made: string[] = []

async function makeStation(body: object): Promise<StationEntry> {
  const { station } = await server.order('POST', '/api/admin/station', body)
  made.push(station.station_id)
  return station
}

async function makeGate(body: object): Promise<JumpgateEntry> {
  const { jumpgate } = await server.order('POST', '/api/admin/jumpgate', body)
  made.push(jumpgate.jumpgate_id)
  return jumpgate
}

const minus = (a: Vec3, b: Vec3): Vec3 => plus(a, b, -1)

const bodyBelow = (ship: ShipState): Vec3 => minus(ship.position, ship.relative_position)
const bodyMotion = (ship: ShipState): Vec3 => minus(ship.velocity, ship.relative_velocity)

test('a station on an orbit has its altitude, the speed of a circle, and is level', async () => {
  await server.order('POST', '/api/admin/game/pause')
  const station = await makeStation({ name: ' High  Home ', parent_body: 'eARTH', altitude: 1e6 })
  expect(station).toMatchObject({ name: 'High  Home', parent_body: 'Earth' })
  const frame = await ida.next('tick', ({ stations }) =>
    stations.some(({ station_id: id }) => id === station.station_id),
  )
  const ship = shipOf(frame, idaShip)
  expect(ship.reference_body).toBe('Earth')
  const r = minus(station.position, bodyBelow(ship))
  const velocity = minus(station.velocity, bodyMotion(ship))
  // The last bit of Earth's position, 1.5e11 m, is 3e-5 m.
  expect(length(r)).toBeCloseTo(7_371_008.4, 3)
  expect(length(velocity)).toBeCloseTo(Math.sqrt(3.986004e14 / 7_371_008.4), -1)
  expect(dot(r, velocity)).toBeCloseTo(0, -3)
  const { w, x, y, z } = station.attitude
  const up = { x: 2 * (x * z + w * y), y: 2 * (y * z - w * x), z: 1 - 2 * (x * x + y * y) }
  expect(length(plus(up, r, -1 / length(r)))).toBeLessThan(1e-9)
  const { attitude: _, mass: __, ...shown } = station
  expect(frame.stations).toContainEqual(shown)
})

const ORIGIN: Vec3 = { x: 0, y: 0, z: 0 }

/** Distance of L1 of Sun and Earth with its moon over theirs. @source solved to 30 digits */
const L1_RATIO = 1 - 0.010010977233661724

test('gates at L4 and L5 make equal triangles with Sun and Earth with its moon', async () => {
  const one = await makeGate({
    name: 'One',
    primary_body: 'Sun',
    secondary_body: 'Earth',
    lagrange_point: 1,
  })
  const four = await makeGate({ name: 'Four', primary_body: 'sun', secondary_body: 'EARTH' })
  const five = await makeGate({
    name: 'Five',
    primary_body: 'Sun',
    secondary_body: 'Earth',
    lagrange_point: 5,
  })
  expect([four.parent_body, five.parent_body]).toEqual(['Sun', 'Sun'])
  const frame = await ida.next('tick', ({ jumpgates }) =>
    jumpgates.some(({ jumpgate_id: id }) => id === five.jumpgate_id),
  )
  // The two points are as far to either side of the middle between the bodies.
  const both = plus(four.position, five.position)
  const line = minus(plus(one.position, one.position), both)
  const stretch = 1 / (2 * L1_RATIO - 1)
  const sun = plus(ORIGIN, plus(both, line, -stretch), 0.5)
  const barycentre = plus(ORIGIN, plus(both, line, stretch), 0.5)
  expect(length(sun)).toBeLessThan(2.5e9)
  const apart = length(minus(barycentre, sun))
  for (const { position } of [four, five]) {
    expect(length(minus(position, sun)) / apart).toBeCloseTo(1, 12)
    expect(length(minus(position, barycentre)) / apart).toBeCloseTo(1, 12)
  }
  const aside = length(minus(barycentre, bodyBelow(shipOf(frame, idaShip))))
  expect(aside).toBeGreaterThan(4.3e6)
  expect(aside).toBeLessThan(5e6)
  // L4 is ahead of the Earth.
  const motion = bodyMotion(shipOf(frame, idaShip))
  const ahead = minus(four.position, five.position)
  expect(dot(ahead, motion)).toBeGreaterThan(0)
})

test('a station at a point of the Moon moves with it', async () => {
  const station = await makeStation({
    name: 'Behind',
    parent_body: 'Earth',
    secondary_body: 'moon',
    lagrange_point: 2,
  })
  await server.order('POST', '/api/admin/game/resume')
  const find = async (): Promise<Vec3> => {
    const tick = await ida.freshTick()
    return tick.stations.find(({ station_id: id }) => id === station.station_id)!.position
  }
  const first = await find()
  const second = await find()
  // About 30 km each second with the Earth.
  expect(length(minus(second, first))).toBeGreaterThan(20_000)
})

test('a ship that is moved sees the gates of its new system', async () => {
  const gate = await makeGate({
    name: 'There',
    primary_body: 'Proxima Centauri',
    secondary_body: 'Proxima b',
  })
  const path = `/api/admin/ship/${idaShip}/system`
  await server.order('POST', path, { system_id: 'alpha-centauri' })
  const tick = await ida.freshTick()
  expect(shipOf(tick, idaShip)).toMatchObject({
    system_id: 'alpha-centauri',
    reference_body: 'Proxima b',
    thrust_level: 0,
  })
  expect(tick.jumpgates.map(({ jumpgate_id: id }) => id)).toContain(gate.jumpgate_id)
  expect(tick.stations).toEqual([])
})

/** What these tests made, in the order of the lists, without what a tick changes. */
async function listed(): Promise<readonly { readonly name: string }[]> {
  const { stations } = v.parse(stationsResponse, await server.order('GET', '/api/admin/stations'))
  const { jumpgates } = v.parse(
    jumpgatesResponse,
    await server.order('GET', '/api/admin/jumpgates'),
  )
  return [
    ...stations.map(({ station_id: id, ...rest }) => ({ ...rest, id, attitude: undefined })),
    ...jumpgates.map(({ jumpgate_id: id, ...rest }) => ({ ...rest, id })),
  ]
    .filter(({ id }) => made.includes(id))
    .map((object) => ({ ...object, position: undefined, velocity: undefined }))
}

test.runIf(IS_NIGHT)('all of it exists after a restart', async () => {
  const before = await listed()
  const names = ['High  Home', 'Behind', 'One', 'Four', 'Five', 'There']
  expect(before.map(({ name }) => name)).toEqual(names)
  await ida.close()
  await server.stop()
  await server.restart()
  expect(await listed()).toEqual(before)
  ida = await openSocket(server, idaToken)
  const tick = await ida.next('tick')
  expect(shipOf(tick, idaShip).system_id).toBe('alpha-centauri')
  await server.order('POST', `/api/admin/ship/${idaShip}/system`, { system_id: 'sol' })
  const home = await ida.freshTick()
  const station = home.stations.find(({ name }) => name === 'High  Home')!
  // The rail is the same; the tick is another, so only the circle can be compared.
  const r = minus(station.position, bodyBelow(shipOf(home, idaShip)))
  expect(length(r)).toBeCloseTo(7_371_008.4, 3)
})
