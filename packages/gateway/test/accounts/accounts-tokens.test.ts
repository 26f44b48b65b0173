// Goal: the present state of an account decides what its tokens open, an owner can end those that
// were stolen, and a reset of a password wins over a change by the owner. Method: one server
// process; tokens with exactly the interface's claims, made with its key, beside those it issued.
import type { RegisterResponse } from '@orrery/protocol'
import { describe, expect, test } from 'vitest'
import { type AdminSession, openAdminSession, outcome } from './admin-session.ts'
import { signed as signedToken } from '../conformance/world.ts'
import { type Answer, PASSWORD, ask, openSocket, refusedHandshake } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

let session: AdminSession

const server = sharedServer(async () => {
  session = await openAdminSession(server)
})

const remove = (id: string): Promise<Answer> => session.order('DELETE', `/api/admin/players/${id}`)
const reset = (id: string): Promise<Answer> =>
  session.order('POST', `/api/admin/players/${id}/reset-password`, {
    new_password: 'reset password 1',
  })

function signed(claims: Record<string, unknown>): string {
  const now = Math.floor(Date.now() / 1000)
  return signedToken(server.variables['JWT_SECRET_KEY'] ?? '', {
    iat: now,
    exp: now + 86_400,
    ...claims,
  })
}

describe('what a token opens follows its account', () => {
  interface Tried {
    readonly player: RegisterResponse
    /** issued a minute ago, while the account was an admin's, without a generation */
    readonly admin: string
    /** of a player, issued with it */
    readonly bare: string
  }
  const changeOwn = (token: string, current: string): Promise<Answer> =>
    ask(server, 'PUT', '/api/account/password', {
      token,
      body: { current_password: current, new_password: 'own password 2' },
    })

  const untouched = { ship: '200', admin: '401 E005', socket: 101, bare: '200', own: '204' }
  const ended = { ...untouched, ship: '401 E005', socket: 401, bare: '401 E005', own: '401 E005' }
  const rows: readonly [string, (tried: Tried) => Promise<unknown>, typeof untouched][] = [
    ['untouched', () => Promise.resolve(), untouched],
    [
      'promoted',
      ({ player }) => session.changeRole(player.player_id, true),
      { ...untouched, admin: '200' },
    ],
    [
      'promoted and demoted',
      async ({ player }) => {
        await session.changeRole(player.player_id, true)
        await session.changeRole(player.player_id, false)
      },
      untouched,
    ],
    [
      'given another password by its owner',
      ({ player }) => changeOwn(player.token, PASSWORD),
      { ...untouched, bare: '401 E005' },
    ],
    [
      'given another password by its owner, with a token of exactly the claims',
      ({ bare }) => changeOwn(bare, PASSWORD),
      { ...ended, bare: '200' },
    ],
    [
      'given another password by its owner, now an admin',
      async ({ player }) => {
        await session.changeRole(player.player_id, true)
        expect((await changeOwn(player.token, PASSWORD)).status).toBe(200)
      },
      { ...untouched, bare: '401 E005' },
    ],
    [
      'given another password by its owner, now an admin, by the routes of admins',
      async ({ player, admin }) => {
        await session.changeRole(player.player_id, true)
        const path = `/api/admin/admins/${player.player_id}/password`
        const body = { new_password: 'own password 2' }
        expect((await ask(server, 'PUT', path, { token: admin, body })).status).toBe(200)
      },
      { ...ended, admin: '200' },
    ],
    ['given another password by an admin', ({ player }) => reset(player.player_id), ended],
    [
      'signed out everywhere by its owner',
      async ({ player }) => {
        const { token } = player
        expect((await ask(server, 'DELETE', '/api/account/tokens', { token })).status).toBe(204)
      },
      ended,
    ],
    [
      'signed out everywhere by its owner, now an admin',
      async ({ player, admin }) => {
        await session.changeRole(player.player_id, true)
        const ending = ask(server, 'DELETE', '/api/admin/tokens', { token: admin })
        expect((await ending).status).toBe(204)
      },
      ended,
    ],
    [
      'deleted by an admin',
      ({ player }) => remove(player.player_id),
      { ship: '404 E006', admin: '401 E005', socket: 401, bare: '404 E006', own: '401 E005' },
    ],
    [
      'deleted by its owner',
      ({ player }) => ask(server, 'DELETE', '/api/account', { token: player.token }),
      { ship: '404 E006', admin: '401 E005', socket: 401, bare: '404 E006', own: '401 E005' },
    ],
  ]

  test.each(rows)('%s', async (_, change, expected) => {
    const player = await session.newPlayer()
    const { player_id: sub, ship_id } = player
    const iat = Math.floor(Date.now() / 1000) - 60
    const admin = signed({ sub, type: 'admin', iat })
    const bare = signed({ sub, type: 'player', ship_id, iat })
    await change({ player, admin, bare })
    const asked = (path: string, token: string): Promise<string> =>
      outcome(ask(server, 'GET', path, { token }))
    const handshake = async (): Promise<number | undefined> => {
      if (expected.socket === 101) {
        await (await openSocket(server, player.token)).close()
        return 101
      }
      const headers = { authorization: `Bearer ${player.token}` }
      return (await refusedHandshake(server, headers)).status
    }
    expect({
      ship: await asked('/api/player/ship', player.token),
      admin: await asked('/api/admin/status', admin),
      socket: await handshake(),
      bare: await asked('/api/player/ship', bare),
      // Last: it may delete the account. The token of a deleted one is void here.
      own: await outcome(ask(server, 'DELETE', '/api/account', { token: player.token })),
    }).toEqual(expected)
    await remove(sub)
  })

  test('a generation in a token must be the present one', async () => {
    const { player_id: sub, ship_id } = await session.newPlayer()
    const generations = [-1, 0, 0.5, 1, 2]
    const good = async (): Promise<number[]> => {
      const found: number[] = []
      for (const generation of generations) {
        const token = signed({ sub, type: 'player', ship_id, generation })
        const { status } = await ask(server, 'GET', '/api/player/ship', { token })
        if (status === 200) found.push(generation)
      }
      return found
    }
    expect(await good()).toEqual([0])
    await reset(sub)
    expect(await good()).toEqual([1])
    await remove(sub)
  })
})

test('of an own change and a reset at once, the reset is never lost', async () => {
  const { username, token, player_id: id } = await session.newPlayer()
  const body = { current_password: PASSWORD, new_password: 'what the owner wants' }
  const [own, byAdmin] = await Promise.all([
    ask(server, 'PUT', '/api/account/password', { token, body }),
    session.order('POST', `/api/admin/players/${id}/reset-password`, {
      new_password: 'what it is now',
    }),
  ])
  expect(byAdmin.status).toBe(200)
  // The owner was first, or the given password was not the present one any more.
  expect([200, 401]).toContain(own.status)
  expect((await session.enter(username, 'what it is now')).status).toBe(200)
  expect((await session.enter(username, 'what the owner wants')).status).toBe(401)
  await remove(id)
})

describe('a changed password closes sockets of other tokens only', () => {
  const change = (token: string): Promise<Answer> =>
    ask(server, 'PUT', '/api/account/password', {
      token,
      body: { current_password: PASSWORD, new_password: 'own password 2' },
    })

  test('the one that asked flies on', async () => {
    const { token, player_id: id } = await session.newPlayer()
    const socket = await openSocket(server, token)
    expect((await change(token)).status).toBe(200)
    // An answer of the server that came after the change.
    await socket.freshTick()
    await socket.close()
    await remove(id)
  })

  test('another one is closed', async () => {
    const { token, username, player_id: id } = await session.newPlayer()
    const stolen = await openSocket(server, token)
    const { token: own } = await session.login(username)
    expect((await change(own)).status).toBe(200)
    expect(await stolen.closed).toEqual({ code: 4006, reason: 'password reset' })
    await remove(id)
  })

  test('signing out everywhere closes all', async () => {
    const { token, player_id: id } = await session.newPlayer()
    const socket = await openSocket(server, token)
    expect((await ask(server, 'DELETE', '/api/account/tokens', { token })).status).toBe(204)
    expect(await socket.closed).toEqual({ code: 4003, reason: 'signed out' })
    await remove(id)
  })
})

describe("an admin's own password", () => {
  const next = { new_password: PASSWORD }
  const answers = async (routes: readonly string[], body: object, age: number): Promise<string> => {
    const { player_id: sub } = await session.newAdmin()
    const iat = Math.floor(Date.now() / 1000) - age
    const token = signed({ sub, type: 'admin', iat })
    const found: string[] = []
    for (const route of routes) {
      const [method, path] = route.replace('{id}', sub).split(' ')
      found.push(await outcome(ask(server, method, path, { token, body })))
    }
    await remove(sub)
    return [...new Set(found)].join()
  }
  const ROUTES = [
    'PUT /api/admin/admins/{id}/password',
    'POST /api/admin/players/{id}/reset-password',
  ]
  const DAY = 23 * 3600
  test.each([
    ['a fresh token needs no present password', next, 0, '200'],
    ['an old token needs the present password', next, DAY, '403 E003'],
    ['with it an old token will do', { ...next, current_password: PASSWORD }, DAY, '200'],
    ['a wrong one is refused', { ...next, current_password: 'wrong' }, DAY, '403 E003'],
    [
      'a fresh token makes a wrong one no better',
      { ...next, current_password: 'wrong' },
      0,
      '403 E003',
    ],
  ])('%s', async (_, body, age, expected) => {
    expect(await answers(ROUTES, body, age)).toBe(expected)
  })
})
