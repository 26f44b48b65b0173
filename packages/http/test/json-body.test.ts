// Goal: a body is read exactly, or refused by the bytes that really come, by its type, its form and
// its depth, each with its own status, while the server goes on serving.
// Method: forms through app.request; lengths on a real port with node:http and raw sockets, because
// only there can headers and bytes disagree.
import { type IncomingMessage, type Server, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BODY_DEPTH_MAX,
  type ErrorShape,
  HttpError,
  closeServer,
  createLogger,
  createServer,
  installErrors,
  jsonBody,
  listen,
} from '../src/index.ts'

const shape: ErrorShape = ({ code, message, issues }) => ({ code, message, issues })
const lines: string[] = []
const logger = createLogger({ level: 'trace', destination: { write: (line) => lines.push(line) } })
const app = new Hono()
installErrors(app, { shape, logger })
const LIMIT = 1000
const schema = v.object({ name: v.string(), nested: v.optional(v.unknown()) })
app.post('/small', async (context) =>
  context.json(await jsonBody(context, schema, { limit: LIMIT })),
)
app.post('/whole', async (context) => context.json(await jsonBody(context, schema)))
app.post('/coded', async (context) => {
  const body = await jsonBody(context, v.object({ username: v.string(), age: v.number() }), {
    refusal: ([issue]) => new HttpError(422, issue.path[0] === 'username' ? 'E011' : 'E001', 'no'),
  })
  return context.json(body)
})

interface Answer {
  status: number
  code: unknown
}

async function answer(response: Response): Promise<Answer> {
  const { code } = v.parse(v.object({ code: v.optional(v.string()) }), await response.json())
  return { status: response.status, code }
}

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answer> {
  return answer(await app.request(path, { method: 'POST', body, headers }))
}

const text = (length: number): string => `{"name":"${'x'.repeat(length - 11)}"}`

describe('form', () => {
  test('a good body is what its schema gives', async () => {
    const response = await app.request('/whole', {
      method: 'POST',
      body: '\uFEFF {"name":"Ida","unknown":[1]} ',
      headers: { 'content-type': 'Application/JSON; v=1; charset=UTF-8' },
    })
    expect(await response.json()).toEqual({ name: 'Ida' })
  })
  test.each(['{', 'nul', '{"name":1e}', "{'a':1}", ' ', '{"a":1}}', '', 'undefined'])(
    'malformed %j is 400',
    async (body) => {
      expect(await post('/whole', body)).toEqual({ status: 400, code: 'malformed' })
    },
  )
  test('no body at all, and bytes that are not UTF-8, are malformed', async () => {
    const none = await app.request('/whole', { method: 'POST' })
    expect(await answer(none)).toEqual({ status: 400, code: 'malformed' })
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect(await post('/whole', bytes)).toEqual({ status: 400, code: 'malformed' })
  })
  test.each(['[]', '"x"', 'null', '5', '[{"name":"Ida"}]'])('%s is no object', async (body) => {
    expect(await post('/whole', body)).toEqual({ status: 400, code: 'invalid' })
  })
  test.each([
    [{}],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'multipart/form-data; boundary=application/json' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-type': 'application/json; v=1; charset=utf-16' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ])('type %j is 415', async (headers) => {
    expect(await post('/whole', '{"name":"Ida"}', headers)).toEqual({
      status: 415,
      code: 'unsupported_media_type',
    })
  })
  test('an empty body of a foreign type is malformed, not 415', async () => {
    expect(await post('/whole', '', { 'content-type': 'text/plain' })).toEqual({
      status: 400,
      code: 'malformed',
    })
  })
})

const nest = (levels: number): string =>
  `{"name":"[[[[\\"{{{{","nested":${'['.repeat(levels)}${']'.repeat(levels)}}`

describe('depth', () => {
  test('the allowed depth passes, brackets in texts do not count', async () => {
    expect((await post('/whole', nest(BODY_DEPTH_MAX - 1))).status).toBe(200)
    expect((await post('/whole', `{"name":"${'['.repeat(500)}"}`)).status).toBe(200)
  })
  test.each(['', '\\"'])('a text %j before the brackets does not hide them', async (name) => {
    const deep = (levels: number): string =>
      `{"name":"${name}","nested":${'['.repeat(levels)}"]"${']'.repeat(levels)}}`
    expect((await post('/whole', deep(BODY_DEPTH_MAX - 1))).status).toBe(200)
    expect(await post('/whole', deep(BODY_DEPTH_MAX))).toEqual({ status: 400, code: 'malformed' })
  })
  test('siblings do not add to the depth', async () => {
    for (const item of ['{}', '[]']) {
      const items = Array.from({ length: 2 * BODY_DEPTH_MAX }, () => item).join()
      expect((await post('/whole', `{"name":"a","nested":[${items}]}`)).status).toBe(200)
    }
  })
  test('one level more is malformed', async () => {
    expect(await post('/whole', nest(BODY_DEPTH_MAX))).toEqual({ status: 400, code: 'malformed' })
    expect((await post('/whole', '['.repeat(60_000))).status).toBe(400)
  })
})

describe('refusal', () => {
  test('a route turns the first issue into its own error', async () => {
    expect(await post('/coded', '{"age":1}')).toEqual({ status: 422, code: 'E011' })
    expect(await post('/coded', '{"username":null,"age":"x"}')).toEqual({
      status: 422,
      code: 'E011',
    })
    expect(await post('/coded', '{"username":"a","age":"x"}')).toEqual({
      status: 422,
      code: 'E001',
    })
    expect(await post('/coded', '[]')).toEqual({ status: 422, code: 'E001' })
  })
  test('without a hook the issues are returned with their paths', async () => {
    const response = await app.request('/whole', {
      method: 'POST',
      body: '{"name":7}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      issues: [{ path: ['name'], type: 'string', input: 7 }],
    })
  })
  test.each([[[7]], [5], [null]])('%j is one issue of the whole body', async (input) => {
    const response = await app.request('/whole', {
      method: 'POST',
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/json' },
    })
    expect(await response.json()).toMatchObject({
      issues: [{ path: [], type: 'object', message: 'Body must be a JSON object', input }],
    })
  })
  test('at most twenty issues of a body are reported', async () => {
    const many = new Hono()
    installErrors(many, { shape, logger })
    many.post('/', async (context) => {
      return context.json(await jsonBody(context, v.object({ list: v.array(v.string()) })))
    })
    const response = await many.request('/', {
      method: 'POST',
      body: JSON.stringify({ list: Array.from({ length: 30 }, (_, i) => i) }),
      headers: { 'content-type': 'application/json' },
    })
    const { issues, message } = (await response.json()) as {
      issues: { path: unknown[] }[]
      message: string
    }
    expect(message).toBe('list.0 must be a text')
    expect(issues.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, i) => ['list', i]),
    )
  })
})

describe('length, on a real port', () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    server = createServer({ fetch: app.fetch, shape, logger })
    port = await listen(server, { host: '127.0.0.1', port: 0 })
  })
  afterAll(() => closeServer(server, 1000))

  async function send(path: string, chunks: readonly string[], length?: number): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        headers: {
          'content-type': 'application/json',
          ...(length === undefined ? {} : { 'content-length': length }),
        },
      },
      resolve,
    )
    request.on('error', reject)
    for (const chunk of chunks) request.write(chunk)
    request.end()
    const response = await promise
    const parts: Buffer[] = []
    for await (const part of response) parts.push(Buffer.from(part))
    const body: unknown = JSON.parse(Buffer.concat(parts).toString())
    const { code } = v.parse(v.object({ code: v.optional(v.string()) }), body)
    return { status: response.statusCode ?? 0, code }
  }

  test('exactly the limit passes, with a length and in chunks', async () => {
    const body = text(LIMIT)
    expect((await send('/small', [body], LIMIT)).status).toBe(200)
    expect((await send('/small', [body.slice(0, 10), body.slice(10)])).status).toBe(200)
  })
  test('one byte more is 413, with a length and in chunks', async () => {
    const body = text(LIMIT + 1)
    const tooLarge = { status: 413, code: 'body_too_large' }
    expect(await send('/small', [body], LIMIT + 1)).toEqual(tooLarge)
    expect(await send('/small', [body.slice(0, 10), body.slice(10)])).toEqual(tooLarge)
  })
  test('megabytes in chunks are answered 413 and the next request is served', async () => {
    const chunks = Array.from({ length: 200 }, () => 'x'.repeat(16_384))
    for (let round = 0; round < 5; round++) {
      expect(await send('/whole', chunks)).toEqual({ status: 413, code: 'body_too_large' })
    }
    expect((await send('/whole', [text(40)])).status).toBe(200)
  })
  test('a client that streams on still reads its 413', async () => {
    for (let round = 0; round < 20; round++) {
      const chunks = Array.from({ length: 64 }, () => new Uint8Array(16_384).fill(120))
      const response = await fetch(`http://127.0.0.1:${port}/whole`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ReadableStream.from(chunks),
        duplex: 'half',
      })
      expect(response.status).toBe(413)
    }
  })
  test('bytes are counted, not characters', async () => {
    const body = `{"name":"${'é'.repeat(LIMIT / 2)}"}`
    expect(body.length).toBeLessThan(LIMIT)
    expect((await send('/small', [body])).status).toBe(413)
  })
  test('a Content-Length that is too small is ignored', async () => {
    const body = text(LIMIT + 1)
    const response = await app.request('/small', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'content-length': '5' },
    })
    expect(response.status).toBe(413)
  })

  // What comes back on a raw connection until the server closes it or `enough` is seen.
  async function raw(bytes: string, enough?: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (data) => {
      received += data.toString()
      if (enough !== undefined && received.includes(enough)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve(received)
    })
    return promise
  }

  test('an offer of another protocol is answered plainly', async () => {
    const offer = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n'
    const answer = await raw(`GET /nowhere HTTP/1.1\r\nHost: a\r\n${offer}\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 404 [^]*"code":"unknown_route"/)
  })
  test('only HTTP/1.0 can leave out Host, and of Expect only 100-continue is taken', async () => {
    expect(await raw('GET /nowhere HTTP/1.0\r\n\r\n')).toMatch(/ 404 [^]*"code":"unknown_route"/)
    const nameless = await raw('GET /nowhere HTTP/1.1\r\n\r\n')
    expect(nameless).toMatch(/ 400 [^]*application\/json[^]*"The header Host is missing"/)
    const twice = await raw('GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n')
    expect(twice).toMatch(/ 400 [^]*application\/json[^]*"The header Host is repeated"/)
    const hopeful = await raw('GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n')
    expect(hopeful).toMatch(/ 417 [^]*application\/json[^]*"code":"malformed"/)
  })
  test('a body cut short, bad chunks and bad heads leave the server serving', async () => {
    const head = 'POST /whole HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    const both = `${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    expect(await raw(both)).toMatch(/^HTTP\/1.1 400/)
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`)).toMatch(/^HTTP\/1.1 400/)
    const extension = `1;${'x'.repeat(20_000)}\r\n`
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n${extension}`)).toMatch(
      /HTTP\/1.1 413 [^]*"code":"malformed"/,
    )
    const flood = `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    expect(await raw(flood)).toMatch(/^HTTP\/1.1 431 [^]*"code":"malformed"/)
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [^]*"code":"malformed"/)
    const backslash = 'GET /a\\b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    expect(await raw(backslash)).toMatch(/^HTTP\/1.1 400 [^]*"code":"malformed"/)
    const host = 'GET / HTTP/1.1\r\nHost: a/b@c\r\nConnection: close\r\n\r\n'
    expect(await raw(host)).toMatch(/^HTTP\/1.1 400 [^]*"code":"malformed"/)
    const cut = connect(port, '127.0.0.1')
    cut.write(`${head}Content-Length: 100\r\n\r\n{"name":`)
    cut.destroySoon()
    expect((await send('/whole', [text(40)])).status).toBe(200)
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
