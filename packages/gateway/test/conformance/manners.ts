// What holds for every route: bodies, paths, methods, headers, and the routes about the server
// itself.
import { expect } from 'vitest'
import type { Loose } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN } from '../server-process.ts'
import { ADMIN_ROUTES } from './authentication.ts'
import type { Case, Section } from './case.ts'
import { TEXT, UUID } from './shapes.ts'

const RATE = '/api/admin/game/tick-rate'

const OTHER_ROUTES = [
  ['POST', '/api/auth/register'],
  ['POST', '/api/auth/login'],
  ['POST', '/api/admin/auth/login'],
  ['POST', '/api/admin/login'],
  ['GET', '/api/status'],
  ['GET', '/api/player/ship'],
  ['DELETE', '/api/account'],
] as const

/** Each path of the interface, with `x` for ids, and its methods. */
const METHODS: ReadonlyMap<string, readonly string[]> = methodsOf([
  ...OTHER_ROUTES,
  ...ADMIN_ROUTES.map(([, method, path]) => [method, path.replace(/\?.*/, '')] as const),
])

function methodsOf(routes: readonly (readonly [string, string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [method, path] of routes) {
    const template = path.replaceAll(/\{\w+\}/g, 'x')
    found.set(template, [...(found.get(template) ?? []), method].toSorted())
  }
  return found
}

const bodies: readonly Case[] = [
  {
    rows: ['design:body/malformed', 'error/http'],
    title: 'a body that is not JSON is 400 E001',
    script: async ({ ask, chief }) => {
      for (const text of ['', '{', 'null', '[1', 'NaN', '{"tick_rate":1}}']) {
        const answer = await ask('PUT', RATE, { token: chief.token, text })
        expect([text, refusalOf(answer)]).toEqual([text, '400 E001'])
      }
    },
  },
  {
    rows: ['design:body/large', 'design:body/type'],
    title: 'too large is 413, of another type 415',
    script: async ({ ask, chief }) => {
      const { token } = chief
      const large = await ask('PUT', RATE, { token, text: `{"x":"${'y'.repeat(70_000)}"}` })
      expect(refusalOf(large)).toBe('413 E001')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const form = await ask('PUT', RATE, { token, text: 'tick_rate=1', headers })
      expect(refusalOf(form)).toBe('415 E001')
    },
  },
  {
    rows: ['design:body/ignored', 'design:body/unknown-fields'],
    title: 'a body that no route reads, and unknown fields, change nothing',
    script: async ({ ask, chief }) => {
      const { token } = chief
      const plain = { token, headers: { 'content-type': 'text/plain' } }
      for (const text of ['{', '[]', 'x'.repeat(1000)]) {
        const enabled = await ask('POST', '/api/admin/registrations/enable', { ...plain, text })
        expect(enabled.status).toBe(200)
      }
      const text = '{"open":true,"is_admin":true}'
      expect((await ask('POST', '/api/admin/registrations', { token, text })).status).toBe(200)
    },
  },
]

const routes: readonly Case[] = [
  {
    rows: ['design:route/unknown', 'error/http', 'version/paths'],
    title: 'an unknown path is 404 E002, with any method and with a token',
    script: async ({ ask, chief }) => {
      for (const path of [
        '/.env',
        '/assets',
        '/assets/..%2f..%2fpackage.json',
        '/index.html',
        '/favicon.ico',
        '/wss',
        '/api',
        '/api//status',
        '/api/admin/game/pause/',
        '/api/admin/nope',
        '/api/auth',
        '/api/auth/register/x',
        '/api/nothing',
        '/api/player',
        '/api/status/',
        '/api/v1/status',
        '/API/STATUS',
      ]) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          for (const token of path.includes('admin') ? [chief.token] : [undefined, chief.token]) {
            const answer = await ask(method, path, { token })
            expect([method, path, refusalOf(answer)]).toEqual([method, path, '404 E002'])
          }
        }
      }
    },
  },
  {
    rows: ['design:route/method', 'error/http'],
    title: 'every route has the methods of the interface and no other',
    script: async ({ ask, chief }) => {
      for (const [path, known] of METHODS) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
          if (known.includes(method)) continue
          const answer = await ask(method, path, { token: chief.token })
          expect([method, path, refusalOf(answer)]).toEqual([method, path, '405 E002'])
          const allow = answer.headers.get('allow')?.split(', ').toSorted()
          expect([path, allow?.filter((item) => item !== 'HEAD')]).toEqual([path, known])
        }
      }
    },
  },
]

const service: readonly Case[] = [
  {
    rows: ['design:openapi/document'],
    title: 'the document names every route of the interface',
    script: async ({ ask }) => {
      const { status, body } = await ask('GET', '/api/openapi.json')
      expect(status).toBe(200)
      const { openapi, paths } = body as Loose
      expect(openapi).toMatch(/^3\.1\./)
      const named = methodsOf(
        Object.entries(paths).flatMap(([path, item]) =>
          Object.keys(item as object)
            .filter((key) => key !== 'parameters')
            .map((method) => [method.toUpperCase(), path] as const),
        ),
      )
      for (const [path, methods] of METHODS) {
        expect([path, named.get(path)]).toEqual([path, methods])
      }
    },
  },
  {
    rows: ['design:health/live', 'design:health/ready'],
    title: 'is live and ready, while paused too',
    script: async ({ ask, order }) => {
      const health = async (name: string): Promise<number> =>
        (await ask('GET', `/health/${name}`)).status
      expect([await health('live'), await health('ready')]).toEqual([200, 200])
      await order('POST', '/api/admin/game/pause')
      expect([await health('live'), await health('ready')]).toEqual([200, 200])
      await order('POST', '/api/admin/game/resume')
    },
  },
  {
    rows: ['design:metrics/token'],
    title: 'metrics are for admins and for the token of the environment',
    script: async ({ ask, ida, chief }) => {
      const see = async (token?: string): Promise<number> =>
        (await ask('GET', '/metrics', token === undefined ? {} : { token })).status
      expect(await see()).toBe(401)
      expect(await see(ida.token)).toBe(401)
      expect(await see(chief.token)).toBe(200)
    },
  },
  {
    rows: ['error/http', 'design:names/plain'],
    title: 'the headers of every answer forbid sniffing, framing and caching',
    script: async ({ ask, ida, chief }) => {
      const { token } = ida
      const answers = [
        await ask('GET', '/api/status'),
        await ask('GET', '/api/player/ship', { token }),
        await ask('GET', '/api/player/ship'),
        await ask('GET', '/nothing'),
        await ask('POST', '/api/status'),
        await ask('OPTIONS', '/api/status'),
        await ask('POST', '/api/auth/register', { text: '{' }),
        await ask('POST', '/api/auth/login', { body: ADMIN }),
        await ask('DELETE', `/api/admin/station/${chief.admin_id}`, { token: chief.token }),
        await ask('POST', '/api/admin/game/resume', { token: chief.token }),
        await ask('GET', '/api/openapi.json'),
        await ask('GET', '/health/live'),
      ]
      for (const { headers, status } of answers) {
        expect([status, headers.get('x-content-type-options')]).toEqual([status, 'nosniff'])
        expect([status, headers.get('x-frame-options')]).toEqual([status, 'DENY'])
        expect(headers.get('content-security-policy')).toContain("default-src 'none'")
        expect([status, headers.get('cache-control')]).toEqual([
          status,
          expect.stringMatching(/no-store|no-cache|max-age/),
        ])
        expect(headers.get('access-control-allow-origin') ?? '*').toBe('*')
        expect(headers.get('x-powered-by')).toBeNull()
        expect(headers.get('content-type') ?? 'application/json').toMatch(/^application\/json/)
      }
    },
  },
  {
    rows: ['station-make/200', 'ship/name'],
    title: 'a name that looks like HTML comes back unchanged, as JSON',
    script: async ({ ask, order, connect, ida }) => {
      const name = '<img src=x onerror="alert(1)">'
      const socket = await connect(ida.token)
      await socket.answer({ type: 'ship_rename', name })
      const ship = await ask('GET', '/api/player/ship', { token: ida.token })
      expect(ship.body).toMatchObject({ name })
      expect(ship.headers.get('content-type')).toMatch(/^application\/json/)
      expect(ship.headers.get('x-content-type-options')).toBe('nosniff')
      const made = await order('POST', '/api/admin/station', {
        name,
        parent_body: 'Earth',
        altitude: 900_000,
      })
      expect(made).toMatchObject({ station_id: UUID, station: { name } })
      await order('DELETE', `/api/admin/station/${made.station_id}`)
      const wrong = await ask('GET', '/api/<script>alert(1)</script>')
      expect(wrong.body).toEqual({ error: { code: 'E002', message: TEXT } })
      expect(wrong.text).not.toContain('<script>')
      await socket.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
]

export const mannersSection: Section = {
  name: 'manners',
  cases: [...bodies, ...routes, ...service],
}
