// The client's estimate of the game's clock: right to within the way's own delay, still while the
// game is paused, and not put back by messages that come late.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type GameSocket, connectSocket } from '../src/index.ts'
import {
  type LocalServer,
  type ServerSide,
  WELCOME,
  localServer,
  tickMessage,
} from './local-server.ts'
import { type SimulatedClock, simulatedClock } from './simulated-clock.ts'

const START_MS = Date.parse(WELCOME.game_time)

let server: LocalServer
let clock: SimulatedClock
let socket: GameSocket
let side: ServerSide

beforeEach(async () => {
  server = await localServer()
  clock = simulatedClock()
  socket = connectSocket({ url: server.url, token: 'a.b.c', clock })
  side = await server.socket()
  await socket.opened
})

afterEach(async () => {
  socket.close()
  await server.close()
})

type Message = Parameters<ServerSide['send']>[0]

/** Sends a message, and waits until the client has received it. */
async function send(message: Message): Promise<void> {
  const received = new Promise<void>((resolve) => socket.on(message.type, () => resolve()))
  side.send(message)
  await received
}

/** Game time since the welcome [ms]. */
function elapsed(): number {
  return (socket.gameTimeNow() ?? NaN) - START_MS
}

function clockMessage(scale: number, paused: boolean, gameTimeMs: number): Message {
  return {
    type: 'clock',
    tick_rate: 1,
    time_scale: scale,
    effective_time_scale: scale,
    paused,
    game_time: new Date(START_MS + gameTimeMs).toISOString(),
  }
}

it('goes on from the welcome at its scale', async () => {
  expect(elapsed()).toBe(0)
  clock.pass(1500)
  expect(elapsed()).toBe(1500)
})

it('is right at once between slow ticks', async () => {
  const game_time = new Date(START_MS).toISOString()
  await send({ ...tickMessage(42, START_MS), effective_time_scale: 10, age: 5 })
  expect(elapsed()).toBe(50_000)
  await send({ ...clockMessage(2, false, 0), game_time, age: 5 } as Message)
  expect(elapsed()).toBe(10_000)
  clock.pass(5000)
  await send({ ...tickMessage(43, START_MS + 20_000), effective_time_scale: 2 })
  expect(elapsed()).toBe(20_000)
})

it('follows the scale, and stops while paused', async () => {
  await send(clockMessage(10, false, 0))
  clock.pass(100)
  expect(elapsed()).toBe(1000)
  const game_time = new Date(START_MS + 1100).toISOString()
  await send({ type: 'paused', tick: 1, game_time })
  clock.pass(5000)
  expect(elapsed()).toBe(1100)
  await send({ type: 'resumed', tick: 1, game_time })
  clock.pass(10)
  expect(elapsed()).toBe(1200)
  await send(clockMessage(1, true, 1200))
  clock.pass(10)
  expect(elapsed()).toBe(1200)
})

it('counts from the message that was quickest', async () => {
  // Ticks of a second each that come 30, 0, 400 and 90 ms late.
  let nowMs = 0
  for (const [i, lateMs] of [30, 0, 400, 90].entries()) {
    const dueMs = 1000 * (i + 1)
    clock.pass(dueMs + lateMs - nowMs)
    nowMs = dueMs + lateMs
    await send(tickMessage(42 + i, START_MS + dueMs))
    expect(elapsed()).toBe(nowMs)
  }
})

it('drops readings that are too old', async () => {
  // The server dropped 3 s of game time: after 16 ticks nothing of before counts.
  for (let i = 1; i <= 16; i++) {
    clock.pass(1000)
    await send(tickMessage(41 + i, START_MS + 1000 * i - 3000))
  }
  expect(elapsed()).toBe(13_000)
})

it('restarts in another era', async () => {
  clock.pass(1000)
  await send({ type: 'restored', era: 2, tick: 7, game_time: '2030-01-01T00:00:00.000Z' })
  expect(socket.gameTimeNow()).toBe(Date.UTC(2030, 0, 1))
})

it.each([true, false])(
  'in another world it runs as the clock message states, paused: %s',
  async (paused) => {
    const game_time = new Date(START_MS).toISOString()
    if (!paused) await send({ type: 'paused', tick: 1, game_time })
    await send({ type: 'reset', era: 2, tick: 0, game_time })
    await send(clockMessage(1, paused, 0))
    clock.pass(1000)
    expect(elapsed()).toBe(paused ? 0 : 1000)
  },
)

it('adds the delay of a message, and measures the offset of the clocks', async () => {
  const sentMs = clock.utcMs()
  expect(socket.roundTripMs).toBeUndefined()
  clock.pass(80)
  await send({ type: 'pong', client_time: sentMs, server_time: sentMs + 40 + 5000 })
  expect(socket.roundTripMs).toBe(80)
  expect(socket.clockOffsetMs).toBe(5000)
  expect(elapsed()).toBe(80 + 40)
  // A slower pong is a worse witness.
  clock.pass(1000)
  await send({ type: 'pong', client_time: sentMs, server_time: sentMs + 4000 })
  expect(socket.roundTripMs).toBe(1080)
  expect(socket.clockOffsetMs).toBe(5000)
})
