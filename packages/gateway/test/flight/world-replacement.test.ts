// Goal: an operator can store the world, go back to it with players connected, and begin again
// from nothing; accounts, ships, settings and sockets are afterwards what the interface says, also
// after a restart. Method: one server process, stopped and started again in the middle.
import {
  type StatusResponse,
  adminStatusResponse,
  resetResponse,
  restoreResponse,
  shipState,
  snapshotResponse,
  snapshotsResponse,
  statusResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  PASSWORD,
  type PlayerSocket,
  adminToken,
  ask,
  openSocket,
  register,
  shipOf,
} from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

let server: ServerProcess
let admin: string
let ida: Awaited<ReturnType<typeof register>>
let max: Awaited<ReturnType<typeof register>>
let socket: PlayerSocket
let snapshot: v.InferOutput<typeof snapshotResponse>
let snapshotTime: string

const { restart } = usedServer({}, async (started) => {
  server = started
  admin = await adminToken(server)
  await asAdmin('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  ida = await register(server, 'Ida')
  socket = await openSocket(server, ida.token)
})

async function asAdmin(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await ask(server, method, path, { token: admin, ...(body && { body }) })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200)
  return answer.body
}

async function status(): Promise<StatusResponse> {
  return v.parse(statusResponse, (await ask(server, 'GET', '/api/status')).body)
}

test('a snapshot is of the published world, and listed newest first', async () => {
  const older = v.parse(snapshotResponse, await asAdmin('POST', '/api/admin/snapshot'))
  socket.send({ type: 'ship_rename', id: 1, name: 'Before' })
  await socket.next('ship_renamed')
  snapshot = v.parse(snapshotResponse, await asAdmin('POST', '/api/admin/snapshot'))
  const { snapshots } = v.parse(snapshotsResponse, await asAdmin('GET', '/api/admin/snapshots'))
  expect(snapshots.map(({ id }) => id)).toEqual([snapshot.snapshot_id, older.snapshot_id])
  const [newest] = snapshots
  expect(Object.keys(newest)).toEqual(['id', 'tick_number', 'game_time', 'created_at'])
  expect(newest.tick_number).toBe(snapshot.tick_number)
  snapshotTime = newest.game_time
  expect(Math.abs(Date.parse(snapshotTime) - Date.now())).toBeLessThan(60_000)
})

test('a restore brings the world back and leaves accounts and settings alone', async () => {
  max = await register(server, 'Max')
  socket.send({ type: 'ship_rename', id: 2, name: 'Afterwards' })
  await socket.next('ship_renamed')
  await asAdmin('POST', '/api/admin/registrations/disable')
  await asAdmin('PUT', '/api/admin/game/time-scale', { time_scale: 2 })
  const welcome = socket.messages[0] as { era: number }
  const last = await socket.freshTick()

  const answer = v.parse(
    restoreResponse,
    await asAdmin('POST', '/api/admin/restore', { snapshot_id: snapshot.snapshot_id }),
  )
  expect(answer.tick_number).toBe(snapshot.tick_number)
  expect(answer.game_time).toBe(snapshotTime)

  const restored = await socket.next('restored')
  expect(restored.era).toBe(welcome.era + 1)
  const tick = await socket.freshTick()
  expect(tick.era).toBe(restored.era)
  expect(tick.tick).toBeLessThan(last.tick)
  expect(Date.parse(tick.game_time)).toBeLessThan(Date.parse(last.game_time))
  expect(shipOf(tick, ida.ship_id).name).toBe('Before')
  // Max registered after the snapshot: his ship is made again, and flies.
  expect(shipOf(tick, max.ship_id).name).toBe('Max')
  const later = await socket.freshTick()
  expect(later.tick).toBeGreaterThan(tick.tick)
  const place = shipOf(later, max.ship_id).relative_position
  expect(place).not.toEqual(shipOf(tick, max.ship_id).relative_position)

  socket.send({ type: 'control', id: 'c', thrust_level: 0.5 })
  await socket.next('accepted')
  const now = await status()
  expect(now).toMatchObject({ registration_open: false, effective_time_scale: 2 })
  const { tick_rate: rate } = v.parse(
    adminStatusResponse,
    await asAdmin('GET', '/api/admin/status'),
  )
  expect(rate).toBe(10)
})

test.each([
  [{ snapshot_id: 999_999 }, 404, 'E016'],
  [{ snapshot_id: -1 }, 404, 'E016'],
  [{ snapshot_id: 1e15 }, 404, 'E016'],
  [{ snapshot_id: 1.5 }, 400, 'E001'],
  [{ snapshot_id: '1' }, 400, 'E001'],
  [{}, 400, 'E001'],
])('a restore of %j is refused, and nothing happens', async (body, wanted, code) => {
  const answer = await ask(server, 'POST', '/api/admin/restore', { token: admin, body })
  expect(answer.status).toBe(wanted)
  expect(answer.body).toMatchObject({ error: { code } })
  const { era } = await socket.freshTick()
  expect((await socket.freshTick()).era).toBe(era)
})

test('a restored world is what a restart goes on from', async () => {
  const { era, tick } = await socket.freshTick()
  expect(await server.stop()).toBe(0)
  server = await restart()
  admin = await adminToken(server)
  socket = await openSocket(server, ida.token)
  const welcome = await socket.next('welcome')
  expect(welcome.era).toBe(era)
  expect(welcome.tick).toBeGreaterThanOrEqual(tick)
  expect(shipOf(await socket.next('tick'), ida.ship_id).name).toBe('Before')
  const all = v.parse(
    snapshotsResponse,
    await asAdmin('GET', '/api/admin/snapshots?include=automatic'),
  )
  expect(all.snapshots.map(({ kind }) => kind)).toContain('stop')
})

test('a reset wipes players and worlds; sockets stay and have no ship', async () => {
  // A clock that differs from the new one in nothing but that it stands.
  await asAdmin('PUT', '/api/admin/game/tick-rate', { tick_rate: 1 })
  await asAdmin('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
  await asAdmin('POST', '/api/admin/game/pause')
  await socket.next('paused')
  const gone = await ask(server, 'POST', '/api/admin/game/reset', { token: admin })
  expect(gone.status, `reset: ${gone.text}`).toBe(200)
  const answer = v.parse(resetResponse, gone.body)
  expect(Math.abs(Date.parse(answer.game_time) - Date.now())).toBeLessThan(60_000)

  await socket.next('reset')
  expect((await socket.next('clock')).paused).toBe(false)
  const tick = await socket.freshTick()
  expect(tick.ships).toEqual([])
  expect(tick.tick).toBeLessThan(100)
  for (const message of [
    { type: 'ship_rename', id: 'r', name: 'Nobody' },
    { type: 'control', id: 'c', thrust_level: 1 },
  ]) {
    socket.send(message)
    expect(await socket.next('error')).toMatchObject({ id: message.id, code: 'E006' })
  }
  socket.send({ type: 'ping', id: 'still here' })
  await socket.next('pong')

  expect(await status()).toMatchObject({ registration_open: true, paused: false })
  const defaults = v.parse(adminStatusResponse, await asAdmin('GET', '/api/admin/status'))
  expect(defaults).toMatchObject({ tick_rate: 1, time_scale: 1 })
  expect(await asAdmin('GET', '/api/admin/snapshots')).toEqual({ snapshots: [] })
  const ship = await ask(server, 'GET', '/api/player/ship', { token: ida.token })
  expect(ship).toMatchObject({ status: 404, body: { error: { code: 'E006' } } })
  const login = { username: 'Ida', password: PASSWORD }
  expect(await ask(server, 'POST', '/api/auth/login', { body: login })).toMatchObject({
    status: 401,
  })
})

test('after a reset the name is free, and newcomers fly', async () => {
  const again = await register(server, 'Ida')
  expect(again.player_id).not.toBe(ida.player_id)
  const { status: code, body } = await ask(server, 'GET', '/api/player/ship', {
    token: again.token,
  })
  expect(code).toBe(200)
  expect(v.parse(shipState, body).name).toBe('Ida')
  expect(await server.stop()).toBe(0)
  server = await restart()
  const restarted = await ask(server, 'GET', '/api/player/ship', { token: again.token })
  expect(restarted.status).toBe(200)
})
