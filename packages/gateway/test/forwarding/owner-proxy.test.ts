// Goal: a gateway hands requests on to the owner of the world whole, in the name of their client,
// at most once where they may act, and says clearly when no owner answers. Method: servers of the
// kit for gateway and owners, and clients, on real ports.
import { systemClock } from '@orrery/engine'
import {
  Secret,
  clientAddress,
  closeServer,
  createLogger,
  createServer,
  installErrors,
  listen,
  requestIds,
} from '@orrery/http'
import { Hono } from 'hono'
import { type Server, createServer as createPlainServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { errorShape } from '../../src/documents/error-shape.ts'
import {
  CLIENT_HEADER,
  createClientHeader,
  forwardedClients,
} from '../../src/forwarding/client-header.ts'
import { type Forwarding, createForwarding } from '../../src/forwarding/forwarding.ts'

const logger = createLogger({ level: 'fatal', destination: 'stderr' })
const key = new Secret('k'.repeat(32))
const clientHeader = createClientHeader(key, () => Date.now())
const opened = new AsyncDisposableStack()
const owner = await urlOf((app) => {
  app.use(forwardedClients(clientHeader))
  app.all('/seen/*', async (context) => {
    const { req } = context
    const seen = {
      method: req.method,
      url: new URL(req.url).pathname + new URL(req.url).search,
      body: await req.text(),
      token: req.header('authorization'),
      origin: req.header('origin'),
      forwarded: req.header('x-forwarded-for'),
      id: req.header('x-request-id'),
      client: clientAddress(context, false),
    }
    return Response.json(seen, { status: 202, headers: { 'X-Seen': 'yes' } })
  })
  app.post('/echo', ({ req }) => new Response(req.raw.body))
  app.get('/none', () => new Response(null, { status: 204 }))
})
const { url: gateway } = await gatewayOf(owner)
afterAll(() => opened.disposeAsync())

test('the owner gets a request whole, and the client its answer', async () => {
  const answer = await fetch(`${gateway}/seen/a%20b?c=d&c=e`, {
    method: 'PUT',
    body: 'a body',
    headers: {
      authorization: 'Bearer t',
      origin: 'https://elsewhere.example',
      'x-request-id': 'mine',
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    },
  })
  expect(answer.status).toBe(202)
  expect(answer.headers.get('x-seen')).toBe('yes')
  expect(await answer.json()).toEqual({
    method: 'PUT',
    url: '/seen/a%20b?c=d&c=e',
    body: 'a body',
    token: 'Bearer t',
    id: 'mine',
    client: '203.0.113.9',
  })
  expect((await fetch(`${gateway}/none`)).status).toBe(204)
  expect(await (await fetch(`${gateway}/seen/x`, { method: 'HEAD' })).text()).toBe('')
})

test('a path can name no other server', async () => {
  expect((await fetch(`${gateway}//other.example/seen/x`)).status).toBe(404)
})

test('bodies pass while they come, in both directions', async () => {
  const heard = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(new TextEncoder().encode('one'))
      await heard.promise
      controller.enqueue(new Uint8Array(2 ** 20))
      controller.close()
    },
  })
  const answer = await fetch(`${gateway}/echo`, { method: 'POST', body, duplex: 'half' })
  const reader = answer.body?.getReader()
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one')
  heard.resolve()
  let bytes = 0
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) break
    bytes += part.value.length
  }
  expect(bytes).toBe(2 ** 20)
})

test('only a header that a server has just signed names a client', async () => {
  const clientOf = async (header: string): Promise<unknown> => {
    const answer = await fetch(`${owner}/seen/`, { headers: { [CLIENT_HEADER]: header } })
    return Object(await answer.json()).client
  }
  const signed = clientHeader.write('203.0.113.9')
  expect(await clientOf(signed)).toBe('203.0.113.9')
  expect(await clientOf(signed.replace('203', '204'))).toBe('127.0.0.1')
  expect(await clientOf('203.0.113.9')).toBe('127.0.0.1')
  const old = createClientHeader(key, () => Date.now() - 61_000).write('203.0.113.9')
  expect(await clientOf(old)).toBe('127.0.0.1')
  const foreign = createClientHeader(new Secret('f'.repeat(32)), () => Date.now())
  expect(await clientOf(foreign.write('203.0.113.9'))).toBe('127.0.0.1')
})

test('what another gateway forwards is not forwarded again', async () => {
  const headers = { [CLIENT_HEADER]: clientHeader.write('203.0.113.9') }
  const answer = await fetch(`${gateway}/seen/`, { headers })
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ error: { code: 'E008' } })
})

test('without an owner the answer is E008, and to come again', async () => {
  const { url } = await gatewayOf(undefined)
  const answer = await fetch(`${url}/seen/`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toEqual({
    error: { code: 'E008', message: 'No process owns the world now' },
  })
})

test('what has not reached an owner that is gone reaches the next', async () => {
  const { url } = await gatewayOf(await deadUrl(), await deadUrl(), owner)
  const answer = await fetch(`${url}/seen/`, { method: 'POST', body: 'an order' })
  expect(await answer.json()).toMatchObject({ body: 'an order' })
})

test('what may have acted is not sent again, what only reads is', async () => {
  const asked: string[] = []
  const dying = createPlainServer(({ method, socket }) => {
    asked.push(method ?? '')
    socket.destroy()
  })
  const dyingUrl = await urlOfServer(dying)
  const reading = await gatewayOf(dyingUrl, owner)
  expect((await fetch(`${reading.url}/seen/`)).status).toBe(202)
  const ordering = await gatewayOf(dyingUrl, owner)
  const order = await fetch(`${ordering.url}/seen/`, { method: 'POST', body: 'an order' })
  expect(order.status).toBe(503)
  expect(Object(await order.json()).error.message).toContain('may have acted')
  expect(asked).toEqual(['GET', 'POST'])
  const counters = [reading, ordering].map(({ forwarding }) => forwarding.counters())
  expect(counters).toEqual([
    { open: 0, forwarded: 1, repeated: 1, failed: 0 },
    { open: 0, forwarded: 1, repeated: 0, failed: 1 },
  ])
})

test('an answer that breaks off, or a client who leaves, ends on both sides', async () => {
  const left = Promise.withResolvers<void>()
  const owner = createPlainServer((request, response) => {
    if (request.url === '/wait') return void request.socket.once('close', left.resolve)
    response.writeHead(200, request.url === '/half' ? { 'Content-Length': '100' } : {})
    response.write('half')
    return void setImmediate(() => response.destroy())
  })
  const { url, forwarding } = await gatewayOf(await urlOfServer(owner))
  for (const path of ['/half', '/half-chunked']) {
    await expect(fetch(url + path).then((answer) => answer.text())).rejects.toThrow('terminated')
  }
  const leaving = new AbortController()
  const waiting = fetch(`${url}/wait`, { method: 'POST', signal: leaving.signal })
  await expect.poll(() => forwarding.counters().open).toBe(1)
  leaving.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await left.promise
  await expect.poll(() => forwarding.counters().open).toBe(0)
})

/**
 * A gateway behind a proxy of its operator.
 *
 * @param owners  as the database names them, one after the other; the last stays
 */
async function gatewayOf(
  ...owners: (string | undefined)[]
): Promise<{ readonly url: string; readonly forwarding: Forwarding }> {
  const forwarding = createForwarding({
    config: { tokenKey: key, trustProxy: true },
    readOwner: () => Promise.resolve(owners.length > 1 ? owners.shift() : owners[0]),
    clock: systemClock,
  })
  opened.defer(() => forwarding.close())
  return { url: await urlOf((app) => app.all('*', forwarding.toOwner)), forwarding }
}

async function urlOf(add: (app: Hono) => void): Promise<string> {
  const app = new Hono()
  installErrors(app, { shape: errorShape, logger })
  app.use(requestIds())
  add(app)
  const server = createServer({ fetch: app.fetch, shape: errorShape, logger })
  opened.defer(() => closeServer(server, 100))
  return urlOfServer(server)
}

async function urlOfServer(server: Server): Promise<string> {
  if (!server.listening) {
    await listen(server, { host: '127.0.0.1', port: 0 })
    opened.defer(() => void server.close())
  }
  return `http://127.0.0.1:${Object(server.address()).port}`
}

/** Of a server that listens no more. */
async function deadUrl(): Promise<string> {
  const server = createPlainServer()
  await listen(server, { host: '127.0.0.1', port: 0 })
  const url = await urlOfServer(server)
  await new Promise((resolve) => void server.close(resolve))
  return url
}
