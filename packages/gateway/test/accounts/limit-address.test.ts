// Goal: without a trusted proxy X-Forwarded-For changes no limit; behind one the last hop has its
// own, and its place among those who log in. Method: the public routes called directly, with room
// for one login and one registration per address.
import { createLogger, installErrors } from '@orrery/http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppParts } from '../../src/app-parts.ts'
import { errorShape, knownError } from '../../src/error-shape.ts'
import { refusal } from '@orrery/game'
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
  return app.route('/', publicRoutes(parts))
}

test.each([
  [false, 'is the same'],
  [true, 'is another'],
])('with a trusted proxy %s an address written in the header %s', async (trusted) => {
  const applicants: unknown[] = []
  const app = appOf(trusted, applicants)
  for (const [path, good] of ROUTES) {
    const ask = async (hops: string): Promise<number> => {
      const body = JSON.stringify({ username: 'Nobody', password: 'correct horse 7b' })
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': hops }
      return (await app.request(path, { method: 'POST', headers, body })).status
    }
    expect(await ask('203.0.113.1')).toBe(good)
    expect(await ask('203.0.113.2, 203.0.113.1')).toBe(429)
    expect([path, await ask('203.0.113.1, 203.0.113.2')]).toEqual([path, trusted ? good : 429])
  }
  const seen = trusted ? ['203.0.113.1', '203.0.113.2'] : ['unknown']
  expect(applicants).toEqual(seen.map((address) => ({ address, username: 'Nobody' })))
})
