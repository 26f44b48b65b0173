// Goal: without a trusted proxy X-Forwarded-For changes no limit; behind one the last hop has its
// own, and its place among those who log in; what is no login does not count as one, and wrong
// tokens are limited. Method: the routes called directly, with room for one login and one
// registration per address.
import { WrongTokens, createLogger, installErrors } from '@orrery/http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppParts } from '../../src/app-parts.ts'
import { errorShape, knownError } from '../../src/documents/error-shape.ts'
import { refusal } from '@orrery/game'
import { adminOnly } from '../../src/routes/admin.ts'
import { createRegistrations } from '../../src/requests/registrations.ts'
import { loginRoutes } from '../../src/routes/logins.ts'
import { publicRoutes } from '../../src/routes/public.ts'

/** Routes, and what each answers a request that is not over the limit. */
const ROUTES = [
  ['/api/auth/login', 401],
  ['/api/auth/register', 201],
] as const

const ACCOUNT = { playerId: 'id', username: 'Ida', shipId: null }

function appOf(trustProxy: boolean, applicants: unknown[]): Hono {
  const unknown = (applicant: unknown): never => {
    applicants.push(applicant)
    throw refusal('E005')
  }
  // The routes need no more of the other parts.
  const parts = {
    config: { trustProxy, loginAttemptsPerMinute: 1, registrationsPerHour: 1 },
    players: {
      login: unknown,
      register: () => Promise.resolve({ account: ACCOUNT, token: 'token' }),
      loginRefused: () => undefined,
    },
    settings: { registrationOpen: true },
  } as unknown as AppParts
  const app = new Hono()
  installErrors(app, {
    shape: errorShape,
    known: knownError,
    logger: createLogger({ level: 'fatal', destination: 'stderr' }),
  })
  return app
    .route('/', publicRoutes(parts, createRegistrations(parts)))
    .route('/', loginRoutes(parts))
}

test.each([
  [false, 'is the same'],
  [true, 'is another'],
])('with a trusted proxy %s an address written in the header %s', async (trusted) => {
  const applicants: unknown[] = []
  const app = appOf(trusted, applicants)
  for (const [path, good] of ROUTES) {
    const ask = async (hops: string): Promise<number> => {
      const body = JSON.stringify({ username: 'Stranger', password: 'correct horse 7b' })
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': hops }
      return (await app.request(path, { method: 'POST', headers, body })).status
    }
    expect(await ask('203.0.113.1')).toBe(good)
    expect(await ask('203.0.113.2, 203.0.113.1')).toBe(429)
    expect([path, await ask('203.0.113.1, 203.0.113.2')]).toEqual([path, trusted ? good : 429])
  }
  const seen = trusted ? ['203.0.113.1', '203.0.113.2'] : ['unknown']
  expect(applicants).toEqual(seen.map((address) => ({ address, username: 'Stranger' })))
})

const LOGINS = ['/api/auth/login', '/api/admin/auth/login', '/api/admin/login']

test.each(LOGINS)('%s counts what is a login, whatever else comes before', async (path) => {
  const app = appOf(false, [])
  const json = { 'content-type': 'application/json' }
  const ask = async (
    body: string | ReadableStream,
    headers: Record<string, string> = json,
  ): Promise<number> => {
    const request = new Request(`http://here${path}`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    })
    return (await app.request(request)).status
  }
  // Never ends.
  const pending = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{')),
  })
  void ask(pending)
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })
  const NO_LOGINS: readonly (readonly [
    string | ReadableStream,
    number,
    Record<string, string>?,
  ])[] = [
    [broken, 400],
    ['', 400],
    ['{', 400],
    ['{}', 401],
    ['[]', 401],
    ['{"username":"Ida"}', 401],
    ['{"username":"Ida","password":8}', 401],
    [`{"username":"${'x'.repeat(70_000)}"}`, 413],
    ['{"username":"Ida","password":"correct horse 7b"}', 415, { 'content-type': 'text/plain' }],
  ]
  for (const [body, status, headers] of NO_LOGINS) {
    expect([body, await ask(body, headers)]).toEqual([body, status])
  }
  // What no account can be called, but a guess all the same.
  const login = JSON.stringify({ username: 'no such name!', password: 'correct horse 7b' })
  expect([await ask(login), await ask(login), await ask('{')]).toEqual([401, 429, 429])
})

test('wrong tokens of an address are limited, and keep no right one out', async () => {
  const bearer = async (token: string): Promise<unknown> =>
    token === 'right' ? { account: ACCOUNT } : 'invalid'
  const config = { trustProxy: true }
  const parts = { config, players: { bearer }, wrongTokens: new WrongTokens() }
  const app = new Hono()
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  installErrors(app, { shape: errorShape, known: knownError, logger })
  app.use('/admin', adminOnly(parts as unknown as AppParts))
  app.get('/admin', (context) => context.text('in'))
  const ask = async (authorization: string, address = '203.0.113.1'): Promise<string> => {
    const headers = { authorization, 'x-forwarded-for': address }
    const answer = await app.request('/admin', { headers })
    return `${answer.status} ${answer.headers.get('retry-after') ?? ''}`
  }
  for (let i = 0; i < 600; i++) expect(await ask(`Bearer wrong-${i}`)).toBe('401 ')
  expect(await ask('Bearer wrong')).toMatch(/^429 \d+$/)
  expect([await ask('Bearer right'), await ask('')]).toEqual(['200 ', '401 '])
  expect(await ask('Bearer wrong', '203.0.113.2')).toBe('401 ')
})
