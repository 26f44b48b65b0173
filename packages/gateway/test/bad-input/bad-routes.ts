// Requests that every route must refuse; the routes are those of the server's own description, so
// these laws cover a new one too.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, endpoints } from '../api/api-document.ts'
import type { Target } from './bad-requests.ts'
import { createChance } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { hostileText, schemaText } from '../fuzz/values.ts'
import { inTurn } from '../in-turn.ts'
import { ask, jsonOrNothing, register } from '../player-client.ts'
import { plainAnswer, rawAnswer } from '../raw-connection.ts'
import { type Refused, codeOf, refusalOf } from '../refusal.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']

interface Sent {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

function tokens({ token: player, admin, service }: Target): Record<string, string> {
  return { player, admin, service }
}

/** A path of an endpoint, with ids that nothing has. */
function pathOf({ template }: Endpoint): string {
  return template.replaceAll(/\{\w+\}/g, () => randomUUID())
}

function name({ method, template }: Endpoint): string {
  return `${method} ${template}`
}

export function badRoutes(target: () => Target): void {
  let all: readonly Endpoint[] = []
  let withBody: readonly Endpoint[] = []

  beforeAll(async () => {
    all = await endpoints(target())
    withBody = all.filter(({ body }) => body !== undefined)
  })

  const rightful = ({ access }: Endpoint): string | undefined =>
    access === 'anybody' ? undefined : tokens(target())[access]

  const send = (
    endpoint: Endpoint,
    { token = rightful(endpoint), headers = {}, body }: Sent,
    path: string = pathOf(endpoint),
  ): Promise<Refused> =>
    plainAnswer({
      port: target().port,
      method: endpoint.method,
      path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      pieces: body === undefined ? [] : [body],
    })

  /** Fails unless the answer is documented and not a fault of the server. */
  const documented = (endpoint: Endpoint, answer: Refused, sent: string): string => {
    const { status } = answer
    const outcome = status < 400 ? String(status) : refusalOf(answer)
    const isKnown = endpoint.outcomes.has(outcome) && status < 500
    expect({ route: name(endpoint), sent, outcome, isKnown }).toMatchObject({ isKnown: true })
    return outcome
  }

  describe('every route that takes a body', () => {
    const wide = Buffer.from('\ufeff{"open":true}', 'utf16le')
    const bytes = [wide, Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.from([0x7b, 0x80])]
    const texts = ['', ' ', '{', '}', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '\0', '{}{}']
    const values = ['[]', '[{}]', '1', '-0', '1e400', '"x"', '""', 'null', 'true']
    test.each([
      ['not JSON: 400 E001', /^400 E001|^404 E0/, [...texts, ...bytes]],
      ['JSON, but not an object', /^[45]/, values],
    ])('refuses what is %s', async (_, refusal, invalid) => {
      expect(withBody.length).toBeGreaterThan(15)
      for (const [i, endpoint] of withBody.entries()) {
        for (const body of inTurn(invalid, i)) {
          const outcome = documented(endpoint, await send(endpoint, { body }), String(body))
          expect([name(endpoint), body, outcome]).toEqual([
            name(endpoint),
            body,
            expect.stringMatching(refusal),
          ])
        }
        documented(endpoint, await send(endpoint, {}), 'no body')
      }
    })

    test('refuses another content type with 415, and packed bodies', async () => {
      const types = ['text/plain', 'multipart/form-data', 'application/json; charset=utf-16', '']
      for (const [i, endpoint] of withBody.entries()) {
        for (const type of inTurn([...types, 'application/jsonp', 'json'], i)) {
          const sent = { body: '{}', headers: { 'content-type': type } }
          expect([name(endpoint), refusalOf(await send(endpoint, sent))]).toEqual([
            name(endpoint),
            expect.stringMatching(/^415 E001|^404 E0/),
          ])
        }
        const packed = { body: '{}', headers: { 'content-encoding': 'gzip' } }
        expect(refusalOf(await send(endpoint, packed))).toMatch(/^415 E001|^404 E0/)
      }
    })

    test('refuses a megabyte with 413, before it arrives', async () => {
      for (const endpoint of withBody.filter((_, i) => i % byTier({ gate: 4, night: 1 }) === 0)) {
        const lines = [
          `${endpoint.method} ${pathOf(endpoint)} HTTP/1.1`,
          'host: localhost',
          `authorization: Bearer ${rightful(endpoint)}`,
          'content-type: application/json',
          'content-length: 1048576',
        ]
        const { status, text } = await rawAnswer(target().port, `${lines.join('\r\n')}\r\n\r\n`, [
          Buffer.alloc(1_048_576, 'x'),
        ])
        expect([name(endpoint), `${status} ${codeOf(jsonOrNothing(text))}`]).toEqual([
          name(endpoint),
          expect.stringMatching(/^413 E001|^404 E0/),
        ])
      }
    })

    test('refuses depth, and ignores fields in a prototype', async () => {
      const deep = '['.repeat(30_000)
      const nested = `{"a":${'{"a":'.repeat(100)}1${'}'.repeat(101)}`
      const hidden = '{"__proto__":{"username":"Proto","password":"12345678","enabled":true}}'
      for (const [i, endpoint] of withBody.entries()) {
        for (const body of inTurn([deep, nested, hidden], i)) {
          const outcome = documented(endpoint, await send(endpoint, { body }), body.slice(0, 20))
          expect([name(endpoint), body.slice(0, 20), outcome]).toEqual([
            name(endpoint),
            body.slice(0, 20),
            expect.stringMatching(/^4/),
          ])
        }
      }
      expect(Object.hasOwn(Object.prototype, 'username')).toBe(false)
    })

    test('has a documented answer to each invalid field', async () => {
      const chance = createChance(7)
      const outcomes = new Set<string>()
      for (const endpoint of withBody) {
        const { properties = {} } = endpoint.body ?? {}
        for (const field of Object.keys(properties)) {
          for (let i = 0; i < byTier({ gate: 1, night: 30 }); i++) {
            const good = schemaText(endpoint.body ?? {}, chance, false)
            // The same key twice: the last one counts.
            const body = `${good.slice(0, -1)},"${field}":${hostileText(chance)}}`
            outcomes.add(documented(endpoint, await send(endpoint, { body }), body.slice(0, 300)))
          }
        }
      }
      // Some of the random values are valid.
      expect(outcomes.size).toBeGreaterThan(10)
    })
  })

  describe('every route', () => {
    test('has the described methods, and answers others with 405 and Allow', async () => {
      const paths = Map.groupBy(all, ({ template }) => template)
      for (const [i, [template, group]] of [...paths].entries()) {
        const known = group.map(({ method }) => method)
        if (known.includes('GET')) known.push('HEAD')
        const path = pathOf(group[0])
        for (const method of inTurn([...METHODS, 'OPTIONS', 'TRACE', 'PROPFIND'], i)) {
          if (known.includes(method)) continue
          const { port, admin } = target()
          const headers = { authorization: `Bearer ${admin}` }
          const answer = await plainAnswer({ port, method, path, headers })
          expect([method, template, refusalOf(answer)]).toEqual([method, template, '405 E002'])
          const allow = answer.headers.get('allow')?.split(', ')
          expect([template, allow?.toSorted()]).toEqual([template, known.toSorted()])
        }
      }
    })

    test('refuses a missing or wrong token before it reads the body', async () => {
      const gone = await register(target(), 'Soon_gone')
      await ask(target(), 'DELETE', '/api/account', { token: gone.token })
      const { token, admin } = target()
      for (const [i, endpoint] of all.entries()) {
        if (endpoint.access === 'anybody') continue
        const other = endpoint.access === 'admin' ? token : admin
        const body = endpoint.method === 'GET' ? undefined : '{'
        const headers = { 'content-length': String(body?.length ?? 0) }
        const strange = ['x', `${admin.slice(0, -4)}AAAA`, other, gone.token]
        for (const wrong of ['', ...inTurn(strange, i)]) {
          const isShip = endpoint.template === '/api/player/ship' && wrong === gone.token
          const answer = await send(endpoint, { token: wrong, headers, body })
          expect([name(endpoint), wrong.slice(0, 9), refusalOf(answer)]).toEqual([
            name(endpoint),
            wrong.slice(0, 9),
            isShip ? '404 E006' : '401 E005',
          ])
        }
      }
    })

    test('refuses a malformed id', async () => {
      const ids = ['x', '0', '-1', '%00', '%ff', "'%20or%201=1--", '%2e%2e', '__proto__', '%F0%9F']
      const long = ['a'.repeat(4000), `${randomUUID()}x`, randomUUID().replaceAll('-', '')]
      const withId = all.filter(({ template }) => template.includes('{'))
      for (const [i, endpoint] of withId.entries()) {
        for (const id of inTurn([...ids, ...long, '<script>', '{id}', 'null', 'undefined'], i)) {
          const path = endpoint.template.replaceAll(/\{\w+\}/g, id.replaceAll(/[<>{}]/g, '%3C'))
          const answer = await send(endpoint, { body: endpoint.body && '{}' }, path)
          expect([name(endpoint), id, refusalOf(answer)]).toEqual([
            name(endpoint),
            id,
            expect.stringMatching(/^4(?:00|04|05|22) E0\d\d$/),
          ])
        }
      }
    })

    test('exists under its own path only, and no detour avoids its token', async () => {
      for (const [i, endpoint] of all.entries()) {
        const path = pathOf(endpoint)
        const odds = [`${path}/`, path.toUpperCase(), path.replace('/api/', '/api//')]
        for (const odd of inTurn(odds, i)) {
          if (odd === path) continue
          const answer = await send(endpoint, { token: target().admin }, odd)
          expect([odd, refusalOf(answer)]).toEqual([odd, '404 E002'])
        }
        if (endpoint.access === 'anybody') continue
        const detours = [`/x/..${path}`, `/%2e%2e${path}`, `/.${path}`, `//${path}`]
        for (const detour of inTurn(detours, i)) {
          const answer = await send(endpoint, { token: '' }, detour)
          expect([detour, refusalOf(answer)]).toEqual([
            detour,
            expect.stringMatching(/^40[014] E00[125]$/),
          ])
        }
      }
    })
  })

  test('pipelined requests are answered in order, each by itself', async () => {
    const one = (line: string, body = ''): string =>
      `${line} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`
    const last = one('GET /nothing').replace(
      'host: localhost',
      'host: localhost\r\nconnection: close',
    )
    const { statuses, text } = await rawAnswer(
      target().port,
      [
        one('GET /api/status'),
        one('POST /api/auth/register', '{'),
        one('PUT /api/status'),
        last,
      ].join(''),
    )
    expect(statuses).toEqual(['200', '400', '405', '404'])
    expect(text.startsWith('{"status":"online"')).toBe(true)
  })

  test('an Expect header gets 100, and then the answer', async () => {
    const head =
      'POST /api/auth/register HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json'
    const last = 'connection: close\r\n\r\n'
    const expecting = `${head}\r\nexpect: 100-continue\r\ncontent-length: 2\r\n${last}`
    const { status, text } = await rawAnswer(target().port, expecting, [Buffer.from('{}')])
    expect(status).toBe(100)
    expect(text).toContain('HTTP/1.1 400 ')
    const chunked = `${head}\r\ntransfer-encoding: chunked\r\n${last}`
    const whole = await rawAnswer(target().port, `${chunked}1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`)
    expect(whole.status).toBe(400)
    expect(whole.text).toContain('E011')
  })
}
