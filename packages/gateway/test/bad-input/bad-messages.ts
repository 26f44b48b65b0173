// Invalid handshakes and socket messages, and the answer to each.
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Target } from './bad-requests.ts'
import { type PlayerSocket, jsonOrNothing, openSocket, register } from '../player-client.ts'
import {
  closeCode,
  connection,
  frame,
  rawAnswer,
  rawSocket,
  upgradeRequest,
} from '../raw-connection.ts'
import { codeOf } from '../refusal.ts'

const TEXT = 0x81
const utf8 = (text: string): Uint8Array => Buffer.from(text)

export interface Surroundings {
  readonly target: () => Target
  /** a player who must miss nothing */
  readonly witness: () => PlayerSocket
  /** connections that stay open until the server stops */
  readonly leftovers: Socket[]
}

export function badMessages({ target, witness, leftovers }: Surroundings): void {
  describe('a handshake', () => {
    test('that is malformed is refused in the shape of every error', async () => {
      const { port, token } = target()
      const authorization = `Bearer ${token}`
      for (const bytes of [
        upgradeRequest({ authorization, 'sec-websocket-key': undefined }),
        upgradeRequest({ authorization, 'sec-websocket-key': 'short' }),
        upgradeRequest({ authorization, 'sec-websocket-version': '7' }),
        upgradeRequest({ authorization, 'sec-websocket-protocol': 'orrery.v1, orrery.v1' }),
        upgradeRequest({ authorization, upgrade: 'websocket2' }),
        upgradeRequest({ authorization }, 'POST /ws HTTP/1.1'),
        upgradeRequest({ authorization }, 'GET // HTTP/1.1'),
        upgradeRequest({ authorization }, 'GET http://[ HTTP/1.1'),
      ]) {
        const { status, text } = await rawAnswer(port, bytes)
        expect([bytes, status]).toEqual([bytes, expect.toSatisfy((it) => it === 400 || it === 404)])
        expect(codeOf(jsonOrNothing(text))).toMatch(/^E00[125]$/)
      }
    })

    test('that asks for no upgrade is refused as none', async () => {
      const { port } = target()
      const { status, text } = await rawAnswer(port, 'GET /ws HTTP/1.1\r\nhost: localhost\r\n\r\n')
      expect(status).toBe(400)
      expect(jsonOrNothing(text)).toEqual({
        error: { code: 'E001', message: 'This is no WebSocket handshake' },
      })
    })

    test('without Host, with two or a foreign one is refused as every request is', async () => {
      const { port, token } = target()
      const authorization = `Bearer ${token}`
      for (const [host, status, code, message] of [
        [undefined, 400, 'E001', 'The header Host is missing'],
        ['localhost\r\nhost: localhost', 400, 'E001', 'The header Host is repeated'],
        ['evil.test', 403, 'E003', 'The header Host is not allowed'],
        ['evil.test:80', 403, 'E003', 'The header Host is not allowed'],
      ] as const) {
        const line = host === undefined ? '' : `host: ${host}\r\n`
        for (const bytes of [
          upgradeRequest({ authorization, host, origin: `http://${host}` }),
          `GET /api/status HTTP/1.1\r\n${line}\r\n`,
        ]) {
          const answer = await rawAnswer(port, bytes)
          expect([bytes, answer.status]).toEqual([bytes, status])
          expect(jsonOrNothing(answer.text)).toEqual({ error: { code, message } })
        }
      }
      for (const host of ['localhost:80', '127.0.0.2', '[::1]:80']) {
        const bytes = `GET /api/status HTTP/1.1\r\nhost: ${host}\r\n\r\n`
        expect((await rawAnswer(port, bytes)).status).toBe(200)
      }
    })

    test('that was refused leaves no connection open, though the client never closes', async () => {
      const socket = await connection(target().port)
      socket.write(upgradeRequest({}))
      socket.resume()
      await new Promise((resolve) => {
        socket.once('end', resolve)
      })
      // Our side is still open; once the server's side is closed, a write gets a reset.
      const gone = new Promise((resolve) => {
        socket.once('close', resolve)
      })
      const writing = setInterval(() => socket.write('x'), 20)
      await gone
      clearInterval(writing)
      expect(socket.destroyed).toBe(true)
    })

    test('that never ends costs other players nothing', async () => {
      for (let i = 0; i < 100; i++) {
        const socket = await connection(target().port)
        const whole = upgradeRequest({ authorization: `Bearer ${target().token}` })
        socket.write(whole.slice(0, i * 3))
        leftovers.push(socket)
      }
      expect((await witness().freshTick()).type).toBe('tick')
    })
  })

  describe('a message', () => {
    /** The codes of the answers, on a socket that stays open. */
    const codesOf = async (texts: readonly (string | Uint8Array)[]): Promise<string[]> => {
      const socket = await openSocket(target(), target().token)
      const codes = []
      for (const text of texts) {
        socket.send(text)
        codes.push((await socket.next('error')).code)
      }
      socket.send({ type: 'ping', id: 'still here' })
      await socket.next('pong', ({ id }) => id === 'still here')
      await socket.close()
      return codes
    }

    test('that is not a JSON object, or of an unknown type, is E001', async () => {
      const texts = ['', ' ', '{', 'ping', '[]', 'null', '1', '"ping"', '\0', '{"type":"ping"']
      const types = ['warp', '__proto__', 'constructor', 'toString', '', 'PING', 'ping ']
      const objects = types.map((type) => JSON.stringify({ type }))
      const others = ['{}', '{"type":null}', '{"type":["ping"]}', '{"type":{"type":"ping"}}']
      const deep = [
        '['.repeat(16_000),
        `{"type":"warp","a":${'['.repeat(8000)}${']'.repeat(8000)}}`,
      ]
      const bytes = [new Uint8Array(), utf8('{"type":"ping"}'), new Uint8Array(1000).fill(255)]
      const all = [...texts, ...objects, ...others, ...deep, ...bytes]
      expect(await codesOf(all)).toEqual(all.map(() => 'E001'))
    })

    test('with a name of marks that invisible characters part is E030', async () => {
      const names = ['\u200D', '\u200B', '\u2060'].map(
        (part) => `abc${'\u0301'.repeat(4)}${part}${'\u0301'.repeat(4)}`,
      )
      const texts = names.map((name) => JSON.stringify({ type: 'ship_rename', name }))
      expect(await codesOf(texts)).toEqual(names.map(() => 'E030'))
    })

    test('with fields that do not fit is E001', async () => {
      const thrusts = ['1.0000001', '-0.1', '"1"', 'null', 'true', '1e400', '[1]', '{}']
      const attitudes = [
        'null',
        '[1,0,0,0]',
        '{}',
        '{"w":1,"x":0,"y":0}',
        '{"w":0,"x":0,"y":0,"z":0}',
        '{"w":"1","x":0,"y":0,"z":0}',
        '{"w":1e400,"x":0,"y":0,"z":0}',
        '{"w":1e308,"x":1e308,"y":0,"z":0}',
        '{"w":1e-200,"x":0,"y":0,"z":0}',
      ]
      const ids = ['null', '1.5', '{}', '[]', 'true', '1e400', `"${'x'.repeat(65)}"`]
      const all = [
        '{"type":"control"}',
        ...thrusts.map((value) => `{"type":"control","thrust_level":${value}}`),
        ...attitudes.map((value) => `{"type":"control","attitude":${value}}`),
        ...attitudes.map(
          (value) => `{"type":"control","thrust_level":1,"attitude":${value},"id":1}`,
        ),
        ...ids.map((id) => `{"type":"ping","id":${id}}`),
        ...['0', '-1', '1e400', 'null', '"9"', '[]'].flatMap((value) => [
          `{"type":"control","thrust_level":1,"delta_v":${value}}`,
          `{"type":"control","thrust_level":1,"duration":${value}}`,
        ]),
        '{"type":"control","delta_v":1}',
        '{"type":"control","thrust_level":0,"duration":1}',
        '{"type":"control","thrust_level":1,"duration":1,"delta_v":1}',
        '{"type":"control","wheel_unloading":null}',
        '{"type":"control","angular_rate":{"x":0,"y":0}}',
        '{"type":"control","angular_rate":{"x":0,"y":0,"z":1e400}}',
        '{"type":"control","angular_rate":{"x":0,"y":0,"z":0.06}}',
        '{"type":"control","pointing":"target"}',
        '{"type":"control","pointing":"target","target_body":""}',
        '{"type":"control","pointing":"target","target_body":"Sun","target_ship_id":"x"}',
        '{"type":"control","pointing":"sun","target_body":"Sun"}',
        '{"type":"ping","client_time":1e400}',
        '{"type":"ping","client_time":"now"}',
      ]
      expect(await codesOf(all)).toEqual(all.map(() => 'E001'))
    })

    test('of 16 KiB is read, a longer one closes with 1009', async () => {
      const padded = (bytes: number): string => `{"type":"ping"${' '.repeat(bytes - 15)}}`
      const socket = await openSocket(target(), target().token)
      socket.send(padded(16_384))
      await socket.next('pong')
      socket.send(padded(16_385))
      expect((await socket.closed).code).toBe(1009)
      for (const size of [100_000, 1_048_576]) {
        const other = await openSocket(target(), target().token)
        other.send(Buffer.alloc(size, 'x'))
        expect((await other.closed).code).toBe(1009)
      }
    })

    test('in 16 fragments is read, in more closes with 1008', async () => {
      const socket = await openSocket(target(), target().token)
      const inFragments = (count: number): void => {
        socket.socket.send('{"type":"ping"', { fin: false })
        for (let i = 2; i < count; i++) socket.socket.send(' ', { fin: false })
        socket.socket.send('}', { fin: true })
      }
      inFragments(16)
      await socket.next('pong')
      inFragments(17)
      expect((await socket.closed).code).toBe(1008)
      const flood = await openSocket(target(), target().token)
      for (let i = 0; i < 5000; i++) flood.socket.send('', { fin: false })
      expect((await flood.closed).code).toBe(1008)
    })

    test('against the protocol of WebSocket closes with its own code', async () => {
      const ping = utf8('{"type":"ping"}')
      for (const [bytes, code] of [
        [frame(TEXT, Buffer.from([0x22, 0xc3, 0x28, 0x22])), 1007],
        [frame(TEXT, ping, { masked: false }), 1002],
        [frame(0xf1, ping), 1002],
        [frame(0xc1, ping), 1002],
        [frame(0x83, ping), 1002],
        [frame(0x80, ping), 1002],
        [frame(0x09, ping), 1002],
        [frame(0x89, Buffer.alloc(126)), 1002],
        [frame(0x88, Buffer.from([0])), 1002],
        [frame(0x88, Buffer.from([0x03, 0xed])), 1002],
        [Buffer.from([TEXT, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), 1009],
      ] as const) {
        const socket = await rawSocket(target().port, target().token)
        const closed = closeCode(socket)
        socket.write(bytes)
        expect({ bytes, code: await closed }).toEqual({ bytes, code })
      }
    })
  })

  describe('a flood', () => {
    test('of ten thousand messages gets one E004 and is closed with 4005', async () => {
      const before = await witness().freshTick()
      const flood = async (text: string, username: string): Promise<void> => {
        const { token } = await register(target(), username)
        const socket = await openSocket(target(), token)
        for (let i = 0; i < 10_000; i++) socket.send(text)
        expect(await socket.closed).toEqual({ code: 4005, reason: 'flooding' })
        const codes = socket.messages.flatMap((item) => (item.type === 'error' ? [item.code] : []))
        const refused = codes.filter((code) => code === 'E004')
        expect(refused).toHaveLength(1)
        const answers = socket.messages.filter(({ type }) => type === 'pong').length
        expect(answers + codes.length).toBeLessThanOrEqual(60 + 40)
      }
      // At once: the server waits two seconds for the answer to each close.
      await Promise.all([
        flood('{"type":"ping"}', 'Flood_1'),
        flood('{"type":"control","thrust_level":0}', 'Flood_2'),
        flood('{', 'Flood_3'),
      ])
      const after = await witness().freshTick()
      expect(after.tick).toBeGreaterThan(before.tick)
    })

    test('of sockets of one player leaves the last one', async () => {
      const sockets = await Promise.all(
        Array.from({ length: 50 }, () => openSocket(target(), target().token)),
      )
      const codes: number[] = []
      const all = new Promise<void>((resolve) => {
        for (const socket of sockets) {
          void socket.closed.then(({ code }) => {
            // The last one stays open until it is closed here.
            if (codes.push(code) === 49) for (const left of sockets) left.socket.close()
            if (codes.length === 50) resolve()
          })
        }
      })
      await all
      expect(codes.filter((code) => code === 4001)).toHaveLength(49)
    })
  })

  test('a client that never reads delays no other', async () => {
    const socket = await rawSocket(target().port, target().token)
    socket.pause()
    leftovers.push(socket)
    for (let i = 0; i < 20; i++) {
      socket.write(frame(TEXT, utf8('{"type":"ping"}')))
      expect((await witness().freshTick()).type).toBe('tick')
    }
  })
}
