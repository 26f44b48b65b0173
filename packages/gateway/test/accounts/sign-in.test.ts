// Law: who has a token of the issuer signs in as a player, to one account of its own; it gets
// no more than others do, and what was ended stays ended. Method: a real issuer and server.
import { createGameClient } from '@orrery/client'
import { type LoginResponse, loginResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type Answer, PASSWORD, ask, openSocket } from '../player-client.ts'
import { keptIssuer as issuer } from '@orrery/testkit/kept-server'
import { sharedServer } from '../used-server.ts'
import { type AdminSession, openAdminSession, outcome } from './admin-session.ts'

let session: AdminSession

const server = sharedServer(async () => {
  session = await openAdminSession(server)
})

function enter(token: string, username?: string): Promise<Answer> {
  return ask(server, 'POST', '/api/auth/sign-in', { body: { token, username } })
}

async function signIn(subject: string, username?: string): Promise<LoginResponse> {
  const answer = await enter(issuer.token(subject), username)
  expect(answer.status).toBe(200)
  return v.parse(loginResponse, answer.body)
}

const ship = (token: string): Promise<string> =>
  outcome(ask(server, 'GET', '/api/player/ship', { token }))

test('an identity gets one account, though it comes twice at once, and a ship', async () => {
  const both = await Promise.all([signIn('ida'), signIn('ida')])
  const again = await createGameClient(server).signIn(issuer.token('ida'), 'Other')
  const [{ player_id: id, username }] = both
  expect(username).toBe(`pilot_${id.slice(0, 8)}`)
  for (const { token: _, ...entry } of [...both, again]) {
    expect(entry).toEqual({ player_id: id, username, ship_id: both[0].ship_id, is_admin: false })
  }
  const pilot = await openSocket(server, again.token)
  expect(await pilot.answer({ type: 'control', thrust_level: 0.5 })).toMatchObject({
    type: 'accepted',
  })
  await pilot.close()
})

test('it has no password, and the answer says so', async () => {
  const { token, username } = await signIn('ida')
  for (const password of ['', PASSWORD]) {
    expect(await outcome(session.enter(username, password))).toBe('401 E005')
  }
  const body = { current_password: PASSWORD, new_password: PASSWORD }
  const refused = await ask(server, 'PUT', '/api/account/password', { token, body })
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('no password')])
})

test('as an admin it gets no token of one', async () => {
  const { player_id: id } = await signIn('ida')
  await session.changeRole(id, true)
  const { admin_token: none, token, is_admin: isAdmin } = await signIn('ida')
  expect([none, isAdmin]).toEqual([undefined, true])
  expect(await outcome(ask(server, 'GET', '/api/admin/players', { token }))).toBe('401 E005')
  await session.changeRole(id, false)
})

test('a deleted account is gone, and its tokens stay void in the next one', async () => {
  const before = await signIn('eva')
  expect(await ship(before.token)).toBe('200')
  await session.order('DELETE', `/api/admin/players/${before.player_id}`)
  expect(await ship(before.token)).toBe('404 E006')
  const after = await signIn('eva', 'Eva_1')
  expect(after).toMatchObject({ player_id: before.player_id, username: 'Eva_1' })
  expect([await ship(before.token), await ship(after.token)]).toEqual(['401 E005', '200'])
})

test('a taken name and a closed registration hold for it', async () => {
  const { username } = await session.newPlayer()
  const mia = issuer.token('mia')
  expect(await outcome(enter(mia, username))).toBe('409 E010')
  expect(await outcome(enter(mia, 'no name'))).toBe('400 E011')
  await session.order('POST', '/api/admin/registrations/disable')
  expect([await outcome(enter(mia)), await outcome(enter(issuer.token('ida')))]).toEqual([
    '403 E020',
    '200',
  ])
  await session.order('POST', '/api/admin/registrations/enable')
  expect(await outcome(enter(mia))).toBe('200')
})

test('a wrong token is refused with its fault', async () => {
  const refused = await enter(issuer.token('ida', { aud: 'other' }))
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('other audience')])
  expect(await outcome(enter('x'.repeat(8193)))).toBe('400 E001')
})
