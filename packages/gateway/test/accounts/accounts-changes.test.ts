// Goal: accounts change only as the interface allows, also when several change at once, and
// nothing remains of what is deleted or interrupted. Method: one server process; races are requests
// sent together; then it is killed while it registers players.
import {
  type PlayersResponse,
  type RegisterResponse,
  playersResponse,
  registerResponse,
} from '@orrery/protocol'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Admin, type AdminSession, openAdminSession, outcome } from './admin-session.ts'
import { type Answer, PASSWORD, ask, idsOf, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, errorLines } from '../server-process.ts'
import { sharedServer } from '../used-server.ts'

let session: AdminSession
let ida: RegisterResponse

const server = sharedServer(async () => {
  session = await openAdminSession(server)
  ida = await register(server, 'Ida')
})

const registration = (username: string, password: string = PASSWORD): Promise<Answer> =>
  ask(server, 'POST', '/api/auth/register', { body: { username, password } })

/** The ships that Ida sees; all of them are near her. */
async function shipsSeen(): Promise<string[]> {
  const socket = await openSocket(server, ida.token)
  const ids = idsOf(await socket.freshTick())
  await socket.close()
  return ids
}

test('of twenty registrations of one name at once, one succeeds, with its password', async () => {
  const passwords = Array.from({ length: 20 }, (_, i) => `racing-password-${i}`)
  const answers = await Promise.all(
    passwords.map((password, i) => registration(i % 2 === 0 ? 'Racer' : 'rACER', password)),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(refusalOf)).toEqual(Array(19).fill('409 E010'))
  const winner = answers.findIndex(({ status }) => status === 201)
  const some = new Set([winner, ...passwords.keys()].slice(0, byTier({ gate: 4, night: 21 })))
  for (const i of some) {
    const { status } = await session.enter('racer', passwords[i])
    expect([i, status]).toEqual([i, i === winner ? 200 : 401])
  }
})

test('a name is taken in any case, and free in any other letter', async () => {
  expect((await registration('Miller_10')).status).toBe(201)
  expect(refusalOf(await registration('mILLER_10'))).toBe('409 E010')
  for (const other of ['MilIer_10', 'Mi1ler_10', 'Miller_1O', 'Rniller_10']) {
    expect([other, (await registration(other)).status]).toEqual([other, 201])
  }
})

test('registrations that wait keep no admin and no player out', async () => {
  const player = await session.newPlayer()
  // At night they fill their queue, which has 64 places.
  const count = byTier({ gate: 24, night: 100 })
  let answered = 0
  const registrations = Array.from({ length: count }, async () => {
    const answer = await registration(session.newName())
    answered += 1
    return answer.status === 201 ? '201' : refusalOf(answer)
  })
  // Sent on connections of their own, so after some of the others.
  const [admin, login] = await Promise.all([
    session.enter(ADMIN.username, ADMIN.password),
    session.enter(player.username, PASSWORD),
  ])
  expect([admin.status, login.status]).toEqual([200, 200])
  expect(answered).toBeLessThan(count)
  const outcomes = new Set(await Promise.all(registrations))
  expect([...outcomes].toSorted()).toEqual(byTier({ gate: ['201'], night: ['201', '503 E008'] }))
})

describe('deletion', () => {
  test('of three at once, one deletes, and the player gets one E014', async () => {
    const gone = await session.newPlayer()
    const socket = await openSocket(server, gone.token)
    await socket.freshTick()
    const ids = [gone.player_id, gone.player_id, gone.player_id.toUpperCase()]
    const answers = await Promise.all(
      ids.map((id) => outcome(session.order('DELETE', `/api/admin/players/${id}`))),
    )
    expect(answers.toSorted()).toEqual(['204', '404 E009', '404 E009'])
    expect((await socket.closed).code).toBe(4004)
    const errors = socket.messages.filter(({ type }) => type === 'error')
    expect(errors).toMatchObject([{ code: 'E014' }])
    expect(await shipsSeen()).not.toContain(gone.ship_id)
  })

  test('the last admin cannot be deleted or demoted by any route', async () => {
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

  test('during its registration leaves neither account nor ship', async () => {
    for (let round = 0; round < byTier({ gate: 2, night: 5 }); round++) {
      const username = session.newName()
      const registering = registration(username)
      let id: string | undefined
      while (id === undefined) {
        id = (await session.players()).find((player) => player.username === username)?.player_id
      }
      expect((await session.order('DELETE', `/api/admin/players/${id}`)).status).toBe(204)
      const { ship_id: shipId } = v.parse(registerResponse, (await registering).body)
      expect(await shipsSeen()).not.toContain(shipId)
      expect((await session.players()).map((player) => player.username)).not.toContain(username)
    }
  })
})

describe('two admins who remove each other', () => {
  let second: Admin
  beforeAll(async () => {
    second = await session.newAdmin()
  })

  /** Whether an admin's token opens admin routes. */
  const isIn = async ({ admin }: { admin: string }): Promise<boolean> =>
    (await ask(server, 'GET', '/api/admin/status', { token: admin })).status === 200
  const changeRole = (
    by: { admin: string },
    { player_id: id }: Admin,
    is_admin: boolean,
  ): Promise<Answer> =>
    ask(server, 'PUT', `/api/admin/players/${id}/role`, { token: by.admin, body: { is_admin } })
  const demote = (by: { admin: string }, admin: Admin): Promise<Answer> =>
    changeRole(by, admin, false)
  const promote = (by: { admin: string }, admin: Admin): Promise<Answer> =>
    changeRole(by, admin, true)
  const leave = ({ token }: { token: string }): Promise<string> =>
    outcome(ask(server, 'DELETE', '/api/account', { token }))

  test('by the role: one succeeds, the other is no admin any more', async () => {
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

  test('by deleting their own accounts: the last one stays', async () => {
    const third = await session.newAdmin()
    expect((await demote(second, session.chief)).status).toBe(200)
    const answers = await Promise.all([leave(second), leave(third)])
    expect(answers.toSorted()).toEqual(['204', '400 E003'])
    const left = answers[0] === '204' ? third : second
    expect((await promote(left, session.chief)).status).toBe(200)
    expect(await isIn(session.chief)).toBe(true)
    expect((await session.order('DELETE', `/api/admin/admins/${left.player_id}`)).status).toBe(204)
  })

  test('by own deletion and role at once: one admin stays', async () => {
    for (let round = 0; round < byTier({ gate: 2, night: 5 }); round++) {
      const other = await session.newAdmin()
      const [left, demoted] = await Promise.all([
        leave(other),
        outcome(demote(session.chief, other)),
      ])
      // The account was deleted as an admin's, or just after the demotion as a player's.
      expect(left).toBe('204')
      expect(['200', '400 E009']).toContain(demoted)
      expect(await isIn(session.chief)).toBe(true)
      expect(await isIn(other)).toBe(false)
    }
  })
})

test('an observer is disconnected when the role ends', async () => {
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
  await pilot.close()
  await session.order('DELETE', `/api/admin/players/${admin.player_id}`)
})

test('the audit trail has who, from where and what, the newest first, and no secret', async () => {
  const admin = await session.newAdmin()
  const player = await session.newPlayer()
  const { player_id: id } = player
  await session.changeRole(id, true)
  await session.order('POST', `/api/admin/players/${id}/reset-password`, {
    new_password: 'audited pass',
  })
  const { token } = await session.login(player.username, 'audited pass')
  expect((await session.enter(player.username, 'a wrong one')).status).toBe(401)
  const body = { current_password: 'audited pass', new_password: 'audited pass 2' }
  await ask(server, 'PUT', '/api/account/password', { token, body })
  await ask(server, 'DELETE', '/api/account', { token })
  await session.order('POST', `/api/admin/players/${admin.player_id}/ship`)
  await session.order('DELETE', `/api/admin/admins/${admin.player_id}`)
  const address = '127.0.0.1'
  const by = { actor: session.chief.player_id, actor_name: ADMIN.username, address }
  const own = { actor: id, actor_name: player.username, address }
  const { username } = player
  const { body: found } = await session.order('GET', '/api/admin/audit?limit=10')
  expect(found).toMatchObject({
    entries: [
      { ...by, action: 'delete_account', subject: admin.player_id },
      { ...by, action: 'assign_ship', subject: admin.player_id },
      { ...own, action: 'delete_account', subject: id, detail: { username } },
      { ...own, action: 'change_password', subject: id, detail: null },
      { ...own, action: 'login', subject: null, detail: null },
      { ...by, action: 'reset_password', subject: id, detail: { username } },
      { ...by, action: 'change_role', subject: id, detail: { is_admin: true } },
      { ...own, action: 'register', subject: id },
      { actor: admin.player_id, actor_name: admin.username, address, action: 'login' },
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

test.runIf(IS_NIGHT)(
  'killed while it registers players, it restarts with a ship for every account',
  async () => {
    const names = Array.from({ length: 12 }, () => session.newName())
    const registering = names.map((username) =>
      registration(username).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    await Promise.any(registering)
    await server.kill()
    const statuses = await Promise.all(registering)
    expect(statuses).toContain(201)
    expect(statuses).toContain(0)
    await server.restart()
    const accounts = await session.players()
    const known = accounts.map(({ username }) => username)
    const promised = names.filter((_, i) => statuses[i] === 201)
    expect(known).toEqual(expect.arrayContaining(promised))
    const ships = accounts.map(({ ship_id: id }) => id).filter((id) => id !== '')
    expect((await shipsSeen()).toSorted()).toEqual(ships.toSorted())
    expect(errorLines(server.output())).toEqual([])
  },
)

test('a page of accounts has roles and leads to the next; one account has its place', async () => {
  const admin = await session.newAdmin()
  const players = await Promise.all([1, 2, 3].map(() => session.newPlayer()))
  const [first] = players
  const page = async (query: string): Promise<PlayersResponse> => {
    const { body } = await session.order('GET', `/api/admin/players?search=pILOT_&${query}`)
    return v.parse(playersResponse, body)
  }
  const { players: begin, next, total } = await page('limit=2')
  const listed = [...begin, ...(await page(`limit=500&after=${next}`)).players]
  expect(listed).toHaveLength(total ?? 0)
  const roles = new Map(listed.map(({ player_id, is_admin }) => [player_id, is_admin]))
  expect(roles.size).toBe(listed.length)
  expect(roles.get(admin.player_id)).toBe(true)
  for (const { player_id } of players) expect(roles.get(player_id)).toBe(false)
  const one = await session.order('GET', `/api/admin/players/${first?.player_id}`)
  const { username, ship_id } = first ?? {}
  const place = { ship_name: username, system_id: 'sol', is_admin: false }
  expect(one.body).toMatchObject({ username, ship_id, online: false, ...place })
  const unknown = `/api/admin/players/${ida.ship_id}`
  expect(refusalOf(await session.order('GET', unknown))).toBe('404 E009')
  for (const query of ['limit=0', 'limit=501', 'after=x', 'search=a&search=b']) {
    expect(refusalOf(await session.order('GET', `/api/admin/players?${query}`))).toBe('400 E001')
  }
})
