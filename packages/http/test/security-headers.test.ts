// Goal: every answer has the security headers, HSTS only where the service itself has TLS, and a
// handler's own header wins. Method: an app asked directly, with and without TLS.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { securityHeaders } from '../src/index.ts'

async function headersOf(tls: boolean): Promise<Headers> {
  const app = new Hono()
  app.use(securityHeaders({ tls }))
  app.get('/', (context) => context.text('ok', 200, { 'Cache-Control': 'max-age=1' }))
  return (await app.request('/')).headers
}

test('HSTS is sent with TLS alone', async () => {
  const hsts = 'max-age=15552000; includeSubDomains'
  expect((await headersOf(true)).get('strict-transport-security')).toBe(hsts)
  expect((await headersOf(false)).get('strict-transport-security')).toBeNull()
})

test('an answer may be neither framed, sniffed nor shared; its own cache header wins', async () => {
  expect(Object.fromEntries(await headersOf(false))).toMatchObject({
    'cache-control': 'max-age=1',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})
