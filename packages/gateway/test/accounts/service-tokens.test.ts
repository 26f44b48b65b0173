// Law: a service token opens the routes of its scopes and no other, until it is revoked; only the
// answer that makes it shows it, and each change has an entry in the audit trail.
import {
  type ServiceTokenResponse,
  auditResponse,
  serviceTokenEntry,
  serviceTokenResponse,
  serviceTokensResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Answer, ask, refusedHandshake, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'
import { type AdminSession, openAdminSession } from './admin-session.ts'

const TOKENS = '/api/admin/service-tokens'

let session: AdminSession

const server = sharedServer(async () => {
  session = await openAdminSession(server)
})

async function make(name: string, scopes: readonly string[]): Promise<ServiceTokenResponse> {
  const answer = await session.order('POST', TOKENS, { name, scopes })
  expect(answer.status).toBe(201)
  return v.parse(serviceTokenResponse, answer.body)
}

const get = (path: string, token: string): Promise<Answer> => ask(server, 'GET', path, { token })

test('it opens the routes of its scopes, and is refused by name elsewhere', async () => {
  const { token, ...entry } = await make('leaderboard', ['accounts', 'accounts'])
  expect(entry.scopes).toEqual(['accounts'])
  const own = await get('/api/service/token', token)
  expect([own.status, v.parse(serviceTokenEntry, own.body)]).toEqual([200, entry])
  const { username, ship_id } = await session.newPlayer()
  const page = await get(`/api/service/players?search=${username}`, token)
  expect(page.body).toMatchObject({ players: [{ username, ship_id }], total: 1 })
  const other = await get('/api/service/maneuver-events', token)
  expect(refusalOf(other)).toBe('403 E003')
  expect(other.text).toContain('The service token leaderboard lacks the scope maneuvers')
})

test("it is no player's and no admin's token, nor is theirs one of a service", async () => {
  const { token } = await make('both', ['maneuvers', 'accounts'])
  for (const path of ['/api/player/ship', '/api/admin/players', TOKENS, '/metrics']) {
    expect([path, refusalOf(await get(path, token))]).toEqual([path, '401 E005'])
  }
  const refused = await refusedHandshake(server, { authorization: `Bearer ${token}` })
  expect(refused.status).toBe(401)
  const player = await register(server, 'Ida')
  for (const wrong of [player.token, session.chief.admin, 'x', `${token}x`, token.slice(0, -1)]) {
    expect(refusalOf(await get('/api/service/players', wrong))).toBe('401 E005')
  }
})

test('the list has no secret, and a revoked one ends with the next request', async () => {
  const { token, ...entry } = await make('short.lived', ['maneuvers'])
  const days = (Date.parse(entry.expires_at) - Date.parse(entry.created_at)) / 86_400_000
  expect(days).toBe(90)
  const listed = await session.order('GET', TOKENS)
  expect(v.parse(serviceTokensResponse, listed.body).service_tokens).toContainEqual(entry)
  expect(listed.text).not.toContain(token)
  expect((await get('/api/service/maneuver-events', token)).status).toBe(200)
  expect((await session.order('DELETE', `${TOKENS}/${entry.token_id}`)).status).toBe(204)
  const ended = await get('/api/service/maneuver-events', token)
  expect([refusalOf(ended), ended.text]).toEqual([
    '401 E005',
    expect.stringContaining('was revoked'),
  ])
  expect(refusalOf(await session.order('DELETE', `${TOKENS}/${entry.token_id}`))).toBe('404 E002')
  const { entries } = v.parse(auditResponse, (await session.order('GET', '/api/admin/audit')).body)
  const done = entries.filter(({ subject }) => subject === entry.token_id)
  expect(done.map(({ action }) => action)).toEqual(['revoke_service_token', 'create_service_token'])
  expect(JSON.stringify(entries)).not.toContain(token)
  expect(server.output()).not.toContain(token)
})

test('what cannot be is refused by name', async () => {
  const one = { name: 'one', scopes: ['accounts'] }
  for (const body of [
    {},
    { ...one, name: ' ' },
    { ...one, scopes: [] },
    { ...one, scopes: ['everything'] },
    { ...one, valid_days: 0 },
    { ...one, valid_days: 731 },
  ]) {
    expect(refusalOf(await session.order('POST', TOKENS, body))).toBe('400 E001')
  }
})
