// Goal: two pilots and an operator on a real server, across a restart, see what the interface and
// the laws of flight say. Method: one server process without other players, stopped by SIGTERM and
// started again; values that flight dynamics fixes (orbital speed, rocket equation, fuel flow) are
// computed here, not taken from the server.
import {
  type OwnShipState,
  loginResponse,
  ownShipState,
  serverMessage,
  shipState,
} from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  DRY_MASS,
  EARTH_GM,
  EARTH_RADIUS,
  EXHAUST_VELOCITY,
  FUEL_CAPACITY,
  THRUST_MAX,
  coasted,
  dot,
  gravity,
  length,
  nose,
  plus,
  seconds,
} from './orbit.ts'
import { timestamp } from '../../src/views/wire-views.ts'
import { PASSWORD, type PlayerSocket, ask, openSocket, register, shipOf } from '../player-client.ts'
import { loudLines, startRefusal } from '../server-process.ts'
import { KEPT } from '@orrery/testkit/kept-server'
import { sharedServer } from '../used-server.ts'

let ida: Awaited<ReturnType<typeof register>>
let max: Awaited<ReturnType<typeof register>>
let idaSocket: PlayerSocket
let maxSocket: PlayerSocket

const server = sharedServer()

async function ownShip(token: string): Promise<OwnShipState> {
  const { status, body } = await ask(server, 'GET', '/api/player/ship', { token })
  expect(status).toBe(200)
  return v.parse(ownShipState, body)
}

test('a registered player has a fuelled ship on a low circular orbit', async () => {
  ida = await register(server, 'Ida')
  max = await register(server, 'Max')
  expect(ida.username).toBe('Ida')
  expect(ida.ship_id).not.toBe(max.ship_id)
  const ship = await ownShip(ida.token)
  expect(ship).toMatchObject({
    ship_id: ida.ship_id,
    name: 'Ida',
    system_id: 'sol',
    reference_body: 'Earth',
    thrust_level: 0,
    fuel: FUEL_CAPACITY,
    fuel_capacity: FUEL_CAPACITY,
    mass: DRY_MASS + FUEL_CAPACITY,
    wheel_saturation: { x: 0, y: 0, z: 0 },
  })
  const radius = length(ship.relative_position)
  expect(radius - EARTH_RADIUS).toBeGreaterThan(400_000)
  expect(radius - EARTH_RADIUS).toBeLessThan(600_000)
  const circular = Math.sqrt(EARTH_GM / radius)
  expect(Math.abs(length(ship.relative_velocity) / circular - 1)).toBeLessThan(0.005)
  const { w, x, y, z } = ship.attitude
  expect(Math.hypot(w, x, y, z)).toBeCloseTo(1, 12)
  const { orbit, delta_v: deltaV } = ship
  const speed = length(ship.relative_velocity)
  const axis = 1 / (2 / radius - (speed * speed) / EARTH_GM)
  expect(orbit.plane).toBe('equator')
  expect(orbit.semi_major_axis! / axis).toBeCloseTo(1, 6)
  expect(orbit.period! / (2 * Math.PI * Math.sqrt(axis ** 3 / EARTH_GM))).toBeCloseTo(1, 6)
  expect(orbit.altitude).toBeCloseTo(radius - EARTH_RADIUS, 3)
  const apsides = orbit.periapsis_altitude + orbit.apoapsis_altitude!
  expect(apsides / 2 / (axis - EARTH_RADIUS)).toBeCloseTo(1, 4)
  expect(deltaV).toBeCloseTo(EXHAUST_VELOCITY * Math.log(1 + FUEL_CAPACITY / DRY_MASS), 6)
  // Barycentric: Earth is 0.983 to 1.017 au from the sun, the sun within 0.01 au of the origin.
  const au = 149_597_870_700
  expect(length(ship.position) / au).toBeGreaterThan(0.97)
  expect(length(ship.position) / au).toBeLessThan(1.03)
})

test('ticks come one by one, a second each, with every ship in view', async () => {
  idaSocket = await openSocket(server, ida.token)
  maxSocket = await openSocket(server, max.token)
  const welcome = await idaSocket.next('welcome')
  expect(welcome).toMatchObject({ server_name: KEPT.SERVER_NAME, tick_rate: 1, time_scale: 1 })
  const first = await idaSocket.freshTick()
  const second = await idaSocket.next('tick')
  expect(second.tick).toBe(first.tick + 1)
  expect(seconds(second.game_time) - seconds(first.game_time)).toBeCloseTo(1, 6)
  expect(second.era).toBe(welcome.era)
  expect(second.stations.map(({ name }) => name)).toContain('Earth Station')
  expect(second.jumpgates.map(({ name }) => name)).toEqual([
    'Sol Gate',
    'Sol Gate L5',
    'Moon Gate',
    'Moon Gate L5',
  ])
  const ships = v.parse(v.array(shipState), second.ships)
  expect(ships.map(({ name }) => name).toSorted()).toEqual(['Ida', 'Max'])
  expect(ships.filter(({ orbit }) => orbit).map(({ name }) => name)).toEqual(['Ida'])
})

test('at 20 Hz and scale 10 a tick is 0.5 s', async () => {
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 10 })
  let before = await idaSocket.freshTick()
  for (let i = 0; i < 20; i++) {
    const tick = await idaSocket.next('tick')
    expect(tick.tick).toBe(before.tick + 1)
    expect(Date.parse(tick.game_time) - Date.parse(before.game_time)).toBe(500)
    expect(tick.effective_time_scale).toBe(10)
    before = tick
  }
})

test('full thrust burns 12.5 kg/s and pushes along the nose by the rocket equation', async () => {
  idaSocket.send({ type: 'control', id: 'burn', thrust_level: 1 })
  const { id, game_time: start } = await idaSocket.next('accepted')
  expect(id).toBe('burn')
  const lit = await idaSocket.next('tick', (tick) => seconds(tick.game_time) >= seconds(start))
  const flow = THRUST_MAX / EXHAUST_VELOCITY
  const first = shipOf(lit, ida.ship_id)
  let last = first
  let burnt = 0
  for (let i = 0; i < 6; i++) {
    const tick = await idaSocket.next('tick')
    last = shipOf(tick, ida.ship_id)
    burnt = seconds(tick.game_time) - seconds(start)
    // Timestamps are whole milliseconds, burns begin at sixteenths of a second.
    expect(Math.abs(FUEL_CAPACITY - flow * burnt - last.fuel)).toBeLessThan(0.002 * flow)
    expect(last.mass).toBeCloseTo(DRY_MASS + last.fuel, 6)
    expect(last.thrust_level).toBe(1)
  }
  idaSocket.send({ type: 'control', id: 'cut', thrust_level: 0 })
  const cut = await idaSocket.next('accepted')

  const span = (first.fuel - last.fuel) / flow
  const moved = plus(last.relative_position, first.relative_position, -1)
  const changed = plus(last.relative_velocity, first.relative_velocity, -1)
  const pushed = plus(changed, gravity(plus(first.relative_position, moved, 0.5)), -span)
  const rocket = EXHAUST_VELOCITY * Math.log(first.mass / last.mass)
  expect(length(pushed) / rocket).toBeCloseTo(1, 2)
  expect(dot(pushed, nose(first)) / length(pushed)).toBeGreaterThan(0.9999)

  const after = await idaSocket.next('tick', ({ game_time: at }) => at > cut.game_time)
  const coasting = shipOf(after, ida.ship_id)
  expect(coasting.thrust_level).toBe(0)
  const burning = seconds(cut.game_time) - seconds(start)
  expect(Math.abs(FUEL_CAPACITY - flow * burning - coasting.fuel)).toBeLessThan(0.002 * flow)
  // The other ship, which got no command, has all its fuel.
  expect(shipOf(after, max.ship_id).fuel).toBe(FUEL_CAPACITY)
})

test('a commanded attitude is reached and held', async () => {
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const { attitude: from } = await ownShip(max.token)
  // A quarter turn about the hull's z axis, sent three times as long as a unit quaternion is.
  const half = Math.SQRT1_2
  const target = {
    w: half * (from.w - from.z),
    x: half * (from.x + from.y),
    y: half * (from.y - from.x),
    z: half * (from.z + from.w),
  }
  const sent = { w: 3 * target.w, x: 3 * target.x, y: 3 * target.y, z: 3 * target.z }
  const off = ({ attitude: q }: Pick<OwnShipState, 'attitude'>): number =>
    1 - Math.abs(q.w * target.w + q.x * target.x + q.y * target.y + q.z * target.z)
  expect(off(await ownShip(max.token))).toBeGreaterThan(0.2)
  maxSocket.send({ type: 'control', id: 2, attitude: sent })
  const { id, game_time: start } = await maxSocket.next('accepted')
  expect(id).toBe(2)
  const arrived = await maxSocket.next('tick', (tick) => {
    const ship = shipOf(tick, max.ship_id)
    return off(ship) < 1e-9 && length(ship.angular_velocity) < 1e-6
  })
  // At 0.05 rad/s, reached in ten seconds, a quarter turn takes 42 s.
  expect(seconds(arrived.game_time) - seconds(start)).toBeLessThan(120)
  const held = await maxSocket.next('tick', ({ tick }) => tick >= arrived.tick + 5)
  expect(off(shipOf(held, max.ship_id))).toBeLessThan(1e-9)
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 10 })
})

/** Fields of a ship that only its pilot is sent. */
const PILOTS_OWN: ReadonlySet<string> = new Set([
  'mean_orbit',
  'docked_at',
  'last_maneuver',
  'maneuver',
  'orbit',
  'steering',
])

test('a pause stops every ship; a resume goes on from there', async () => {
  const { paused_at_tick: at } = await server.order('POST', '/api/admin/game/pause')
  const paused = await idaSocket.next('paused')
  expect(paused.tick).toBe(at)
  const notice = await maxSocket.next('paused')
  expect(notice).toEqual(paused)
  const still = await ownShip(ida.token)

  // Renames take longer than the periods of a world that goes on; each is shown by one frame.
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 100 })
  for (const name of ['At rest', 'Still at rest', 'Ida at rest']) {
    expect(await idaSocket.answer({ type: 'ship_rename', name })).toMatchObject({ name })
  }
  expect(await ownShip(ida.token)).toEqual({ ...still, name: 'Ida at rest' })
  const frame = await maxSocket.next('tick', (tick) => {
    return shipOf(tick, ida.ship_id).name === 'Ida at rest'
  })
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  const frames = maxSocket.messages.slice(maxSocket.messages.indexOf(notice) + 1)
  const times = frames.flatMap((item) =>
    item.type === 'tick' ? [[item.tick, item.game_time]] : [],
  )
  expect(new Set(times.map(String))).toEqual(new Set([String([at, paused.game_time])]))
  expect(frame).toMatchObject({ tick: at, game_time: paused.game_time })
  const others = Object.entries(still).filter(([field]) => !PILOTS_OWN.has(field))
  const seen = { ...Object.fromEntries(others), name: 'Ida at rest' }
  expect(shipOf(frame, ida.ship_id)).toEqual(seen)

  // A command during a pause acts after the resume.
  idaSocket.send({ type: 'control', id: 'later', thrust_level: 0.5, at: 0 })
  const accepted = await idaSocket.next('accepted')
  expect(timestamp(accepted.index ?? NaN)).toBe(accepted.game_time)
  const ahead = { type: 'control', thrust_level: 1, at: (accepted.index ?? 0) + 1284 }
  expect(await idaSocket.answer(ahead)).toMatchObject({ type: 'error', code: 'E001' })
  expect(accepted.game_time > paused.game_time).toBe(true)
  expect((await ownShip(ida.token)).thrust_level).toBe(0)

  idaSocket.skip()
  await server.order('POST', '/api/admin/game/resume')
  for (const socket of [idaSocket, maxSocket]) {
    expect(await socket.next('resumed')).toMatchObject({ tick: at, game_time: paused.game_time })
  }
  const next = await idaSocket.next('tick')
  expect(next.tick).toBe(at + 1)
  expect(Date.parse(next.game_time) - Date.parse(paused.game_time)).toBe(500)
  expect(shipOf(next, ida.ship_id).thrust_level).toBe(0.5)
  idaSocket.send({ type: 'control', id: 'off', thrust_level: 0 })
  await idaSocket.next('accepted')
})

test('a second server on the same world refuses to start, and the first goes on', async () => {
  expect(await startRefusal(server.variables)).toContain(server.variables['DATA_DIR'])
  await idaSocket.freshTick()
})

test('SIGTERM closes sockets and ends with 0; a new start has the same world', async () => {
  const last = await idaSocket.freshTick()
  const before = shipOf(last, ida.ship_id)
  expect(before.thrust_level).toBe(0)
  const exit = server.stop()
  for (const socket of [idaSocket, maxSocket]) {
    await socket.next('shutdown')
    expect(await socket.closed).toEqual({ code: 1001, reason: 'shutdown' })
    expect(socket.messages.at(-1)?.type).toBe('shutdown')
  }
  expect(await exit).toBe(0)
  expect(loudLines(server.output())).toEqual([])
  for (const message of [...idaSocket.messages, ...maxSocket.messages]) {
    expect(v.parse(serverMessage, message)).toEqual(message)
  }

  await server.restart()
  const login = { body: { username: 'ida', password: PASSWORD } }
  const { status, body } = await ask(server, 'POST', '/api/auth/login', login)
  expect(status).toBe(200)
  const { token, ...account } = v.parse(loginResponse, body)
  const { player_id, ship_id } = ida
  expect(account).toEqual({ player_id, username: 'Ida', ship_id, is_admin: false })
  const socket = await openSocket(server, token)
  const welcome = await socket.next('welcome')
  expect(welcome).toMatchObject({ ship_id, tick_rate: 20, time_scale: 10, paused: false })
  expect(welcome.tick).toBeGreaterThanOrEqual(last.tick)
  expect(welcome.game_time >= last.game_time).toBe(true)

  const tick = await socket.next('tick')
  expect(tick.tick - last.tick).toBe(2 * (seconds(tick.game_time) - seconds(last.game_time)))
  const after = shipOf(tick, ida.ship_id)
  const { name, fuel, mass, attitude } = before
  expect(after).toMatchObject({ name, fuel, mass })
  // Each view normalizes it, so the last bit may differ.
  for (const axis of ['w', 'x', 'y', 'z'] as const) {
    expect(after.attitude[axis]).toBeCloseTo(attitude[axis], 13)
  }
  const span = seconds(tick.game_time) - seconds(last.game_time)
  expect(span).toBeGreaterThan(0)
  const miss = length(plus(after.relative_position, coasted(before, span), -1))
  // Earth's oblateness and the other bodies together stay below 0.03 m/s² in this orbit.
  expect(miss).toBeLessThan(1 + 0.015 * span * span)
  expect(shipOf(tick, max.ship_id)).toMatchObject({ name: 'Max', fuel: FUEL_CAPACITY })
  expect(await ownShip(ida.token)).toMatchObject({ ship_id: ida.ship_id })
})
