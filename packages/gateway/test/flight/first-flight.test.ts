// Goal: what two pilots and an operator live through on a real server, a restart included, agrees
// with the interface and with the laws of flight. Method: one server process on an empty
// directory, stopped by SIGTERM and started again; values that flight dynamics fixes (orbital
// speed, rocket equation, fuel flow) are computed here, not taken from the server.
import {
  type ShipState,
  adminStatusResponse,
  loginResponse,
  shipState,
  statusResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
import { pilotWords } from '../sockets/pilot-words.ts'
import {
  PASSWORD,
  type PlayerSocket,
  adminToken,
  ask,
  openSocket,
  register,
  shipOf,
} from '../player-client.ts'
import {
  STARTING_TEST_MS_MAX,
  type ServerProcess,
  dataDirectory,
  environment,
  refusedStart,
  startServer,
} from '../server-process.ts'

const directory = dataDirectory()
const variables = environment(directory.path, { SERVER_NAME: 'Proving Ground' })

let server: ServerProcess
let admin: string
let ida: Awaited<ReturnType<typeof register>>
let max: Awaited<ReturnType<typeof register>>
let idaSocket: PlayerSocket
let maxSocket: PlayerSocket

beforeAll(async () => {
  server = await startServer(variables)
}, STARTING_TEST_MS_MAX)

afterAll(async () => {
  // Undefined when it did not start.
  await (server as ServerProcess | undefined)?.stop()
  directory.remove()
})

async function ownShip(token: string): Promise<ShipState> {
  const { status, body } = await ask(server, 'GET', '/api/player/ship', { token })
  expect(status).toBe(200)
  return v.parse(shipState, body)
}

async function control(path: string, body: object): Promise<unknown> {
  const answer = await ask(server, 'PUT', `/api/admin/game/${path}`, { token: admin, body })
  expect(answer.status).toBe(200)
  return answer.body
}

test('a registered player has a fuelled ship on a low circular orbit', async () => {
  ida = await register(server, 'Ida')
  max = await register(server, 'Max')
  admin = await adminToken(server)
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
  // Barycentric: Earth is 0.983 to 1.017 au from the sun, the sun within 0.01 au of the origin.
  const au = 149_597_870_700
  expect(length(ship.position) / au).toBeGreaterThan(0.97)
  expect(length(ship.position) / au).toBeLessThan(1.03)
})

test('a socket is welcomed, then gets ticks one by one with every ship in view', async () => {
  idaSocket = await openSocket(server, ida.token)
  maxSocket = await openSocket(server, max.token)
  expect(idaSocket.socket.protocol).toBe('orrery.v1')
  const welcome = await idaSocket.next('welcome')
  expect(idaSocket.messages[0]).toBe(welcome)
  expect(welcome).toMatchObject({
    protocol: 'orrery.v1',
    player_id: ida.player_id,
    ship_id: ida.ship_id,
    server_name: 'Proving Ground',
    tick_rate: 1,
    time_scale: 1,
    paused: false,
  })
  const first = await idaSocket.freshTick()
  const second = await idaSocket.next('tick')
  expect(second.tick).toBe(first.tick + 1)
  expect(seconds(second.game_time) - seconds(first.game_time)).toBeCloseTo(1, 6)
  expect(second.effective_time_scale).toBe(1)
  expect(second.era).toBe(welcome.era)
  expect(second.stations.map(({ name }) => name)).toContain('Earth Station')
  expect(second.jumpgates.map(({ name }) => name)).toEqual(['Sol Gate'])
  const names = v.parse(v.array(shipState), second.ships).map(({ name }) => name)
  expect(names.toSorted()).toEqual(['Ida', 'Max'])
})

test('tick rate and time scale change what comes: at 20 Hz and 10, 0.5 s a tick', async () => {
  let previous = 1
  for (const rate of [0.1, 100, 20]) {
    const changed = { previous_rate: previous, new_rate: rate }
    expect(await control('tick-rate', { tick_rate: rate })).toEqual(changed)
    previous = rate
  }
  previous = 1
  for (const scale of [0.1, 100, 10]) {
    const changed = { previous_scale: previous, new_scale: scale }
    expect(await control('time-scale', { time_scale: scale })).toEqual(changed)
    previous = scale
  }
  let before = await idaSocket.freshTick()
  for (let i = 0; i < 20; i++) {
    const tick = await idaSocket.next('tick')
    expect(tick.tick).toBe(before.tick + 1)
    expect(Date.parse(tick.game_time) - Date.parse(before.game_time)).toBe(500)
    expect(tick.effective_time_scale).toBe(10)
    before = tick
  }
})

test('full thrust burns 25 kg/s and pushes along the nose by the rocket equation', async () => {
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
  await control('time-scale', { time_scale: 100 })
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
  const off = ({ attitude: q }: ShipState): number =>
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
  await control('time-scale', { time_scale: 10 })
})

pilotWords({
  ida: () => ({ ...ida, socket: idaSocket }),
  max: () => ({ ...max, socket: maxSocket }),
  ownShip,
})

test('both status routes tell what the sockets tell', async () => {
  const common = {
    paused: false,
    time_sync_enabled: false,
    effective_time_scale: 10,
    registration_open: true,
  }
  const open = await ask(server, 'GET', '/api/status')
  expect(open.status).toBe(200)
  const status = v.parse(statusResponse, open.body)
  expect(status).toMatchObject({
    status: 'online',
    server_name: 'Proving Ground',
    players_online: 2,
    ...common,
  })
  const seen = await idaSocket.freshTick()
  const answer = await ask(server, 'GET', '/api/admin/status', { token: admin })
  expect(answer.status).toBe(200)
  const operator = v.parse(adminStatusResponse, answer.body)
  expect(operator).toMatchObject({
    tick_rate: 20,
    time_scale: 10,
    adaptive_tick_rate: false,
    ...common,
  })
  expect(operator.current_tick).toBeGreaterThanOrEqual(seen.tick)
  expect(operator.current_tick).toBeGreaterThan(status.tick)
  expect(operator.game_time >= seen.game_time).toBe(true)
  expect(operator.actual_rate).toBeGreaterThan(0)
  expect(Math.abs(operator.energy_drift)).toBeLessThan(1e-6)
  expect(Math.abs(operator.momentum_drift)).toBeLessThan(1e-6)
})

test('a pause stops every ship and tells everybody once; a resume goes on from there', async () => {
  const pause = await ask(server, 'POST', '/api/admin/game/pause', { token: admin })
  const at = v.parse(v.object({ paused_at_tick: v.number() }), pause.body).paused_at_tick
  expect(pause.body).toEqual({ paused: true, paused_at_tick: at })
  const paused = await idaSocket.next('paused')
  expect(paused.tick).toBe(at)
  const notice = await maxSocket.next('paused')
  expect(notice).toEqual(paused)
  const again = await ask(server, 'POST', '/api/admin/game/pause', { token: admin })
  expect(again.body).toEqual(pause.body)
  const still = await ownShip(ida.token)

  // Several ticks' time; and a rename, which while paused is shown by one frame of its own.
  await new Promise((resolve) => setTimeout(resolve, 300))
  idaSocket.send({ type: 'ship_rename', name: 'Ida at rest' })
  await idaSocket.next('ship_renamed')
  expect(await ownShip(ida.token)).toEqual({ ...still, name: 'Ida at rest' })
  const frame = await maxSocket.next('tick')
  const frames = maxSocket.messages.slice(maxSocket.messages.indexOf(notice) + 1)
  const times = frames.flatMap((item) =>
    item.type === 'tick' ? [[item.tick, item.game_time]] : [],
  )
  expect(new Set(times.map(String))).toEqual(new Set([String([at, paused.game_time])]))
  expect(frame).toMatchObject({ tick: at, game_time: paused.game_time })
  expect(shipOf(frame, ida.ship_id)).toEqual({ ...still, name: 'Ida at rest' })
  const { body: status } = await ask(server, 'GET', '/api/admin/status', { token: admin })
  expect(status).toMatchObject({ paused: true, current_tick: at, actual_rate: 0, ticks_behind: 0 })

  // What is commanded now waits for the resume.
  idaSocket.send({ type: 'control', id: 'later', thrust_level: 0.5 })
  const accepted = await idaSocket.next('accepted')
  expect(accepted.game_time > paused.game_time).toBe(true)
  expect((await ownShip(ida.token)).thrust_level).toBe(0)

  idaSocket.skip()
  const resume = await ask(server, 'POST', '/api/admin/game/resume', { token: admin })
  expect(resume.body).toEqual({ paused: false, resumed_at_tick: at })
  for (const socket of [idaSocket, maxSocket]) {
    expect(await socket.next('resumed')).toMatchObject({ tick: at, game_time: paused.game_time })
  }
  const next = await idaSocket.next('tick')
  expect(next.tick).toBe(at + 1)
  expect(Date.parse(next.game_time) - Date.parse(paused.game_time)).toBe(500)
  expect(shipOf(next, ida.ship_id).thrust_level).toBe(0.5)
  idaSocket.send({ type: 'control', id: 'off', thrust_level: 0 })
  await idaSocket.next('accepted')
  const { body: second } = await ask(server, 'POST', '/api/admin/game/resume', { token: admin })
  expect(second).toMatchObject({ paused: false })
  for (const { messages } of [idaSocket, maxSocket]) {
    const notices = messages.filter(({ type }) => type === 'paused' || type === 'resumed')
    expect(notices.map(({ type }) => type)).toEqual(['paused', 'resumed'])
  }
})

test('a newer socket of the same player takes over: 4001 for the older', async () => {
  const newer = await openSocket(server, max.token)
  expect(await maxSocket.closed).toEqual({ code: 4001, reason: 'replaced' })
  maxSocket = newer
  await maxSocket.next('tick')
  const { body } = await ask(server, 'GET', '/api/status')
  expect(body).toMatchObject({ players_online: 2 })
})

test('a browser brings its token as a sub-protocol, which is not echoed', async () => {
  const protocols = ['orrery.v1', `bearer.${max.token}`]
  const newer = await openSocket(server, undefined, { protocols })
  expect(newer.socket.protocol).toBe('orrery.v1')
  expect((await newer.next('welcome')).ship_id).toBe(max.ship_id)
  maxSocket = newer
})

test('a second server on the same world refuses to start, and the first goes on', async () => {
  const { code, stdout, stderr } = await refusedStart(variables)
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).toContain(directory.path)
  await idaSocket.freshTick()
})

test(
  'SIGTERM says goodbye and ends with 0; a new start has the world, the accounts, the settings',
  async () => {
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
    // A tick that took long is the busy machine's.
    const loud = /^(?!.*"msg":"slow tick").*"level":"(?:warn|error|fatal)".*$/gm
    expect(server.output().match(loud) ?? []).toEqual([])

    // Without the admin's password: the stored account is enough.
    const { ADMIN_USERNAME: _, ADMIN_PASSWORD: __, ...without } = variables
    server = await startServer(without)
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
    // Made a unit again for each view, so the last bit may differ.
    for (const axis of ['w', 'x', 'y', 'z'] as const) {
      expect(after.attitude[axis]).toBeCloseTo(attitude[axis], 13)
    }
    const span = seconds(tick.game_time) - seconds(last.game_time)
    expect(span).toBeGreaterThan(0)
    const miss = length(plus(after.relative_position, coasted(before, span), -1))
    // Earth's oblateness and the other bodies together stay below 0.03 m/s² in this orbit.
    expect(miss).toBeLessThan(1 + 0.015 * span * span)
    expect(shipOf(tick, max.ship_id)).toMatchObject({ name: 'Zo\u00e9', fuel: FUEL_CAPACITY })
    // The token of before is as good as ever.
    expect(await ownShip(ida.token)).toMatchObject({ ship_id: ida.ship_id })
  },
  STARTING_TEST_MS_MAX,
)
