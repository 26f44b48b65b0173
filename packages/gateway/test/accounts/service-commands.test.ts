// Law: a command under a service token acts once under its key, whatever comes between; it is in
// the audit trail under the token, and a refused one has changed nothing.
import { SERVICE_SCOPES, auditResponse, serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type Answer, type Ask, ask, openSocket } from '../player-client.ts'
import { rawAnswer } from '../raw-connection.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'
import { type AdminSession, openAdminSession } from './admin-session.ts'

const TOKENS = '/api/admin/service-tokens'
const SHIPS = '/api/service/ships'
const MESSAGES = '/api/service/messages'

let session: AdminSession
let token: string

const server = sharedServer(async () => {
  session = await openAdminSession(server)
  token = await session.serviceToken()
})

type Part = Pick<Ask, 'token' | 'body'>

function command(method: string, path: string, key: string, part: Part = {}): Promise<Answer> {
  return ask(server, method, path, { token, ...part, headers: { 'idempotency-key': key } })
}

const shipOf = async (playerId: string): Promise<string> =>
  (await server.order('GET', `/api/admin/players/${playerId}`)).ship_id

test('ships are taken and given, each once under its key, at night over a kill', async () => {
  const { player_id: playerId, ship_id: first, token: own } = await session.newPlayer()
  const pilot = await openSocket(server, own)
  const taken = await command('DELETE', `${SHIPS}/${first}`, 'take')
  expect([taken.status, taken.body]).toEqual([200, { ship_id: first }])
  expect(await pilot.next('ship_assigned')).toMatchObject({ ship_id: '' })
  const wanted = { body: { player_id: playerId } }
  const given = await command('POST', SHIPS, '"give it"', wanted)
  expect(given.status).toBe(201)
  expect(await pilot.next('ship_assigned')).toMatchObject(given.body as object)
  await pilot.close()
  const npc = { body: { name: 'Patrol One', beside: Object(given.body).ship_id } }
  const made = await command('POST', SHIPS, 'patrol', npc)
  expect(made.status).toBe(201)
  if (IS_NIGHT) {
    await server.kill()
    await server.restart()
  }
  expect((await command('POST', SHIPS, 'patrol', npc)).body).toEqual(made.body)
  // The ship that was taken is not there to be taken again.
  expect((await command('DELETE', `${SHIPS}/${first}`, 'take')).body).toEqual(taken.body)
  const again = await command('POST', SHIPS, '"give it"', wanted)
  expect([again.status, again.body]).toEqual([201, given.body])
  expect(await shipOf(playerId)).toBe(Object(given.body).ship_id)
  expect(refusalOf(await command('POST', SHIPS, 'another', wanted))).toBe('409 E003')
  const other = { body: { ...wanted.body, ship_class: 'Courier' } }
  expect(refusalOf(await command('POST', SHIPS, '"give it"', other))).toBe('422 E001')
  // A ship without an account is still there, once, until it is removed.
  const remove = (key: string): Promise<Answer> =>
    command('DELETE', `${SHIPS}/${Object(made.body).ship_id}`, key)
  expect((await remove('patrol-ends')).body).toEqual(made.body)
  expect(refusalOf(await remove('patrol-ends-again'))).toBe('404 E006')
  const { entries } = v.parse(auditResponse, (await session.order('GET', '/api/admin/audit')).body)
  const done = entries.filter(({ detail }) => Object(detail).ship === Object(given.body).ship_id)
  const { token_id: actor, name } = Object(
    (await ask(server, 'GET', '/api/service/token', { token })).body,
  )
  expect(done).toMatchObject([
    { action: 'assign_ship', actor, actor_name: name, detail: { key: 'give it' } },
  ])
})

test('of the same at once one acts, and the others wait or have its answer', async () => {
  const { player_id: playerId, ship_id: shipId } = await session.newPlayer()
  await command('DELETE', `${SHIPS}/${shipId}`, 'crowd-0')
  const body = { player_id: playerId }
  const all = await Promise.all(
    Array.from({ length: 8 }, () => command('POST', SHIPS, 'crowd-1', { body })),
  )
  const acted = all.filter(({ status }) => status === 201)
  expect(new Set(acted.map(({ text }) => text))).toEqual(
    new Set([JSON.stringify({ ship_id: await shipOf(playerId) })]),
  )
  const others = all.filter(({ status }) => status !== 201)
  expect(others.every((one) => one.text.includes('is under way'))).toBe(true)
})

test('a ship is moved to another star system', async () => {
  const { ship_id: shipId } = await session.newPlayer()
  const path = `${SHIPS}/${shipId}/system`
  const body = { system_id: 'alpha-centauri' }
  for (let i = 0; i < 2; i++) {
    expect((await command('PUT', path, 'move', { body })).body).toEqual({ ship_id: shipId })
  }
  expect(refusalOf(await command('PUT', path, 'move-on', { body }))).toBe('400 E003')
})

test('pilots hear a program, all or one, once', async () => {
  const [ida, eve] = [await session.newPlayer(), await session.newPlayer()]
  const [first, second] = [await openSocket(server, ida.token), await openSocket(server, eve.token)]
  const all = await command('POST', MESSAGES, 'all', { body: { text: 'The gates close.' } })
  expect(all.body).toEqual({ heard: 2 })
  const one = { body: { text: 'You have won.', ship_id: eve.ship_id } }
  for (let i = 0; i < 2; i++) {
    expect((await command('POST', MESSAGES, 'one', one)).body).toEqual({ heard: 1 })
  }
  for (const pilot of [first, second]) {
    expect(await pilot.next('said')).toMatchObject({ text: 'The gates close.' })
  }
  expect(await second.next('said')).toMatchObject({ ...one.body, ship_id: expect.any(String) })
  await second.freshTick()
  for (const [pilot, heard] of [
    [first, 1],
    [second, 2],
  ] as const) {
    expect(pilot.messages.filter(({ type }) => type === 'said')).toHaveLength(heard)
    await pilot.close()
  }
  expect(refusalOf(await command('POST', MESSAGES, 'gone', one))).toBe('404 E006')
})

test('what cannot be is refused by name, and changes nothing', async () => {
  const { player_id: playerId, ship_id: shipId } = await session.newPlayer()
  const path = `${SHIPS}/${shipId}`
  const make = async (
    scopes: readonly string[],
  ): Promise<v.InferOutput<typeof serviceTokenResponse>> =>
    v.parse(serviceTokenResponse, await server.order('POST', TOKENS, { name: 'x', scopes }))
  const others = SERVICE_SCOPES.filter((scope) => scope !== 'commands')
  const lacking = await make(others)
  const revoked = await make(['commands'])
  await server.order('DELETE', `${TOKENS}/${revoked.token_id}`)
  const refused = async (key: string, part?: Part, at = path): Promise<string> =>
    refusalOf(await command('DELETE', at, key, part))
  expect(await refused('x', { token: lacking.token })).toBe('403 E003')
  expect(await refused('x', { token: revoked.token })).toBe('401 E005')
  expect(await refused('x', {}, `${SHIPS}/${playerId}`)).toBe('404 E006')
  for (const key of ['', 'k'.repeat(8192), 'a b', '"', '"a"b', 'ü', 'a\tb', '"\\n"']) {
    expect([key, await refused(key)]).toEqual([key, '400 E001'])
  }
  expect(refusalOf(await ask(server, 'DELETE', path, { token }))).toBe('400 E001')
  const head = `DELETE ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
  const raw = await rawAnswer(
    server.port,
    `${head}Idempotency-Key: a\u0001b\r\nConnection: close\r\n\r\n`,
  )
  expect(raw.status).toBe(400)
  for (const body of [{}, { name: 'x' }, { player_id: playerId, name: 'Both' }]) {
    expect(refusalOf(await command('POST', SHIPS, 'spawn', { body }))).toMatch(/^400 E0/)
  }
  const lost = { name: 'Lost', beside: playerId }
  expect(refusalOf(await command('POST', SHIPS, 'spawn', { body: lost }))).toBe('404 E006')
  const module = { module: 'quarry', command: 'dig' }
  const unknown = await command('POST', `${path}/modules`, 'module', { body: module })
  expect(refusalOf(unknown)).toBe('404 E002')
  expect(await shipOf(playerId)).toBe(shipId)
})

test('a token has 60 commands a minute', async () => {
  const { token: busy } = v.parse(
    serviceTokenResponse,
    await server.order('POST', TOKENS, { name: 'busy', scopes: ['commands'] }),
  )
  const body = { text: 'Hear, hear.' }
  const answers: Answer[] = []
  for (let i = 0; i < 61; i++) {
    answers.push(await command('POST', MESSAGES, 'the-same', { token: busy, body }))
  }
  expect(answers.slice(0, 60).every(({ status }) => status === 200)).toBe(true)
  expect(refusalOf(answers[60])).toBe('429 E004')
  expect(Number(answers[60].headers.get('retry-after'))).toBeGreaterThan(0)
})
