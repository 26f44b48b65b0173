// Goal: no secret reaches the log, under whatever name, depth or disguise it comes.
// Method: a real app on a real port is used with passwords, tokens and failing database calls;
// every line of the run is searched for them.
import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  type ErrorShape,
  Secret,
  closeServer,
  createLogger,
  createServer,
  installErrors,
  jsonBody,
  listen,
  requestIds,
  requestLog,
} from '../src/index.ts'

const PASSWORD = 'correct-horse-battery'
const KEY = 'signing-"key"-of-thirty-two-bytes-at-least'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const DATABASE = 'postgres://orrery:p%40ssw0rd-db@db.example/game'
const UNSEEN = /correct-horse|signing-|eyJhbGci|c2lnbmF0dXJl|ssw0rd-db|s3ssion/

const shape: ErrorShape = ({ code, message }) => ({ error: { code, message } })

test('a run with secrets everywhere leaves none of them in its log', async () => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'trace',
    destination: { write: (line) => lines.push(line) },
    secrets: [new Secret(KEY), new Secret(DATABASE), new Secret('abc')],
  })
  const app = new Hono()
  installErrors(app, { shape, logger })
  app.use(requestIds(), requestLog({ logger }))
  app.post('/login', async (context) => {
    const schema = v.object({ username: v.string(), password: v.string() })
    const body = await jsonBody(context, schema)
    const headers = Object.fromEntries(context.req.raw.headers)
    logger.info({ body, headers, request: { raw: { deep: { newPassword: PASSWORD } } } }, 'login')
    throw Object.assign(new Error(`connect ${DATABASE} failed for Bearer ${JWT}`), {
      query: `select '${PASSWORD}'`,
      code: 'ECONNREFUSED',
      cause: new Error(`key ${KEY}`),
    })
  })
  const server = createServer({ fetch: app.fetch, shape, logger })
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  const response = await fetch(`http://127.0.0.1:${port}/login?token=${JWT}&password=${PASSWORD}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${JWT}`,
      cookie: 'sid=s3ssion',
    },
    body: JSON.stringify({ username: 'ida', password: PASSWORD }),
  })
  expect(await response.text()).toBe('{"error":{"code":"server_error","message":"Server error"}}')
  await closeServer(server, 1000)

  logger.child({ token: JWT, url: new URL(DATABASE) }).warn(new Error(`Bearer ${JWT}`))
  logger.info({ DATABASE_URL: DATABASE, 'x-api-key': KEY, list: [{ admin_token: JWT }] })
  logger.info(`offers orrery.v1, bearer.${JWT}`)
  logger.info({
    secret: new Secret(KEY),
    plain: new Secret(KEY),
    nothing: null,
    view: new Uint8Array(3),
  })
  logger.info(`other database: mysql://root:ssw0rd-db@h/d`)
  const loop: Record<string, unknown> = { password: PASSWORD }
  loop['self'] = loop
  logger.info(loop, 'loop')
  logger.info({ items: Array.from({ length: 60 }, (_, i) => i) })

  expect(lines.length).toBeGreaterThanOrEqual(9)
  for (const line of lines) {
    expect(line).not.toMatch(UNSEEN)
    expect(line.endsWith('\n')).toBe(true)
    expect(() => JSON.parse(line)).not.toThrow()
  }
  const whole = lines.join('')
  // What must stay readable has stayed: a log of masks would pass too.
  const firstItems = `"items":[${Array.from({ length: 50 }, (_, i) => i).join()}]`
  const readable = [
    '"username":"ida"',
    'ECONNREFUSED',
    '"path":"/login"',
    'Error: connect ',
    '"view":"[3 bytes]"',
    firstItems,
  ]
  for (const kept of readable) expect(whole).toContain(kept)
})

test('a secret that contains another is masked whole, and long lists are cut', () => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'info',
    destination: { write: (line) => lines.push(line) },
    secrets: [new Secret('part-of-it'), new Secret('part-of-it-and-the-rest')],
  })
  logger.info({ text: 'part-of-it-and-the-rest', list: Array.from({ length: 60 }, (_, i) => i) })
  const { text, list } = JSON.parse(lines[0])
  expect(text).toBe('[redacted]')
  expect(list).toEqual(Array.from({ length: 50 }, (_, i) => i))
})
