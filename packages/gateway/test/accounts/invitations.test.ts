// Law: with an invitation an account's ship begins 1 to 5 km behind that of the player who made it,
// at rest relative to it; what cannot be is refused by name, and nothing is made. Invitations and
// ships outlive a kill.
import {
  type InvitationResponse,
  type OwnShipState,
  type RegisterResponse,
  invitationResponse,
  ownShipState,
  registerResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { length, plus } from '../flight/orbit.ts'
import { type Answer, PASSWORD, ask, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

let ida: RegisterResponse

const server = sharedServer(async () => {
  ida = await register(server, 'Ida')
  await server.order('POST', '/api/admin/game/pause')
})

const inviting = (body: object = { registrations: 1 }, token = ida.token): Promise<Answer> =>
  ask(server, 'POST', '/api/player/invitations', { token, body })

async function invite(body: object = { registrations: 1 }): Promise<InvitationResponse> {
  const answer = await inviting(body)
  expect(answer.status).toBe(201)
  return v.parse(invitationResponse, answer.body)
}

const registering = (username: string, invitation: unknown): Promise<Answer> =>
  ask(server, 'POST', '/api/auth/register', {
    body: { username, password: PASSWORD, invitation },
  })

async function guest(username: string, invitation: string): Promise<RegisterResponse> {
  const answer = await registering(username, invitation)
  expect(answer.status).toBe(201)
  return v.parse(registerResponse, answer.body)
}

async function shipOf({ token }: RegisterResponse): Promise<OwnShipState> {
  return v.parse(ownShipState, (await ask(server, 'GET', '/api/player/ship', { token })).body)
}

/** How far the second ship is from the first [m], and how fast it moves away [m/s]. */
async function apart(one: RegisterResponse, other: RegisterResponse): Promise<[number, number]> {
  const [a, b] = [await shipOf(one), await shipOf(other)]
  return [
    length(plus(a.relative_position, b.relative_position, -1)),
    length(plus(a.relative_velocity, b.relative_velocity, -1)),
  ]
}

test('guests begin 1 to 5 km from the host, at rest, as often as was granted', async () => {
  const { invitation, registrations, expires_at: end } = await invite({ registrations: 2 })
  expect([invitation.length, registrations]).toEqual([22, 2])
  const hours = (Date.parse(end) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(25)
  for (const name of ['Kane', 'Lambert']) {
    const [distance, speed] = await apart(ida, await guest(name, invitation))
    expect(distance).toBeGreaterThan(1000)
    expect(distance).toBeLessThan(5000)
    expect(speed).toBeLessThan(1e-3)
  }
  expect(refusalOf(await registering('Parker', invitation))).toBe('409 E003')
  expect((await registering('Parker', undefined)).status, 'the name is free').toBe(201)
})

test('an unknown code is not found, and one of another form invalid', async () => {
  expect(refusalOf(await registering('Nobody', 'A'.repeat(22)))).toBe('404 E002')
  for (const code of ['', 'short', 7, null, `${'A'.repeat(21)} `]) {
    expect(refusalOf(await registering('Nobody', code))).toBe('400 E001')
  }
  const one = { registrations: 1 }
  for (const body of [
    {},
    { registrations: 0 },
    { registrations: 1.5 },
    { ...one, valid_hours: 169 },
  ]) {
    expect(refusalOf(await inviting(body))).toBe('400 E001')
  }
})

test("the operator's limit counts what is open, and withdrawing frees it", async () => {
  const { invitation } = await invite({ registrations: 4, valid_hours: 1 })
  const refused = await inviting()
  expect(refusalOf(refused)).toBe('409 E003')
  expect(refused.text).toContain('4 registrations at most')
  const { token } = ida
  const withdrawn = await ask(server, 'DELETE', '/api/player/invitations', { token })
  expect(withdrawn.status).toBe(204)
  expect(refusalOf(await registering('Ash', invitation))).toBe('404 E002')
  await invite()
})

test.runIf(IS_NIGHT)(
  'outlive a kill and a start that grants none, and so does the place',
  async () => {
    const { invitation } = await invite({ registrations: 2 })
    const dallas = await guest('Dallas', invitation)
    const before = await apart(ida, dallas)
    await server.kill()
    await server.restart({ INVITED_PER_PLAYER: '0' })
    expect(await apart(ida, dallas)).toEqual(before)
    expect(refusalOf(await inviting())).toBe('403 E003')
    expect(refusalOf(await registering('Late', invitation))).toBe('403 E003')
    expect((await registering('Late', undefined)).status).toBe(201)
    await server.stop()
    await server.restart()
    const [distance] = await apart(ida, await guest('Brett', invitation))
    expect(distance).toBeLessThan(5000)
  },
)

test('a host elsewhere, or gone, has no guests', async () => {
  const host = await register(server, 'Host')
  const { body } = await inviting({ registrations: 2 }, host.token)
  const { invitation } = v.parse(invitationResponse, body)
  const path = `/api/admin/ship/${host.ship_id}/system`
  await server.order('POST', path, { system_id: 'alpha-centauri' })
  const refused = await registering('Lost', invitation)
  expect(refusalOf(refused)).toBe('409 E003')
  expect(refused.text).toContain('is in Alpha Centauri; new ships begin in Sol')
  await ask(server, 'DELETE', '/api/account', { token: host.token })
  expect(refusalOf(await registering('Lost', invitation))).toBe('404 E002')
})
