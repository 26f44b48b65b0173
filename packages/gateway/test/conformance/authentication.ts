import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { randomKey } from '../server-process.ts'
import type { Case, Section } from './case.ts'
import { UUID, envelope } from './shapes.ts'
import { ADMIN } from '../server-process.ts'
import { type World, claimsOf, signed } from './world.ts'

const DAY = 86_400
const now = (): number => Math.floor(Date.now() / 1000)

const playerClaims = ({ ida }: World): object => ({
  sub: ida.player_id,
  type: 'player',
  ship_id: ida.ship_id,
  iat: now(),
  exp: now() + DAY,
})
const adminClaims = ({ chief }: World): object => ({
  sub: chief.admin_id,
  type: 'admin',
  iat: now(),
  exp: now() + DAY,
})

/** Tokens nobody may enter with, by what is wrong about them. */
const FORGED: Readonly<Record<string, (world: World) => string>> = {
  'no token at all': () => '',
  'another key': (world) => signed(randomKey(), playerClaims(world)),
  'another key, for an admin': (world) => signed(randomKey(), adminClaims(world)),
  'no algorithm': (world) => {
    const [head, body] = signed(world.key, adminClaims(world), { alg: 'none' }).split('.')
    return `${head}.${body}.`
  },
  'a cut signature': ({ ida }) => ida.token.slice(0, -3),
  expired: (world) => signed(world.key, { ...playerClaims(world), exp: now() - 1 }),
  'expired, for an admin': (world) => signed(world.key, { ...adminClaims(world), exp: now() - 1 }),
  'no expiry': (world) => signed(world.key, { ...playerClaims(world), exp: undefined }),
  'no type': (world) => signed(world.key, { ...playerClaims(world), type: undefined }),
  'an unknown type': (world) => signed(world.key, { ...playerClaims(world), type: 'root' }),
  'no subject': (world) => signed(world.key, { ...playerClaims(world), sub: undefined }),
  'a player who calls himself admin': (world) =>
    signed(world.key, { ...playerClaims(world), type: 'admin' }),
}

async function opensNothing(world: World, token: string): Promise<void> {
  for (const path of ['/api/player/ship', '/api/admin/status', '/api/admin/players']) {
    const answer = await world.ask('GET', path, { token })
    expect([path, answer.status, answer.body]).toEqual([path, 401, envelope('E005')])
  }
  const socket = await world.refused('/ws', { authorization: `Bearer ${token}` })
  expect(socket).toEqual({ status: 401, body: envelope('E005') })
}

const validation: readonly Case[] = Object.entries(FORGED).map(([what, token]) => ({
  rows: ['auth/validation', 'auth/key', 'player-ship/E005', 'error/E005'],
  title: `a token with ${what} opens nothing`,
  script: (world) => opensNothing(world, token(world)),
}))

const claims: readonly Case[] = [
  {
    rows: [
      'claim/sub',
      'claim/type',
      'claim/ship_id',
      'claim/iat',
      'claim/exp',
      'limit/token',
      'auth/issuers',
      'auth/key',
    ],
    title: 'tokens are HS256 and carry their claims for a day',
    script: async ({ ida, chief, login }) => {
      const entered = await login(ida)
      const found = [ida.token, entered.token, chief.token].map(claimsOf)
      const [registered, again, admin] = found
      const { player_id: sub, ship_id } = ida
      expect(registered).toMatchObject({ sub, ship_id, type: 'player' })
      expect(again).toMatchObject({ sub, ship_id, type: 'player' })
      expect(admin).toMatchObject({ sub: UUID, type: 'admin' })
      expect(admin).not.toHaveProperty('ship_id')
      for (const { iat, exp } of found) {
        expect(exp - iat).toBe(DAY)
        expect(Math.abs(iat - now())).toBeLessThan(3600)
      }
      for (const token of [ida.token, chief.token]) {
        const head = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString())
        expect(head.alg).toBe('HS256')
      }
    },
  },
  {
    rows: ['claim/ship_id', 'player/ship_id', 'design:login/admin-token'],
    title: "an admin's player token has an empty ship",
    script: async ({ chief, login }) => {
      const { token, admin_token } = await login(chief)
      expect(claimsOf(token)).toMatchObject({ type: 'player', ship_id: '' })
      expect(claimsOf(admin_token)).toMatchObject({ type: 'admin', sub: chief.admin_id })
    },
  },
  {
    rows: ['auth/validation', 'auth/key', 'design:token/exact-claims', 'design:token/ship-now'],
    title: "tokens made with the key and the interface's claims alone are good",
    script: async (world) => {
      const { key, ask, ida } = world
      const player = signed(key, { ...playerClaims(world), ship_id: randomUUID() })
      const ship = await ask('GET', '/api/player/ship', { token: player })
      expect([ship.status, ship.body]).toMatchObject([200, { ship_id: ida.ship_id }])
      const admin = signed(key, adminClaims(world))
      expect((await ask('GET', '/api/admin/status', { token: admin })).status).toBe(200)
    },
  },
]

const doors: readonly Case[] = [
  {
    rows: ['auth/open-routes'],
    title: 'five routes want no token',
    script: async ({ ask }) => {
      const bad = { headers: { authorization: 'Bearer nonsense' } }
      for (const options of [{}, bad]) {
        expect((await ask('GET', '/api/status', options)).status).toBe(200)
        const register = { ...options, body: {} }
        expect((await ask('POST', '/api/auth/register', register)).status).toBe(400)
        for (const path of ['/api/auth/login', '/api/admin/auth/login', '/api/admin/login']) {
          expect((await ask('POST', path, { ...options, body: ADMIN })).status).toBe(200)
        }
      }
    },
  },
  {
    rows: ['auth/header', 'auth/types', 'admin-routes/token'],
    title: 'a token counts only as Bearer in its header, and only for its kind',
    script: async ({ ask, ida, chief }) => {
      const status = async (
        path: string,
        headers: Readonly<Record<string, string>>,
      ): Promise<number> => (await ask('GET', path, { headers })).status
      const { token } = ida
      const bearer = (token: string): Record<string, string> => ({
        authorization: `Bearer ${token}`,
      })
      expect(await status('/api/player/ship', bearer(token))).toBe(200)
      expect(await status('/api/player/ship', { authorization: `bearer ${token}` })).toBe(200)
      expect(await status('/api/player/ship', { authorization: token })).toBe(401)
      expect(await status('/api/player/ship', { authorization: `Basic ${token}` })).toBe(401)
      expect(await status('/api/player/ship', { cookie: `token=${token}` })).toBe(401)
      expect(await status(`/api/player/ship?token=${token}`, {})).toBe(401)
      expect(await status('/api/player/ship', bearer(chief.token))).toBe(401)
      expect(await status('/api/admin/status', bearer(chief.token))).toBe(200)
      expect(await status('/api/admin/status', bearer(token))).toBe(401)
    },
  },
]

export const authenticationSection: Section = {
  name: 'authentication',
  cases: [...validation, ...claims, ...doors],
}
