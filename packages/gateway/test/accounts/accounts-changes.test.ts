// Goal: accounts change only as the interface allows, also when several change at once, and
// nothing stays behind of what is gone or was broken off. Method: one server process; races are
// requests sent together; at the end it is killed while it registers players.
import type { RegisterResponse } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Admin, type AdminSession, openAdminSession, outcome } from './admin-session.ts'
import { type Answer, PASSWORD, ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, STARTING_TEST_MS_MAX, type ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

let server: ServerProcess
let session: AdminSession
let ida: RegisterResponse

const { restart } = usedServer({}, async (started) => {
  server = started
  session = await openAdminSession(() => server)
  ida = await register(server, 'Ida')
})

/** The ships that Ida sees; all of them are near her. */
async function shipsSeen(): Promise<string[]> {
  const socket = await openSocket(server, ida.token)
  const { ships } = await socket.freshTick()
  await socket.close()
  return ships.map(({ ship_id: id }) => id)
}

describe('deletion', () => {
  test('of two at once, one deletes; the ship and all sockets go, the name is free', async () => {
    const gone = await session.newPlayer()
    const socket = await openSocket(server, gone.token)
    await socket.freshTick()
    expect(await shipsSeen()).toContain(gone.ship_id)
    const path = `/api/admin/players/${gone.player_id}`
    const answers = await Promise.all([
      session.order('DELETE', path),
      session.order('DELETE', path),
      session.order(
        'DELETE',
        path.toUpperCase().replace('/API/ADMIN/PLAYERS', '/api/admin/players'),
      ),
    ])
    expect(answers.map(({ status, text }) => `${status} ${text.length > 0}`).toSorted()).toEqual([
      '204 false',
      '404 true',
      '404 true',
    ])
    expect((await socket.closed).code).toBe(4004)
    const told = socket.messages.filter(({ type }) => type === 'error')
    expect(told).toMatchObject([{ code: 'E014' }])
    expect(await shipsSeen()).not.toContain(gone.ship_id)
    const again = await register(server, gone.username.toUpperCase())
    expect(again.player_id).not.toBe(gone.player_id)
    expect(again.ship_id).not.toBe(gone.ship_id)
    const old = await ask(server, 'GET', '/api/player/ship', { token: gone.token })
    expect(refusalOf(old)).toBe('404 E006')
    await session.order('DELETE', `/api/admin/players/${again.player_id}`)
  })

  test('one deletes the own account, is told so, and is gone', async () => {
    const { token, username, ship_id: shipId } = await session.newPlayer()
    const socket = await openSocket(server, token)
    await socket.freshTick()
    const answer = await ask(server, 'DELETE', '/api/account', { token })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await socket.next('error')).toMatchObject({ code: 'E014' })
    expect((await socket.closed).code).toBe(4004)
    expect(refusalOf(await session.enter(username, PASSWORD))).toBe('401 E005')
    expect(await shipsSeen()).not.toContain(shipId)
  })

  test('the last admin cannot go by any route', async () => {
    const own = await ask(server, 'DELETE', '/api/account', { token: session.chief.token })
    expect(refusalOf(own)).toBe('400 E003')
    for (const path of [
      `/api/admin/players/${session.chief.player_id}`,
      `/api/admin/admins/${session.chief.player_id}`,
      `/api/admin/admins/${session.chief.player_id.toUpperCase()}`,
    ]) {
      expect(refusalOf(await session.order('DELETE', path))).toBe('400 E003')
    }
    for (const id of [session.chief.player_id, session.chief.player_id.toUpperCase()]) {
      expect(refusalOf(await session.changeRole(id, false))).toBe('400 E003')
    }
    expect((await session.order('GET', '/api/admin/status')).status).toBe(200)
  })

  test('while an account is being made, leaves neither half behind', async () => {
    for (let round = 0; round < 5; round++) {
      const username = session.newName()
      const registering = ask(server, 'POST', '/api/auth/register', {
        body: { username, password: PASSWORD },
      })
      let id: string | undefined
      while (id === undefined) {
        id = (await session.players()).find((player) => player.username === username)?.player_id
      }
      expect((await session.order('DELETE', `/api/admin/players/${id}`)).status).toBe(204)
      const { ship_id: shipId } = (await registering).body as RegisterResponse
      expect(await shipsSeen()).not.toContain(shipId)
      expect((await session.players()).map((player) => player.username)).not.toContain(username)
    }
  })
})

describe('two who would end each other', () => {
  let second: Admin
  beforeAll(async () => {
    second = await session.newAdmin()
  })

  /** Whether an admin's token opens admin routes. */
  const isIn = async ({ admin }: { admin: string }): Promise<boolean> =>
    (await ask(server, 'GET', '/api/admin/status', { token: admin })).status === 200
  const demote = (by: { admin: string }, { player_id: id }: Admin): Promise<Answer> =>
    ask(server, 'PUT', `/api/admin/players/${id}/role`, {
      token: by.admin,
      body: { is_admin: false },
    })
  const promote = (by: { admin: string }, { player_id: id }: Admin): Promise<Answer> =>
    ask(server, 'PUT', `/api/admin/players/${id}/role`, {
      token: by.admin,
      body: { is_admin: true },
    })

  test('by taking the role: one does, the other has no right to any more', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        outcome(demote(session.chief, second)),
        outcome(demote(second, session.chief)),
      ])
      expect(answers.toSorted()).toEqual(['200', '401 E005'])
      const [winner, loser] =
        answers[0] === '200' ? [session.chief, second] : [second, session.chief]
      expect(await isIn(winner)).toBe(true)
      expect(await isIn(loser)).toBe(false)
      expect((await promote(winner, loser)).status).toBe(200)
    }
  })

  test('by leaving: one leaves, the last one stays', async () => {
    const third = await session.newAdmin()
    expect((await demote(second, session.chief)).status).toBe(200)
    const leave = ({ token }: Admin): Promise<string> =>
      outcome(ask(server, 'DELETE', '/api/account', { token }))
    const answers = await Promise.all([leave(second), leave(third)])
    expect(answers.toSorted()).toEqual(['204', '400 E003'])
    const left = answers[0] === '204' ? third : second
    expect((await promote(left, session.chief)).status).toBe(200)
    expect(await isIn(session.chief)).toBe(true)
    expect((await session.order('DELETE', `/api/admin/admins/${left.player_id}`)).status).toBe(204)
  })

  test('by leaving and taking the role: one admin stays', async () => {
    for (let round = 0; round < 3; round++) {
      const other = await session.newAdmin()
      const [left, demoted] = await Promise.all([
        outcome(ask(server, 'DELETE', '/api/account', { token: other.token })),
        outcome(demote(session.chief, other)),
      ])
      // He left as an admin, or as the player he had just become.
      expect(left).toBe('204')
      expect(['200', '400 E009']).toContain(demoted)
      expect(await isIn(session.chief)).toBe(true)
      expect(await isIn(other)).toBe(false)
    }
  })
})

test('an observer is shown out with the role', async () => {
  const admin = await session.newAdmin()
  const observer = await openSocket(server, admin.admin)
  expect(await observer.next('welcome')).toMatchObject({ observer: true })
  const pilot = await openSocket(server, admin.token)
  await pilot.next('welcome')
  expect((await session.changeRole(admin.player_id, false)).status).toBe(200)
  expect(await observer.next('error')).toMatchObject({ code: 'E005' })
  expect((await observer.closed).code).toBe(4003)
  pilot.send({ type: 'ping', id: 'still here' })
  await pilot.next('pong')
  const { ship_id: shipId } = (
    await session.order('POST', `/api/admin/players/${admin.player_id}/ship`)
  ).body as { ship_id: string }
  await pilot.next('tick', ({ ships }) => ships.some(({ ship_id: id }) => id === shipId))
  await pilot.close()
  await session.order('DELETE', `/api/admin/players/${admin.player_id}`)
})

test('the audit trail says who did what to whom, the newest first, and no secret', async () => {
  const admin = await session.newAdmin()
  const player = await session.newPlayer()
  const { player_id: id } = player
  await session.changeRole(id, true)
  await session.order('POST', `/api/admin/players/${id}/reset-password`, {
    new_password: 'audited pass',
  })
  const { token } = await session.login(player.username, 'audited pass')
  const body = { current_password: 'audited pass', new_password: 'audited pass 2' }
  await ask(server, 'PUT', '/api/account/password', { token, body })
  await ask(server, 'DELETE', '/api/account', { token })
  await session.order('POST', `/api/admin/players/${admin.player_id}/ship`)
  await session.order('DELETE', `/api/admin/admins/${admin.player_id}`)
  const by = { actor: session.chief.player_id }
  const { body: found } = await session.order('GET', '/api/admin/audit?limit=8')
  expect(found).toMatchObject({
    entries: [
      { ...by, action: 'delete_account', subject: admin.player_id },
      { ...by, action: 'assign_ship', subject: admin.player_id },
      { actor: id, action: 'delete_account', subject: id, detail: { username: player.username } },
      { actor: id, action: 'change_password', subject: id, detail: null },
      { ...by, action: 'reset_password', subject: id, detail: null },
      { ...by, action: 'change_role', subject: id, detail: { is_admin: true } },
      { actor: id, action: 'register', subject: id },
      { ...by, action: 'create_admin', subject: admin.player_id },
    ],
  })
  const all = await session.order('GET', '/api/admin/audit?limit=1000')
  for (const secret of [...session.tokens, ADMIN.password, PASSWORD, 'audited pass', 'argon2'])
    expect(all.text).not.toContain(secret)
  const count = async (query: string): Promise<number> => {
    const { body: list } = await session.order('GET', `/api/admin/audit${query}`)
    return (list as { entries: unknown[] }).entries.length
  }
  const opening = Array.from({ length: 100 }, () =>
    session.order('POST', '/api/admin/registrations/enable'),
  )
  await Promise.all(opening)
  expect(await count('')).toBe(100)
  expect(await count('?limit=1000')).toBeGreaterThan(100)
  expect(await count('?limit=1')).toBe(1)
  for (const limit of ['0', '1001', '-1', '1.5', '1e2', '', 'all', ' 1', '0x10', '9'.repeat(30)]) {
    const query = new URLSearchParams({ limit }).toString()
    expect(refusalOf(await session.order('GET', `/api/admin/audit?${query}`))).toBe('400 E001')
  }
})

test(
  'killed while it registers players, it comes back with a ship for every account',
  async () => {
    const names = Array.from({ length: 12 }, () => session.newName())
    const registering = names.map((username) =>
      ask(server, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    await Promise.any(registering)
    await server.kill()
    const statuses = await Promise.all(registering)
    expect(statuses).toContain(201)
    expect(statuses).toContain(0)
    server = await restart()
    const accounts = await session.players()
    const known = accounts.map(({ username }) => username)
    const promised = names.filter((_, i) => statuses[i] === 201)
    expect(known).toEqual(expect.arrayContaining(promised))
    const ships = accounts.map(({ ship_id: id }) => id).filter((id) => id !== '')
    expect((await shipsSeen()).toSorted()).toEqual(ships.toSorted())
    expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/)
  },
  STARTING_TEST_MS_MAX,
)

test('an id that nobody has, or that is none, is nobody', async () => {
  const ids = [randomUUID(), 'no-uuid', '1', "'%20or%201=1", ida.player_id.slice(0, -1), '%00']
  for (const id of ids) {
    const path = `/api/admin/players/${id}`
    const answers = [
      await session.order('DELETE', path),
      await session.order('POST', `${path}/reset-password`, { new_password: PASSWORD }),
      await session.order('POST', `${path}/ship`),
      await session.order('DELETE', `/api/admin/admins/${id}`),
      await session.order('PUT', `/api/admin/admins/${id}/password`, { new_password: PASSWORD }),
    ]
    expect(answers.map(refusalOf)).toEqual(Array(5).fill('404 E009'))
    expect(refusalOf(await session.changeRole(id, true))).toBe('400 E009')
  }
})
