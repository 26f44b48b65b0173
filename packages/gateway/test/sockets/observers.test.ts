// Goal: on a real server an admin looks on without being a player, a player narrows what he is
// sent and comes back after a lost connection, and a ship that is given or moved is shown on the
// socket that is open. Method: one server process, two players, an admin with a token for each of
// his roles.
import { loginResponse, serverMessage } from '@orrery/protocol'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  type PlayerSocket,
  adminToken,
  ask,
  openSocket,
  refusedHandshake,
  register,
} from '../player-client.ts'
import { ADMIN, type ServerProcess, randomKey } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const key = randomKey()

let server: ServerProcess
let admin: string
let ida: Awaited<ReturnType<typeof register>>
let max: Awaited<ReturnType<typeof register>>
let idaSocket: PlayerSocket
let observer: PlayerSocket

usedServer({ JWT_SECRET_KEY: key }, async (started) => {
  server = started
  admin = await adminToken(server)
  ida = await register(server, 'Ida')
  max = await register(server, 'Max')
  await asAdmin('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  idaSocket = await openSocket(server, ida.token)
})

async function asAdmin(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await ask(server, method, path, { token: admin, ...(body && { body }) })
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  return answer.body
}

const idsOf = ({ ships }: { ships: readonly { ship_id: string }[] }): string[] =>
  ships.map(({ ship_id: id }) => id).toSorted()

test("an admin's token looks on: all ships of a system, no commands, not online", async () => {
  observer = await openSocket(server, admin)
  expect(await observer.next('welcome')).toMatchObject({
    ship_id: '',
    system_id: 'sol',
    observer: true,
    tick_rate: 10,
    effective_time_scale: 1,
  })
  expect(idsOf(await observer.freshTick())).toEqual([ida.ship_id, max.ship_id].toSorted())
  observer.send({ type: 'control', id: 1, thrust_level: 1 })
  expect(await observer.next('error')).toMatchObject({ id: 1, code: 'E003' })
  const { body } = await ask(server, 'GET', '/api/status')
  expect(body).toMatchObject({ players_online: 1 })
})

test('his own player socket is another one; with a ship he flies and looks on', async () => {
  const login = await ask(server, 'POST', '/api/auth/login', { body: ADMIN })
  const { token, player_id: playerId, ship_id: none } = v.parse(loginResponse, login.body)
  expect(none).toBe('')
  const socket = await openSocket(server, token)
  expect((await socket.next('welcome')).ship_id).toBe('')
  expect((await socket.freshTick()).ships).toEqual([])
  socket.send({ type: 'ship_rename', id: 2, name: 'Nothing' })
  expect(await socket.next('error')).toMatchObject({ id: 2, code: 'E006' })

  const given = await asAdmin('POST', `/api/admin/players/${playerId}/ship`)
  const { ship_id: shipId } = v.parse(v.object({ ship_id: v.string() }), given)
  expect((await socket.next('ship_assigned')).ship_id).toBe(shipId)
  expect(idsOf(await socket.next('tick'))).toContain(shipId)
  socket.send({ type: 'ship_rename', id: 3, name: 'Flagship' })
  expect((await socket.next('ship_renamed')).name).toBe('Flagship')
  expect(idsOf(await observer.freshTick())).toContain(shipId)
  await socket.close()
  await observer.freshTick()
})

test('a ship moved to another system goes on there, unseen by who stays behind', async () => {
  const listed = await asAdmin('GET', '/api/admin/systems')
  const { systems } = v.parse(v.object({ systems: v.array(v.object({ id: v.string() })) }), listed)
  const [, elsewhere] = systems.map(({ id }) => id)
  await asAdmin('POST', `/api/admin/ship/${ida.ship_id}/system`, { system_id: elsewhere })
  const frame = await idaSocket.freshTick()
  expect(frame.ships.map(({ system_id: id }) => id)).toEqual([elsewhere])
  expect(idsOf(await observer.freshTick())).not.toContain(ida.ship_id)
  observer.send({ type: 'subscribe', system_id: elsewhere })
  expect((await observer.next('subscribed')).system_id).toBe(elsewhere)
  expect(idsOf(await observer.freshTick())).toEqual([ida.ship_id])
  await asAdmin('POST', `/api/admin/ship/${ida.ship_id}/system`, { system_id: 'sol' })
})

test('a narrowed frame has what was asked for, at the rate that was asked for', async () => {
  idaSocket.send({ type: 'subscribe', id: 's', ids: [max.ship_id] })
  await idaSocket.next('subscribed')
  expect(idsOf(await idaSocket.freshTick())).toEqual([ida.ship_id, max.ship_id].toSorted())
  idaSocket.send({ type: 'subscribe', radius: 0.001, rate: 2 })
  await idaSocket.next('subscribed')
  await idaSocket.next('tick')
  const ticks = []
  for (let i = 0; i < 4; i++) ticks.push(await idaSocket.next('tick'))
  expect(idsOf(ticks[0])).toEqual([ida.ship_id])
  expect(ticks[3].tick - ticks[0].tick).toBeGreaterThanOrEqual(12)
  expect(ticks[3].tick - ticks[0].tick).toBeLessThanOrEqual(18)
})

test('who comes back learns what he missed, and sees the world as it is', async () => {
  const { era, tick } = await idaSocket.freshTick()
  idaSocket.socket.terminate()
  await observer.next('tick', (frame) => frame.tick >= tick + 5)
  idaSocket = await openSocket(server, ida.token)
  idaSocket.send({ type: 'resume', id: 'r', era, tick })
  const resumed = await idaSocket.next('resumed_session')
  expect(resumed).toMatchObject({ id: 'r', era, gap: resumed.tick - tick, valid: true })
  expect(resumed.gap).toBeGreaterThanOrEqual(5)
  const frame = await idaSocket.next('tick')
  expect(frame.tick).toBeGreaterThanOrEqual(resumed.tick)
  expect(idsOf(frame)).toHaveLength(3)
})

test('a token that ends while its socket is open closes it with 4003', async () => {
  const seconds = Math.floor(Date.now() / 1000)
  const token = await new SignJWT({ type: 'player', ship_id: max.ship_id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(max.player_id)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 3)
    .sign(Buffer.from(key))
  const socket = await openSocket(server, token)
  await socket.next('welcome')
  expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
  const late = await refusedHandshake(server, { authorization: `Bearer ${token}` })
  expect(late.status).toBe(401)
})

test('every message that came is one of the protocol', () => {
  for (const message of [...idaSocket.messages, ...observer.messages]) {
    expect(v.parse(serverMessage, message)).toEqual(message)
  }
})
