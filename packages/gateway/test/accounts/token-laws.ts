// What a token must be to open anything, and what each kind of wrong one is answered.
import { SignJWT, UnsecuredJWT } from 'jose'
import type { RegisterResponse } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Place, ask, openSocket, refusedHandshake } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { randomKey } from '../server-process.ts'

/** Whose tokens are tried where; known when the tests run. */
export interface TokenWorld {
  readonly place: () => Place
  /** what the server signs with */
  readonly key: string
  /** a player with a ship */
  readonly ida: () => RegisterResponse
  /** a good admin token */
  readonly admin: () => string
  /** takes every token that is made */
  readonly secrets: Set<string>
}

/** The claims of a token, unchecked. */
function payload(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}

interface Signing {
  readonly alg?: string
  readonly secret?: string
}

const now = (): number => Math.floor(Date.now() / 1000)
const DAY = 86_400

export function tokenLaws({ place, key, ida, admin, secrets }: TokenWorld): void {
  function signed(
    claims: Record<string, unknown>,
    { alg = 'HS256', secret = key }: Signing = {},
  ): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(secret))
  }

  /** Exactly the claims that the interface names. */
  function playerClaims(changes: Record<string, unknown> = {}): Record<string, unknown> {
    const { player_id: sub, ship_id } = ida()
    return { sub, type: 'player', ship_id, iat: now(), exp: now() + DAY, ...changes }
  }

  describe('tokens', () => {
    test('tokens that are issued carry the claims of the interface for 24 hours', () => {
      const player = payload(ida().token)
      const { player_id: sub, ship_id } = ida()
      expect(player).toMatchObject({ sub, type: 'player', ship_id })
      expect(payload(admin())).toMatchObject({ type: 'admin' })
      expect(payload(admin())).not.toHaveProperty('ship_id')
      for (const { iat, exp } of [player, payload(admin())] as Record<string, number>[]) {
        expect(exp - iat).toBe(DAY)
        expect(Math.abs(iat - now())).toBeLessThan(300)
      }
    })

    test('a token with exactly those claims is good, for a minute and for a century', async () => {
      for (const exp of [now() + 60, now() + DAY, now() + 100 * 366 * DAY]) {
        const token = await signed(playerClaims({ exp }))
        const { status, body } = await ask(place(), 'GET', '/api/player/ship', { token })
        expect(status).toBe(200)
        expect(body).toMatchObject({ ship_id: ida().ship_id })
        const socket = await openSocket(place(), token)
        await socket.freshTick()
        await socket.close()
      }
      const { sub } = payload(admin())
      const token = await signed({ sub, type: 'admin', iat: now(), exp: now() + DAY })
      expect((await ask(place(), 'GET', '/api/admin/status', { token })).status).toBe(200)
    })

    test('further claims open nothing and close nothing', async () => {
      const extra = { iss: 'elsewhere', aud: 'others', roles: ['admin'], is_admin: true, nbf: 0 }
      const token = await signed(playerClaims({ ...extra, jti: randomUUID() }))
      expect((await ask(place(), 'GET', '/api/player/ship', { token })).status).toBe(200)
      expect(refusalOf(await ask(place(), 'GET', '/api/admin/status', { token }))).toBe('401 E005')
    })

    test('the ship of the account counts, not the one of the claim', async () => {
      const token = await signed(playerClaims({ ship_id: randomUUID() }))
      const { body } = await ask(place(), 'GET', '/api/player/ship', { token })
      expect(body).toMatchObject({ ship_id: ida().ship_id })
    })

    test('a socket is closed with 4003 when its token expires', async () => {
      const socket = await openSocket(place(), await signed(playerClaims({ exp: now() + 2 })))
      expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
    })

    test('every other token is 401 E005 on the ship, the admin routes and the socket', async () => {
      const { exp: _, ...withoutExp } = playerClaims()
      const { sub: __, ...withoutSub } = playerClaims()
      const { ship_id: ___, ...withoutShip } = playerClaims()
      const [head, , signature] = ida().token.split('.')
      const { sub: adminId } = payload(admin())
      const forged = { ...payload(ida().token), sub: adminId, type: 'admin' }
      const forgedPart = Buffer.from(JSON.stringify(forged)).toString('base64url')
      const tokens: Record<string, string> = {
        empty: '',
        'no token': 'garbage',
        'three dots': '...',
        expired: await signed(playerClaims({ iat: now() - DAY - 5, exp: now() - 5 })),
        'expired, for an admin': await signed({ sub: adminId, type: 'admin', exp: now() - 5 }),
        'another key': await signed(playerClaims(), { secret: randomKey() }),
        unsigned: new UnsecuredJWT(playerClaims()).encode(),
        'unsigned, for an admin': new UnsecuredJWT({
          sub: adminId as string,
          type: 'admin',
        }).encode(),
        HS512: await signed(playerClaims(), { alg: 'HS512', secret: key }),
        'HS512, for an admin': await signed(
          { sub: adminId, type: 'admin', exp: now() + DAY },
          { alg: 'HS512' },
        ),
        HS384: await signed(playerClaims(), { alg: 'HS384' }),
        'an extension nobody knows': await new SignJWT(playerClaims())
          .setProtectedHeader({ alg: 'HS256', crit: ['strict'], strict: true })
          .sign(Buffer.from(key), { crit: { strict: true } }),
        'type swapped, an admin': await signed({ sub: adminId, type: 'player', exp: now() + DAY }),
        'without exp': await signed(withoutExp),
        'exp is a text': await signed(playerClaims({ exp: String(now() + DAY) })),
        'without sub': await signed(withoutSub),
        'without ship_id': await signed(withoutShip),
        'without type': await signed(playerClaims({ type: undefined })),
        'type is a list': await signed(playerClaims({ type: ['player', 'admin'] })),
        'unknown type': await signed(playerClaims({ type: 'root' })),
        'void generation': await signed(playerClaims({ generation: 99 })),
        'generation is a text': await signed(playerClaims({ generation: '0' })),
        'not yet': await signed(playerClaims({ nbf: now() + DAY })),
        'other payload': `${head}.${forgedPart}.${signature}`,
        'cut signature': ida().token.slice(0, -2),
        'no signature': ida().token.slice(0, ida().token.lastIndexOf('.') + 1),
        'admin role claimed by a player': await signed({ ...forged, sub: ida().player_id }),
      }
      for (const [name, token] of Object.entries(tokens)) {
        for (const path of ['/api/player/ship', '/api/admin/status']) {
          const { status, body } = await ask(place(), 'GET', path, { token })
          expect({ name, path, status, body }).toMatchObject({
            status: 401,
            body: { error: { code: 'E005' } },
          })
        }
        const headers = { authorization: `Bearer ${token}` }
        const { status, body } = await refusedHandshake(place(), headers)
        expect({ name, status, body }).toMatchObject({
          status: 401,
          body: { error: { code: 'E005' } },
        })
        if (token.length > 20) secrets.add(token)
      }
    })

    test('only the bearer scheme of the header carries a token of the right type', async () => {
      expect(refusalOf(await ask(place(), 'GET', '/api/player/ship', { token: admin() }))).toBe(
        '401 E005',
      )
      const bare = { headers: { authorization: ida().token } }
      expect(refusalOf(await ask(place(), 'GET', '/api/player/ship', bare))).toBe('401 E005')
      const basic = { headers: { authorization: `Basic ${ida().token}` } }
      expect(refusalOf(await ask(place(), 'GET', '/api/player/ship', basic))).toBe('401 E005')
      const inUrl = `/api/player/ship?token=${ida().token}&authorization=Bearer%20${ida().token}`
      expect(refusalOf(await ask(place(), 'GET', inUrl))).toBe('401 E005')
      expect((await ask(place(), 'GET', '/api/status')).body).toMatchObject({ paused: false })
    })

    test('a good token whose player is gone is 404 E006 at the ship, else 401', async () => {
      for (const sub of [randomUUID(), 'no uuid', '', "'; drop table account; --"]) {
        const token = await signed(playerClaims({ sub }))
        expect(refusalOf(await ask(place(), 'GET', '/api/player/ship', { token }))).toBe('404 E006')
        const asAdmin = await signed({ sub, type: 'admin', exp: now() + DAY })
        expect(refusalOf(await ask(place(), 'GET', '/api/admin/status', { token: asAdmin }))).toBe(
          '401 E005',
        )
        const { status } = await refusedHandshake(place(), { authorization: `Bearer ${token}` })
        expect(status).toBe(401)
      }
    })
  })
}
