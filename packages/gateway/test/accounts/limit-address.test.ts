// Goal: without a trusted proxy X-Forwarded-For changes no limit; behind one the last hop has its
// own. Method: the public routes called directly, with room for one login and one registration per
// address.
import { createLogger, installErrors } from '@orrery/http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppParts } from '../../src/app-parts.ts'
import { errorShape, knownError } from '../../src/error-shape.ts'
import { refusal } from '@orrery/game'
import { publicRoutes } from '../../src/routes/public.ts'

const ROUTES = ['/api/auth/login', '/api/auth/register']

function appOf(trustProxy: boolean): Hono {
  const unknown = (): never => {
    throw refusal('E005')
  }
  // The routes need no more of the other parts.
  const parts = {
    config: { trustProxy, loginAttemptsPerMinute: 1, registrationsPerHour: 1 },
    players: { login: unknown, register: unknown, loginRefused: () => undefined },
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
  [false, 429],
  [true, 401],
])('another address written in the header, with a trusted proxy %s: %i', async (trusted, other) => {
  const app = appOf(trusted)
  for (const path of ROUTES) {
    const ask = async (hops: string): Promise<number> => {
      const body = JSON.stringify({ username: 'Nobody', password: 'correct horse 7b' })
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': hops }
      return (await app.request(path, { method: 'POST', headers, body })).status
    }
    expect(await ask('203.0.113.1')).toBe(401)
    expect(await ask('203.0.113.2, 203.0.113.1')).toBe(429)
    expect([path, await ask('203.0.113.1, 203.0.113.2')]).toEqual([path, other])
  }
})
