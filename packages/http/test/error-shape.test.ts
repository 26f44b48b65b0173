// Goal: whatever goes wrong is answered in the service's own shape: unknown route 404, wrong method
// 405 with Allow, thrown HttpErrors as they are, all else a bare 500 that is logged with its stack.
// Method: one app with sub-apps, asked through app.request; the log's lines are kept and read.
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { describe, expect, test } from 'vitest'
import {
  type ErrorShape,
  HttpError,
  closeServer,
  createLogger,
  createServer,
  healthRoutes,
  installErrors,
  listen,
  requestIds,
  requestLog,
  securityHeaders,
} from '../src/index.ts'

const envelope: ErrorShape = ({ code, message }) => ({ error: { code, message } })
const detail: ErrorShape = ({ message, issues }) => ({ detail: issues ?? message })

function world(shape: ErrorShape): { app: Hono; lines: string[] } {
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: { write: (line) => lines.push(line) },
  })
  const app = new Hono()
  installErrors(app, { shape, logger })
  let seconds = 0
  const now = (): number => 1000 * seconds++
  app.use(requestIds(), requestLog({ logger, now }), securityHeaders({ tls: false }))
  const things = new Hono()
  things.get('/:id', (context) => context.text('thing'))
  things.put('/:id', (context) => context.text('put'))
  things.delete('/:id', (context) => context.text('deleted'))
  app.route('/api/things', things)
  app.post('/api/only-post', (context) => context.text('posted'))
  app.get('/taken', () => {
    throw new HttpError(409, 'E010', 'Username already taken')
  })
  app.get('/wait', () => {
    throw new HttpError(429, 'E004', 'Wait', { headers: { 'Retry-After': '7' } })
  })
  app.get('/broken', () => {
    throw new TypeError('the inner secret of the bug')
  })
  app.get('/thrown-text', () => {
    // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- what is tested
    throw 'just text'
  })
  app.get('/hono', () => {
    throw new HTTPException(403, { message: 'No' })
  })
  app.get('/own-404', (context) => context.notFound())
  app.route('/health', healthRoutes({ ready: () => undefined, logger }))
  return { app, lines }
}

const { app, lines } = world(envelope)

test('an unknown route is 404', async () => {
  for (const path of ['/nowhere', '/api', '/api/things', '/api/things/1/2', '/%zz', '/api//x']) {
    const response = await app.request(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      error: { code: 'unknown_route', message: 'Not found' },
    })
  }
})

describe('a wrong method is 405 and names the right ones', () => {
  test.each([
    ['POST', '/api/things/7', 'GET, HEAD, PUT, DELETE'],
    ['OPTIONS', '/api/things/7', 'GET, HEAD, PUT, DELETE'],
    ['GET', '/api/only-post', 'POST'],
    ['PROPFIND', '/api/only-post', 'POST'],
    ['PUT', '/health/live', 'GET, HEAD'],
  ])('%s %s', async (method, path, allow) => {
    const response = await app.request(path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toEqual({
      error: { code: 'wrong_method', message: 'Method not allowed' },
    })
  })
  test('HEAD is allowed wherever GET is', async () => {
    expect((await app.request('/api/things/7', { method: 'HEAD' })).status).toBe(200)
    expect((await app.request('/api/only-post', { method: 'HEAD' })).status).toBe(405)
  })
  test('a route that finds nothing itself is 404, not 405', async () => {
    expect((await app.request('/own-404')).status).toBe(404)
  })
})

test('a thrown HttpError is answered as it is, with its headers', async () => {
  expect(new HttpError(409, 'E010', 'Username already taken')).toMatchObject({
    name: 'HttpError',
    status: 409,
    code: 'E010',
  })
  const taken = await app.request('/taken')
  expect(taken.status).toBe(409)
  expect(await taken.json()).toEqual({ error: { code: 'E010', message: 'Username already taken' } })
  expect((await app.request('/wait')).headers.get('retry-after')).toBe('7')
  const hono = await app.request('/hono')
  expect([hono.status, await hono.json()]).toEqual([
    403,
    { error: { code: 'refused', message: 'No' } },
  ])
})

test.each([
  ['/broken', /TypeError: the inner secret of the bug\\n {4}at /],
  ['/thrown-text', /"cause":"just text"/],
])('anything else thrown at %s is a bare 500 and is logged', async (path, stack) => {
  lines.length = 0
  const response = await app.request(path)
  expect(response.status).toBe(500)
  expect(await response.text()).toBe('{"error":{"code":"server_error","message":"Server error"}}')
  expect(lines.filter((line) => /"level":"error"/.test(line) && stack.test(line))).toHaveLength(1)
})

test('a second service has its own shape', async () => {
  const { app: other } = world(detail)
  expect(await (await other.request('/nowhere')).json()).toEqual({ detail: 'Not found' })
  expect(await (await other.request('/taken')).json()).toEqual({ detail: 'Username already taken' })
})

test('errors and answers carry the same headers', async () => {
  for (const path of ['/api/things/1', '/nowhere', '/taken', '/broken']) {
    const { headers } = await app.request(path, { headers: { 'x-request-id': 'abc-1' } })
    expect(headers.get('x-request-id')).toBe('abc-1')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('strict-transport-security')).toBeNull()
  }
})

test('on a real port the headers are the same, and a page has its own', async () => {
  const { app: served } = world(envelope)
  const own = { 'content-security-policy': "default-src 'self'", 'cache-control': 'max-age=60' }
  served.get('/page', (context) => context.body('page', 200, own))
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  const server = createServer({ fetch: served.fetch, shape: envelope, logger })
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  for (const path of ['/api/things/1', '/nowhere', '/taken', '/broken', '/page']) {
    const real = await fetch(`http://127.0.0.1:${port}${path}`)
    await real.text()
    const asked = [...(await served.request(path)).headers]
    for (const [name, value] of asked.filter(([name]) => name !== 'x-request-id')) {
      expect([name, real.headers.get(name)]).toEqual([name, value])
    }
  }
  const page = await fetch(`http://127.0.0.1:${port}/page`)
  expect(Object.fromEntries(page.headers)).toMatchObject({ ...own, 'x-frame-options': 'DENY' })
  await closeServer(server, 1000)
})

test('a request id of a client is taken only when it is short and plain', async () => {
  for (const id of ['x'.repeat(65), 'a b', '<script>', 'a"b']) {
    const { headers } = await app.request('/taken', { headers: { 'x-request-id': id } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('one request line each: success debug, client error info, server error warn', async () => {
  lines.length = 0
  await app.request('/api/things/1?token=abc', { headers: { 'x-request-id': 'r1' } })
  await app.request('/nowhere')
  await app.request('/broken')
  const requests = lines.filter((line) => line.includes('"msg":"request"'))
  expect(requests.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'debug',
      id: 'r1',
      method: 'GET',
      path: '/api/things/1',
      status: 200,
      duration_ms: 1000,
    },
    { level: 'info', path: '/nowhere', status: 404, code: 'unknown_route' },
    { level: 'warn', path: '/broken', status: 500, code: 'server_error' },
  ])
})

test('refusals name code, address and account; beyond 20 a second they are counted', async () => {
  const written: { path: string; left_out?: number }[] = []
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => written.push(JSON.parse(line)) },
  })
  let nowMs = 0
  const refusing = new Hono<{ Variables: { account: string } }>()
  installErrors(refusing, { shape: envelope, logger, codeOf: ({ status }) => `E${status}` })
  refusing.use(requestLog({ logger, now: () => nowMs, addressOf: () => '203.0.113.9' }))
  refusing.use((context, next) => {
    context.set('account', 'ida')
    return next()
  })
  refusing.get('/fine', (context) => context.text('fine'))
  for (let i = 0; i < 500; i++) await refusing.request(`/nowhere-${i}`)
  await refusing.request('/fine')
  expect(written.map(({ path }) => path)).toEqual(
    Array.from({ length: 20 }, (_, i) => `/nowhere-${i}`),
  )
  expect(written[0]).toMatchObject({ code: 'E404', address: '203.0.113.9', account: 'ida' })
  nowMs = 1000
  await refusing.request('/nowhere-again')
  await refusing.request('/nowhere-once-more')
  expect(written.slice(20)).toMatchObject([
    { path: '/nowhere-again', left_out: 480 },
    { path: '/nowhere-once-more' },
  ])
  expect(written.at(-1)).not.toHaveProperty('left_out')
})

test('a single request that was left out is counted, too', async () => {
  const written: object[] = []
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => written.push(JSON.parse(line)) },
  })
  let nowMs = 0
  const refusing = new Hono()
  installErrors(refusing, { shape: envelope, logger })
  refusing.use(requestLog({ logger, now: () => nowMs }))
  for (let i = 0; i < 21; i++) await refusing.request('/nowhere')
  nowMs = 1000
  await refusing.request('/nowhere')
  expect(written).toHaveLength(21)
  expect(written.at(-1)).toMatchObject({ left_out: 1 })
})

test('why a layer below failed is logged, once for all requests', async () => {
  lines.length = 0
  const logger = createLogger({
    level: 'warn',
    destination: { write: (line) => lines.push(line) },
  })
  const failing = new Hono()
  const known = ({ message }: Error): HttpError =>
    new HttpError(message === 'taken' ? 409 : 503, 'E008', message)
  installErrors(failing, { shape: envelope, logger, known })
  failing.get('/:reason', ({ req }) => {
    throw new Error(req.param('reason'))
  })
  const reasons = ['full', 'full', 'taken', 'away', 'full']
  for (const reason of reasons) await failing.request(`/${reason}`)
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['full', 'away'])
})
