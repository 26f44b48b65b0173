// Goal: the present state of an account decides what its tokens open, and a reset of a password
// wins over a change by the owner. Method: one server process; tokens with exactly the interface's
// claims, made with its key, beside those it issued.
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
    const admin = signed({ sub, type: 'admin' })
    const bare = signed({ sub, type: 'player', ship_id })
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
