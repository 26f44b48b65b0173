// Goal: a client that is slow, silent or talkative holds no connection for long and keeps no other
// client from an answer. Method: raw bytes on a real port with short timeouts; the tests wait for
// the server to end the connection, never for a time.
import { Hono } from 'hono'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ErrorShape,
  type Patience,
  closeServer,
  createLogger,
  createServer,
  installErrors,
  listen,
} from '../src/index.ts'

const IMPATIENT: Patience = {
  handshakeMs: 1000,
  headersMs: 1000,
  requestMs: 1500,
  keepAliveMs: 300,
  checkMs: 100,
  idleMs: 0,
}
const HEAD = 'Host: here\r\n'

const shape: ErrorShape = ({ code }) => ({ code })
const logger = createLogger({ level: 'fatal', destination: 'stderr' })
const app = new Hono()
installErrors(app, { shape, logger })
app.get('/', (context) => context.text('served'))
app.get('/headers', (context) => context.json([...context.req.raw.headers.keys()].length))
app.post('/', async (context) => context.text(`${(await context.req.text()).length} read`))

let server: Server
let port: number

beforeAll(async () => {
  server = createServer({ fetch: app.fetch, shape, logger, patience: IMPATIENT })
  port = await listen(server, { host: '127.0.0.1', port: 0 })
})
afterAll(() => closeServer(server, 1000))

/** All that comes back on a connection until the server ends it. */
function answers(first: string, drip?: string, { allowHalfOpen = false } = {}): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  let dripping: NodeJS.Timeout | undefined
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen }, () => {
    socket.write(first)
    if (drip !== undefined) dripping = setInterval(() => socket.write(drip), 20)
  })
  socket.on('data', (data: Buffer) => (received += data.toString()))
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(dripping)
    resolve(received)
  })
  return promise
}

/** Statuses of the answers, one after the other. */
function statuses(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)
}

describe.concurrent('the server ends', () => {
  test.each([
    ['a connection that never sends anything', '', undefined],
    ['headers that never end', 'GET / HTTP/1.1\r\n', undefined],
    ['headers that drip', 'GET / HTTP/1.1\r\n', 'x: y\r\n'],
    ['a second request whose headers never end', `GET / HTTP/1.1\r\n${HEAD}\r\nGET /`, undefined],
    ['a body that drips', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 60000\r\n\r\n`, 'x'],
    ['a body that never comes', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\n`, undefined],
    [
      'chunks that drip',
      `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      '1\r\nx\r\n',
    ],
  ])('%s, with 408 in shape', async (name, first, drip) => {
    const text = await answers(first, drip)
    const before = name.startsWith('a second') ? ['200'] : []
    expect(statuses(text)).toEqual([...before, '408'])
    expect(text).toMatch(/\{"code":"malformed"\}$/)
  })

  test.each([
    ['headers', 'GET / HTTP/1.1\r\n'],
    ['a body', `POST / HTTP/1.1\r\n${HEAD}Content-Length: 60000\r\n\r\n`],
    ['nonsense', 'nonsense\r\n\r\n'],
  ])('%s of a client that never ends its own side', async (_, first) => {
    expect(statuses(await answers(first, 'x', { allowHalfOpen: true }))).toHaveLength(1)
  })

  test('a connection that is idle after its answer, without a word', async () => {
    const text = await answers(`GET / HTTP/1.1\r\n${HEAD}\r\n`)
    expect(statuses(text)).toEqual(['200'])
    expect(text).toMatch(/served$/)
  })
})

test.concurrent('a hundred slow connections keep no other request waiting', async () => {
  const slow = Array.from({ length: 100 }, () => answers('GET / HTTP/1.1\r\n', 'x: y\r\n'))
  const whole = `GET / HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`
  const served = await Promise.all(Array.from({ length: 20 }, () => answers(whole)))
  expect(served.flatMap(statuses)).toEqual(Array(20).fill('200'))
  expect((await Promise.all(slow)).flatMap(statuses)).toEqual(Array(100).fill('408'))
})

describe.concurrent('a WebSocket handshake', () => {
  const handshake =
    `GET / HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: WebSocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'

  test('without an upgrade listener is answered by the app, with one passed to it', async () => {
    const text = await answers(handshake)
    expect(statuses(text)).toEqual(['200'])
    expect(text).toMatch(/served$/)
    const take = (_: IncomingMessage, stream: Duplex): void => void stream.end('taken')
    server.on('upgrade', take)
    expect(await answers(handshake)).toBe('taken')
    server.off('upgrade', take)
    expect(statuses(await answers(handshake))).toEqual(['200'])
  })
})

describe('headers', () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => `x-${i}: y\r\n`).join('')
  const asked = (headers: string): Promise<string> =>
    answers(`GET /headers HTTP/1.1\r\n${HEAD}Connection: close\r\n${headers}\r\n`)

  test('of up to 16 KiB are all read, however many they are', async () => {
    const text = await asked(many(1500))
    expect(statuses(text)).toEqual(['200'])
    expect(text).toMatch(/1502$/)
  })
  test.each([
    ['one of 17 KiB', `x: ${'y'.repeat(17_408)}\r\n`],
    ['thousands', many(4000)],
  ])('of more are 431: %s', async (_, headers) => {
    expect(statuses(await asked(headers))).toEqual(['431'])
  })
})

test('requests sent without waiting are answered in their order', async () => {
  const one = (path: string, last: boolean): string =>
    `GET ${path} HTTP/1.1\r\n${HEAD}${last ? 'Connection: close\r\n' : ''}\r\n`
  const text = await answers(one('/', false) + one('/nowhere', false) + one('/', true))
  expect(statuses(text)).toEqual(['200', '404', '200'])
})

test('a connection without traffic is cut, whatever its request may still take', async () => {
  const idle = { ...IMPATIENT, headersMs: 60_000, requestMs: 60_000, checkMs: 60_000, idleMs: 200 }
  const idleServer = createServer({ fetch: app.fetch, shape, logger, patience: idle })
  const idlePort = await listen(idleServer, { host: '127.0.0.1', port: 0 })
  const socket = connect({ port: idlePort, host: '127.0.0.1' })
  socket.write(`POST / HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\n`)
  const ended = new Promise((resolve) => {
    socket.on('error', () => undefined).once('close', () => resolve('ended'))
  })
  expect(await ended).toBe('ended')
  await closeServer(idleServer, 1000)
})

test('CONNECT is answered', async () => {
  const answer = await answers('CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET\r\n/)
  expect(answer.split('\r\n\r\n')[1]).toBe('{"code":"wrong_method"}')
})
