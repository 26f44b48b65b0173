// Goal: what a token opens is decided by its account as it is now, and a password is changed only
// by who may. Method: one server process; tokens with exactly the interface's claims, made with
// its key, beside those it issued.
import type { RegisterResponse } from '@orrery/protocol'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { type AdminSession, openAdminSession, outcome } from './admin-session.ts'
import { type Answer, PASSWORD, ask, openSocket, refusedHandshake } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { type ServerProcess, randomKey } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const key = randomKey()

let server: ServerProcess
let session: AdminSession

usedServer({ JWT_SECRET_KEY: key }, async (started) => {
  server = started
  session = await openAdminSession(() => server)
})

const remove = (id: string): Promise<Answer> => session.order('DELETE', `/api/admin/players/${id}`)
const reset = (id: string): Promise<Answer> =>
  session.order('POST', `/api/admin/players/${id}/reset-password`, {
    new_password: 'reset password 1',
  })

function signed(claims: Record<string, unknown>): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ iat: now, exp: now + 86_400, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(key))
}

describe('what a token opens follows its account', () => {
  interface Tried {
    readonly player: RegisterResponse
    /** issued while the account was an admin's, without a generation */
    readonly admin: string
  }
  const changeOwn = (token: string, current: string): Promise<Answer> =>
    ask(server, 'PUT', '/api/account/password', {
      token,
      body: { current_password: current, new_password: 'own password 2' },
    })

  const untouched = { ship: '200', admin: '401 E005', socket: 101, bare: '200', own: '204' }
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
      untouched,
    ],
    [
      'given another password by its owner, now an admin',
      async ({ player }) => {
        await session.changeRole(player.player_id, true)
        expect((await changeOwn(player.token, PASSWORD)).status).toBe(200)
      },
      { ...untouched, admin: '200' },
    ],
    [
      'given another password by an admin',
      ({ player }) => reset(player.player_id),
      { ...untouched, ship: '401 E005', socket: 401, own: '401 E005' },
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
    const admin = await signed({ sub, type: 'admin' })
    const bare = await signed({ sub, type: 'player', ship_id })
    await change({ player, admin })
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
      // Last: it may end the account. Of somebody gone a token is void here like any other.
      own: await outcome(ask(server, 'DELETE', '/api/account', { token: player.token })),
    }).toEqual(expected)
    await remove(sub)
  })

  test('a generation in a token counts, and only the present one is good', async () => {
    const { player_id: sub, ship_id } = await session.newPlayer()
    const generations = [-1, 0, 0.5, 1, 2]
    const good = async (): Promise<number[]> => {
      const found: number[] = []
      for (const generation of generations) {
        const token = await signed({ sub, type: 'player', ship_id, generation })
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

describe('passwords', () => {
  const change = (token: string, current: unknown, next: unknown): Promise<Answer> =>
    ask(server, 'PUT', '/api/account/password', {
      token,
      body: { current_password: current, new_password: next },
    })

  test('one changes the own one by the present one, and stays connected', async () => {
    const { username, token, player_id: id } = await session.newPlayer()
    const socket = await openSocket(server, token)
    for (const [current, next, refused] of [
      ['not the password', 'a new password', '401 E005'],
      [undefined, 'a new password', '401 E005'],
      [12_345_678, 'a new password', '401 E005'],
      ['x'.repeat(1025), 'a new password', '401 E005'],
      ['', 'a new password', '401 E005'],
      [PASSWORD, 'short', '400 E012'],
      [PASSWORD, undefined, '400 E012'],
      [PASSWORD, 12_345_678, '400 E012'],
      ['not the password', 'short', '400 E012'],
    ] as const) {
      expect(refusalOf(await change(token, current, next))).toBe(refused)
    }
    expect((await session.enter(username, PASSWORD)).status).toBe(200)
    const answer = await change(token, PASSWORD, 'a new password')
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, ['message']])
    expect((await session.enter(username, PASSWORD)).status).toBe(401)
    expect((await session.enter(username, 'a new password')).status).toBe(200)
    await socket.freshTick()
    await socket.close()
    await session.order('DELETE', `/api/admin/players/${id}`)
  })

  test('of an own change and a reset at once, the reset never loses unseen', async () => {
    const { username, token, player_id: id } = await session.newPlayer()
    const [own, reset] = await Promise.all([
      change(token, PASSWORD, 'what the owner wants'),
      session.order('POST', `/api/admin/players/${id}/reset-password`, {
        new_password: 'what it is now',
      }),
    ])
    expect(reset.status).toBe(200)
    // The owner was first, or is told that the password he gave is the present one no more.
    expect([200, 401]).toContain(own.status)
    expect((await session.enter(username, 'what it is now')).status).toBe(200)
    expect((await session.enter(username, 'what the owner wants')).status).toBe(401)
    await session.order('DELETE', `/api/admin/players/${id}`)
  })

  test('an admin who resets his own by any route keeps his token, another does not', async () => {
    const admin = await session.newAdmin()
    const routes: readonly [string, string][] = [
      ['PUT', `/api/admin/admins/${admin.player_id}/password`],
      ['POST', `/api/admin/players/${admin.player_id.toUpperCase()}/reset-password`],
    ]
    for (const [method, path] of routes) {
      const body = { new_password: PASSWORD }
      const own = await ask(server, method, path, { token: admin.admin, body })
      expect(own.status).toBe(200)
      const still = await ask(server, 'GET', '/api/admin/status', { token: admin.admin })
      expect(still.status).toBe(200)
    }
    const socket = await openSocket(server, admin.token)
    await session.order('PUT', `/api/admin/admins/${admin.player_id.toUpperCase()}/password`, {
      new_password: PASSWORD,
    })
    expect((await socket.closed).code).toBe(4006)
    const now = await ask(server, 'GET', '/api/admin/status', { token: admin.admin })
    expect(refusalOf(now)).toBe('401 E005')
    await session.order('DELETE', `/api/admin/admins/${admin.player_id}`)
  })
})
