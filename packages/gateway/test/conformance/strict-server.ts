// A server with the defaults: the login limit of the interface, a default name, a proxy before it,
// and a PostgreSQL server that ends before it.
import { expect } from 'vitest'
import { gatewayConfig } from '../../src/config.ts'
import { PASSWORD } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, dataDirectory, environment, startRefusal } from '../server-process.ts'
import type { Case, Section } from './case.ts'
import { STATUS, TEXT } from './shapes.ts'
import type { World } from './world.ts'

/** The environment's token for the metrics. */
export const METRICS_TOKEN = 'planted-metrics-token-7'

/** The header that the proxy adds for a client at an address. */
const from = (address: string): { headers: Record<string, string> } => ({
  headers: { 'x-forwarded-for': `198.51.100.99, ${address}` },
})

const LOGINS = ['/api/auth/login', '/api/admin/auth/login', '/api/admin/login']

async function refusedSixth(world: World, address: (attempt: number) => string): Promise<void> {
  const account = { username: 'Ida', password: PASSWORD }
  const attempt = (path: string, body: object, i: number): ReturnType<World['ask']> =>
    world.ask('POST', path, { body, ...from(address(i)) })
  for (let i = 0; i < 5; i++) {
    const wrong = i % 2 === 0
    const body = wrong ? { ...account, password: 'not it' } : account
    const { status } = await attempt('/api/auth/login', body, i)
    expect([i, status]).toEqual([i, wrong ? 401 : 200])
  }
  for (const [i, path] of LOGINS.entries()) {
    const answer = await attempt(path, i === 0 ? account : ADMIN, i)
    expect([path, refusalOf(answer)]).toEqual([path, '429 E004'])
    const wait = Number(answer.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
  }
}

const limits: readonly Case[] = [
  {
    rows: ['login/E004', 'admin-login/E004', 'limit/login', 'security/login', 'error/E004'],
    title: 'the sixth login of a minute is refused, on all three routes, right or wrong',
    script: async (world) => {
      await refusedSixth(world, () => '203.0.113.1')
      const malformed = { text: '{', ...from('203.0.113.1') }
      expect((await world.ask('POST', '/api/auth/login', malformed)).status).toBe(429)
    },
  },
  {
    rows: ['limit/login', 'design:login/window', 'design:login/per-address'],
    title: 'another address has its own five; the first 64 bits of IPv6 count as one address',
    script: async (world) => {
      await refusedSixth(world, () => '203.0.113.2')
      await refusedSixth(world, (i) => `2001:db8:0:7:${i}::${i}`)
      const { status } = await world.ask('POST', '/api/auth/login', {
        body: ADMIN,
        ...from('2001:db8:0:8::1'),
      })
      expect(status).toBe(200)
    },
  },
  {
    rows: ['limit/login'],
    title: 'tokens of a limited address stay valid, and registration and status go on',
    script: async ({ ask, ida, chief }) => {
      const here = from('203.0.113.1')
      const ship = await ask('GET', '/api/player/ship', { token: ida.token, ...here })
      expect(ship.status).toBe(200)
      const world = await ask('GET', '/api/admin/status', { token: chief.token, ...here })
      expect(world.status).toBe(200)
      const { status, body } = await ask('GET', '/api/status', here)
      expect([status, body]).toEqual([200, STATUS])
      const newcomer = { username: 'Latecomer', password: PASSWORD }
      const registered = await ask('POST', '/api/auth/register', { body: newcomer, ...here })
      expect(registered.status).toBe(201)
    },
  },
  {
    rows: ['limit/login', 'design:account/password'],
    title: 'each account has five guesses a minute at its present password',
    script: async ({ ask, ida, newPlayer }) => {
      const guess = (token: string, current: string): ReturnType<World['ask']> =>
        ask('PUT', '/api/account/password', {
          token,
          body: { current_password: current, new_password: PASSWORD },
        })
      const { token } = await newPlayer()
      for (let i = 0; i < 5; i++) {
        expect(refusalOf(await guess(token, `guess number ${i}`))).toBe('401 E005')
      }
      const sixth = await guess(token, PASSWORD)
      expect(refusalOf(sixth)).toBe('429 E004')
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect((await guess(ida.token, PASSWORD)).status).toBe(200)
    },
  },
]

const environmentCases: readonly Case[] = [
  {
    rows: ['setting/server-name'],
    title: 'has a name by default',
    script: async ({ key }) => {
      expect(gatewayConfig({ JWT_SECRET_KEY: key }).serverName).toEqual(TEXT)
    },
  },
  {
    rows: ['auth/key', 'limit/key'],
    title: 'starts with a key of 32 bytes, and not with 31 or none',
    script: async ({ key }) => {
      expect(Buffer.byteLength(key)).toBe(32)
      const directory = dataDirectory()
      const short = key.slice(1)
      for (const JWT_SECRET_KEY of [undefined, '', short]) {
        const reason = await startRefusal(environment(directory.path, { JWT_SECRET_KEY }))
        expect(reason).toContain('JWT_SECRET_KEY')
        expect(reason).not.toContain(short)
      }
      directory.remove()
    },
  },
  {
    rows: ['design:metrics/token'],
    title: 'shows its metrics to the token of the environment, and to no other',
    script: async ({ ask }) => {
      const see = async (token: string): Promise<number> =>
        (await ask('GET', '/metrics', { token })).status
      expect(await see(METRICS_TOKEN)).toBe(200)
      expect(await see(`${METRICS_TOKEN}x`)).toBe(401)
      const elsewhere = await ask('GET', '/api/admin/status', { token: METRICS_TOKEN })
      expect(refusalOf(elsewhere)).toBe('401 E005')
    },
  },
  {
    rows: ['error/http'],
    title: 'only pages of the configured origins may read answers, but for what needs no token',
    script: async ({ ask }) => {
      const allowed = async (origin: string, path = '/api/player/ship'): Promise<string | null> =>
        (await ask('GET', path, { headers: { origin } })).headers.get('access-control-allow-origin')
      expect(await allowed('https://play.example')).toBe('https://play.example')
      for (const origin of ['https://evil.example', 'null', 'https://play.example.evil.example']) {
        expect([origin, await allowed(origin)]).toEqual([origin, null])
        expect([origin, await allowed(origin, '/api/systems/sol')]).toEqual([origin, '*'])
      }
      const headers = {
        origin: 'https://play.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,content-type',
      }
      const preflight = await ask('OPTIONS', '/api/admin/game/tick-rate', { headers })
      expect(preflight.status).toBeLessThan(300)
      expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/i)
      expect(preflight.headers.get('x-content-type-options')).toBe('nosniff')
    },
  },
]

export const strictSection: Section = {
  name: 'limits',
  cases: [...limits, ...environmentCases],
}

const STATION = { name: 'x', parent_body: 'Earth', altitude: 9e5 }
const GATE = { name: 'x', primary_body: 'Sun', secondary_body: 'Earth' }

/** Routes that may fail inside, by the interface. */
const FAULTS = [
  ['register', 'POST', '/api/auth/register', { username: 'Newcomer', password: PASSWORD }],
  ['login', 'POST', '/api/auth/login', { username: 'Ida', password: PASSWORD }],
  ['player-ship', 'GET', '/api/player/ship', undefined],
  ['account-delete', 'DELETE', '/api/account', undefined],
  ['admin-status', 'GET', '/api/admin/status', undefined],
  ['adaptive', 'POST', '/api/admin/game/adaptive-tick-rate', { enabled: true }],
  ['reset', 'POST', '/api/admin/game/reset', undefined],
  ['systems', 'GET', '/api/admin/systems', undefined],
  ['station-make', 'POST', '/api/admin/station', STATION],
  ['station-delete', 'DELETE', '/api/admin/station/{unknown}', undefined],
  ['gate-make', 'POST', '/api/admin/jumpgate', GATE],
  ['gate-delete', 'DELETE', '/api/admin/jumpgate/{unknown}', undefined],
] as const

/** Runs after the database has ended. */
export const faultSection: Section = {
  name: 'faults within',
  cases: FAULTS.map(([row, method, path, body]) => ({
    rows: [`${row}/E008`, 'error/E008'],
    title: `${method} ${path} without its database is 500 E008, at once`,
    ask: [method, path, body],
    answer: '500 E008',
  })),
}
