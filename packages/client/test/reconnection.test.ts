// A socket reconnects by itself, resumes its session, and stops when another attempt would fail.
import { CLOSE_CODES } from '@orrery/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ClientError,
  type Disconnection,
  type GameSocket,
  type SocketEvents,
  type SocketOptions,
  connectSocket,
} from '../src/index.ts'
import { type LocalServer, WELCOME, localServer, tickMessage } from './local-server.ts'
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts'

const TOKEN = 'head.body-of-a-secret.tail'

let server: LocalServer
let clock: SimulatedClock
let sockets: GameSocket[]

beforeEach(async () => {
  server = await localServer()
  clock = simulatedClock()
  sockets = []
})

afterEach(async () => {
  for (const socket of sockets) socket.close()
  await server.close()
})

function connect(options: Partial<SocketOptions> = {}): GameSocket {
  const { url } = server
  const socket = connectSocket({ url, token: TOKEN, clock, random: () => 0.5, ...options })
  sockets.push(socket)
  return socket
}

/** The next event of a kind. */
function next<Kind extends keyof SocketEvents>(
  socket: GameSocket,
  kind: Kind,
): Promise<SocketEvents[Kind]> {
  return new Promise((resolve) => {
    const stop = socket.on(kind, (event) => {
      stop()
      resolve(event)
    })
  })
}

/** How a closing by the server ends for the client. */
async function ending(
  code: number,
  options: Partial<SocketOptions> = {},
): Promise<{ socket: GameSocket; loss: Disconnection }> {
  const socket = connect(options)
  const lost = next(socket, 'disconnected')
  const side = await server.socket()
  await socket.opened
  side.close(code, 'why')
  return { socket, loss: await lost }
}

describe('a lost connection', () => {
  it('is opened again after the reported wait, with the token', async () => {
    const { socket, loss } = await ending(CLOSE_CODES.shutdown)
    expect(loss).toEqual({ code: 1001, reason: 'why', retryMs: 250, error: undefined })
    clock.pass(249)
    expect(server.count).toBe(1)
    const welcomed = next(socket, 'welcome')
    clock.pass(1)
    expect((await server.socket()).offers).toEqual(['orrery.v1', `bearer.${TOKEN}`])
    expect(await welcomed).toEqual(WELCOME)
  })

  it('is opened again at once when the wait is ended, and only once', async () => {
    let made = 0
    const counted = class extends WebSocket {
      constructor(...parts: ConstructorParameters<typeof WebSocket>) {
        super(...parts)
        made++
      }
    }
    const { socket } = await ending(CLOSE_CODES.shutdown, { WebSocket: counted })
    const welcomed = next(socket, 'welcome')
    socket.reconnect()
    expect(await welcomed).toEqual(WELCOME)
    clock.pass(250)
    await new Promise(setImmediate)
    expect(made).toBe(2)
  })

  it('waits up to 0.5, 1, 2, 4, 8, 16, 30, 30 … seconds while it fails', async () => {
    await server.close()
    const socket = connect({ random: () => 1 - 2 ** -53 })
    const waits: number[] = []
    for (let attempt = 0; attempt < 9; attempt++) {
      const { retryMs = NaN } = await next(socket, 'disconnected')
      waits.push(Math.round(retryMs))
      clock.pass(retryMs)
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('waits longer after less than 10 seconds, and shortly else', async () => {
    const { socket, loss } = await ending(CLOSE_CODES.slow)
    const waits = [loss.retryMs]
    for (const openMs of [0, 0, 10_000]) {
      const lost = next(socket, 'disconnected')
      const welcomed = next(socket, 'welcome')
      clock.pass(waits.at(-1) ?? NaN)
      const side = await server.socket()
      await welcomed
      side.send(tickMessage(42, 0))
      await next(socket, 'tick')
      clock.pass(openMs)
      side.close(CLOSE_CODES.slow)
      waits.push((await lost).retryMs)
    }
    expect(waits).toEqual([250, 500, 1000, 250])
  })

  it('subscribes to its view again, then resumes with era and last tick', async () => {
    const socket = connect({ view: { rate: 2 } })
    const first = await server.socket()
    expect(await first.next('subscribe')).toMatchObject({ rate: 2 })
    first.send({ type: 'subscribed', rate: 2 })
    first.send(tickMessage(57, 0, 3))
    await next(socket, 'tick')
    first.cut()
    clock.pass((await next(socket, 'disconnected')).retryMs ?? NaN)
    const second = await server.socket()
    const resume = await second.next('resume')
    expect(second.received.map(({ type }) => type)).toEqual(['subscribe', 'resume'])
    expect(resume).toMatchObject({ era: 3, tick: 57 })
    const resumed = next(socket, 'resumed_session')
    const { id } = resume
    second.send({
      type: 'resumed_session',
      ...(id !== undefined && { id }),
      era: 3,
      tick: 60,
      gap: 3,
      valid: true,
    })
    expect(await resumed).toMatchObject({ gap: 3, valid: true })
    expect(first.received.map(({ type }) => type)).toEqual(['subscribe'])
  })

  it('resumes from the last restored world', async () => {
    const socket = connect()
    const first = await server.socket()
    first.send(tickMessage(57, 0))
    first.send({ type: 'reset', era: 2, tick: 0, game_time: WELCOME.game_time })
    await next(socket, 'reset')
    first.cut()
    clock.pass((await next(socket, 'disconnected')).retryMs ?? NaN)
    expect(await (await server.socket()).next('resume')).toMatchObject({ era: 2, tick: 0 })
  })

  it('is noticed when the server falls silent', async () => {
    const socket = connect()
    await server.socket()
    await socket.opened
    const lost = next(socket, 'disconnected')
    // The local server answers no ping.
    clock.pass(20_000)
    expect(await lost).toMatchObject({ code: 1006, reason: 'the server is silent' })
  })

  it('is noticed when no welcome comes', async () => {
    await server.close()
    server = await localServer({ greets: false })
    const socket = connect()
    await server.socket()
    const lost = next(socket, 'disconnected')
    clock.pass(10_000)
    expect(await lost).toMatchObject({ code: 1006 })
  })

  it.each(['no JSON', '[]', '{"type":"tick","tick":1}', '{"type":"pong","server_time":"now"}'])(
    'follows %s',
    async (text) => {
      const socket = connect()
      const side = await server.socket()
      await socket.opened
      const lost = next(socket, 'disconnected')
      side.sendText(text)
      expect(await lost).toMatchObject({ code: 1002, error: undefined })
    },
  )
})

describe('there is no other attempt', () => {
  it.each([
    ['replaced', 'closed'],
    ['expired', 'E005'],
    ['accountDeleted', 'E014'],
    ['passwordReset', 'E005'],
  ] as const)('after %s', async (name, code) => {
    const { socket, loss } = await ending(CLOSE_CODES[name])
    expect(loss).toMatchObject({ code: CLOSE_CODES[name], retryMs: undefined, error: { code } })
    expect(clock.waits()).toEqual([])
    await expect(socket.control({ thrust_level: 0 })).rejects.toMatchObject({ code: 'closed' })
  })

  it('after its own close', async () => {
    const socket = connect()
    await server.socket()
    await socket.opened
    const lost = next(socket, 'disconnected')
    socket.close()
    expect(await lost).toMatchObject({ code: 1000, retryMs: undefined, error: { code: 'closed' } })
    expect(clock.waits()).toEqual([])
  })

  it('after a close before anything came', async () => {
    const socket = connect()
    socket.close()
    await expect(socket.opened).rejects.toMatchObject({ code: 'closed' })
    expect(clock.waits()).toEqual([])
  })

  it('when the server refuses the token, which no error quotes', async () => {
    server.refuseSockets()
    const body = '{"error":{"code":"E005","message":"Authentication failed"}}'
    server.reply(() => ({ status: 401, body }))
    const socket = connect()
    const { retryMs, error } = await next(socket, 'disconnected')
    expect(retryMs).toBeUndefined()
    expect(error).toMatchObject({ code: 'E005' })
    expect(String(error?.stack)).not.toContain('secret')
    await expect(socket.opened).rejects.toBe(error)
  })

  it('with a token that cannot be sent, which no error quotes', async () => {
    const { error } = await next(connect({ token: 'se cret' }), 'disconnected')
    expect(error).toMatchObject({ code: 'E005' })
    expect(String(error?.stack)).not.toContain('cret')
  })

  it('with a URL that is not one', () => {
    expect(() => connect({ url: 'nowhere' })).toThrow(TypeError)
  })

  it('when the token function is refused', async () => {
    const token = (): Promise<string> => Promise.reject(new ClientError('E005', 'Wrong password'))
    await expect(connect({ token }).opened).rejects.toMatchObject({ message: 'Wrong password' })
  })
})

describe('there is another attempt', () => {
  it('when a refused handshake does not mean a refused token', async () => {
    server.refuseSockets()
    const body = '{"error":{"code":"E006","message":"No such ship"}}'
    server.reply((request) => (request.includes('player') ? { status: 404, body } : undefined))
    const { retryMs } = await next(connect(), 'disconnected')
    expect(retryMs).toBe(250)
    expect(server.requests.toSorted()).toEqual(['GET /api/admin/status', 'GET /api/player/rules'])
  })

  it('with a new token when the old one expired and a function gives it', async () => {
    let given = 0
    const token = (): Promise<string> => Promise.resolve(`token-${++given}`)
    const { loss } = await ending(CLOSE_CODES.expired, { token })
    clock.pass(loss.retryMs ?? NaN)
    expect((await server.socket()).offers).toEqual(['orrery.v1', 'bearer.token-2'])
  })

  it('when the token function cannot reach the server', async () => {
    const token = (): Promise<string> => Promise.reject(new ClientError('network', 'No answer'))
    expect(await next(connect({ token }), 'disconnected')).toMatchObject({ retryMs: 250 })
  })
})
