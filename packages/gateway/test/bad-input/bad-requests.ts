// Invalid HTTP requests, and the answer to each.
import { type Refused, codeOf, refusalOf } from '../refusal.ts'
import { describe, expect, test } from 'vitest'
import { jsonOrNothing } from '../player-client.ts'
import { plainAnswer, rawAnswer } from '../raw-connection.ts'

/** The server under attack, known when the tests run. */
export interface Target {
  readonly url: string
  readonly port: number
  readonly token: string
  readonly admin: string
  readonly service: string
}

const REGISTER = ['POST', '/api/auth/register'] as const

export function badRequests(target: () => Target): void {
  /** Sends a text or bytes as JSON, with the admin's token. */
  const send = (
    [method, path]: readonly [string, string],
    piece: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Refused> =>
    plainAnswer({
      port: target().port,
      method,
      path,
      headers: {
        authorization: `Bearer ${target().admin}`,
        'content-type': 'application/json',
        ...headers,
      },
      pieces: [piece],
    })

  describe('a body', () => {
    test('with an invalid rate or scale has the code of its field', async () => {
      for (const value of [
        '0',
        '-1',
        '0.0999',
        '100.001',
        'true',
        '{}',
        '1e400',
        '-1e400',
        '1e-400',
        '-0',
        '"NaN"',
        '"1"',
        '9'.repeat(5000),
        '[1]',
        '{"valueOf":1}',
        'null',
        '5e-324',
        '1.7976931348623157e308',
      ]) {
        for (const [name, code] of [
          ['tick_rate', 'E015'],
          ['time_scale', 'E029'],
        ]) {
          const path = `/api/admin/game/${name.replace('_', '-')}`
          expect(refusalOf(await send(['PUT', path], `{"${name}":${value}}`))).toBe(`400 ${code}`)
        }
      }
    })

    test('or query that does not fit is refused in a sentence that names the field', async () => {
      for (const [method, path, body, message] of [
        ['POST', '/api/admin/registrations', '{}', 'open is missing'],
        ['POST', '/api/admin/registrations', '{"open":1}', 'open must be true or false'],
        ['POST', '/api/admin/restore', '{}', 'snapshot_id is missing'],
        [
          'POST',
          '/api/player/predict',
          '{"hours":1,"target_ship_id":7}',
          'target_ship_id must be a text',
        ],
        [
          'POST',
          '/api/player/predict',
          '{"hours":1,"target_ship_id":"x"}',
          'target_ship_id must be a UUID',
        ],
        [
          'POST',
          '/api/player/predict',
          `{"hours":1,"orders":[{"after":0}]}`,
          'orders.0.order is missing',
        ],
        ['GET', '/api/admin/audit?limit=0', '', 'limit must be a whole number from 1 to 1000'],
        [
          'GET',
          '/api/admin/audit?limit=1&limit=2',
          '',
          'limit must be a whole number from 1 to 1000',
        ],
        ['POST', '/api/admin/station', '{}', 'name is missing'],
      ] as const) {
        const { token, admin } = target()
        const authorization = `Bearer ${path.startsWith('/api/player/') ? token : admin}`
        const answer = await send([method, path], body, { authorization })
        expect([path, body, Object(answer.body).error]).toEqual([
          path,
          body,
          { code: 'E001', message },
        ])
      }
    })

    test('is read literally where fields hide in a prototype or come twice', async () => {
      const rate = ['PUT', '/api/admin/game/tick-rate'] as const
      for (const text of [
        '{"__proto__":{"tick_rate":5}}',
        '{"constructor":{"prototype":{"tick_rate":5}}}',
        '{"tick_rate":5,"tick_rate":"x"}',
        '{"Tick_Rate":5}',
      ]) {
        expect(refusalOf(await send(rate, text))).toBe('400 E015')
      }
      const polluted = '{"__proto__":{"is_admin":true},"username":"!","password":"12345678"}'
      expect(refusalOf(await send(REGISTER, polluted))).toBe('400 E011')
      expect(Object.hasOwn(Object.prototype, 'is_admin')).toBe(false)
    })

    test('of 64 KiB is read, one byte more is 413 E001, sent at once or in pieces', async () => {
      const padded = (bytes: number): string => `{"username":"!"${' '.repeat(bytes - 16)}}`
      expect(refusalOf(await send(REGISTER, padded(65_536)))).toBe('400 E011')
      expect(refusalOf(await send(REGISTER, padded(65_537)))).toBe('413 E001')
    })

    test('of ten megabytes in chunks is 413 E001', async () => {
      const chunk = Buffer.concat([
        Buffer.from('10000\r\n'),
        Buffer.alloc(65_536, '['),
        Buffer.from('\r\n'),
      ])
      const head = `${REGISTER.join(' ')} HTTP/1.1\r\nhost: [::1]\r\ncontent-type: application/json`
      const start = Buffer.from(`${head}\r\ntransfer-encoding: chunked\r\n\r\n`)
      const { status, text } = await rawAnswer(
        target().port,
        Buffer.concat([start, chunk, chunk]),
        Array.from({ length: 160 }, () => chunk),
      )
      expect(`${status} ${codeOf(jsonOrNothing(text))}`).toBe('413 E001')
    })

    test('nested deeper than 64 levels is 400 E001, less deep its field counts', async () => {
      const nested = (depth: number): string =>
        `{"username":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
      expect(refusalOf(await send(REGISTER, nested(64)))).toBe('400 E011')
      expect(refusalOf(await send(REGISTER, nested(65)))).toBe('400 E001')
      expect(refusalOf(await send(REGISTER, nested(32_000)))).toBe('400 E001')
      expect(refusalOf(await send(REGISTER, '['.repeat(65_000)))).toBe('400 E001')
    })

    test('of a GET is ignored', async () => {
      const headers = { 'content-length': '1' }
      const sent = { method: 'GET', path: '/api/status', headers, pieces: ['{'] }
      expect((await plainAnswer({ port: target().port, ...sent })).status).toBe(200)
    })
  })

  describe('a path', () => {
    test('written in a strange way is a route or a refusal', async () => {
      const { port } = target()
      for (const path of [
        '/api/../api/status',
        '/api/%2e%2e/api/status',
        '/%2e%2e/%2e%2e/etc/passwd',
        '/api/%c0%ae%c0%ae/status',
        '//api/status',
        '///',
        '//',
        '/api/status%00',
        '/%00',
        '/%',
        '/%zz',
        '/api/status%2f',
        '/api/status?%',
        '/api/status?a[b]=%zz&a=1&a=2&__proto__=3',
        '/api/player/ship;x=1',
        '/\\api\\status',
        '/api/status#fragment',
        'http://other.example/api/status',
        'http://',
        '*',
        `/${'a'.repeat(8000)}`,
        `/api/${'../'.repeat(2000)}status`,
        `/api/${'%41'.repeat(2500)}`,
      ]) {
        const answer = await plainAnswer({ port, method: 'GET', path })
        const { status, body } = answer
        const outcome = status === 200 ? Object(body).status : refusalOf(answer)
        expect([path, outcome]).toEqual([
          path,
          expect.stringMatching(/^(?:online|40[04] E00[12])$/),
        ])
      }
    })
  })

  test('bytes that are not a valid request are refused or cut off', async () => {
    const { port } = target()
    const line = 'GET /api/status HTTP/1.1\r\n'
    const post =
      'POST /api/auth/register HTTP/1.1\r\nhost: [::1]\r\ncontent-type: application/json\r\n'
    for (const bytes of [
      '',
      'x',
      '\r\n\r\n\r\n',
      'GET',
      'GET ? HTTP/1.1\r\nhost: localhost\r\n\r\n',
      `${line}host: localhost\r\n`,
      `${line}\r\n`,
      `${line}host: localhost\r\nhost: b\r\n\r\n`,
      `${line}host: a b\r\n\r\n`,
      `${line}host: [::1\r\n\r\n`,
      `${line}host: localhost\r\nno colon\r\n\r\n`,
      `${line}host: localhost\r\nx: \0\r\n\r\n`,
      `${line}host: localhost\r\nexpect: more\r\n\r\n`,
      `${line}host: localhost\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`,
      `${line}host: localhost\r\n${'x: y\r\n'.repeat(10_000)}\r\n`,
      `${line}host: [::1]\r\n${Array.from({ length: 3e3 }, (_, i) => `x${i}: y\r\n`).join('')}\r\n`,
      `${line}host: localhost\r\nconnection: upgrade\r\nupgrade: nothing\r\n\r\n`,
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      'GET /\u00e9\u{1f680} HTTP/1.1\r\nhost: localhost\r\n\r\n',
      'GET /api/status HTTP/9.9\r\nhost: localhost\r\n\r\n',
      'GET /api/status\r\n\r\n',
      'get /api/status HTTP/1.1\r\nhost: localhost\r\n\r\n',
      'CONNECT other.example:443 HTTP/1.1\r\nhost: other.example\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0',
      `${post}content-length: 10\r\n\r\n{`,
      `${post}content-length: -1\r\n\r\n{}`,
      `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
      `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
      `${post}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
      `${post}transfer-encoding: gzip\r\n\r\n{}`,
      Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, ...Array<number>(512).fill(7)]),
      Buffer.alloc(100_000, 0xff),
    ]) {
      const { status = 400, text } = await rawAnswer(port, bytes)
      const request = Buffer.from(bytes).subarray(0, 120).toString('latin1')
      // A connection that is cut has no answer.
      const isEmpty = text === ''
      const body = isEmpty ? undefined : jsonOrNothing(text)
      const outcome = isEmpty ? 'empty' : status === 200 ? Object(body).status : codeOf(body)
      expect([request, `${status} ${outcome}`]).toEqual([
        request,
        expect.stringMatching(/^(?:200 online|400 empty|4(?:00|04|05|17|31) E00[12])$/),
      ])
    }
  })
}
