// Goal: a client that does not read costs only itself: the latest frame waits for it, and all texts
// in order; after ten seconds or a megabyte it is closed with 4002. One that floods is closed with
// 4005, a lost one is cut off; no other client misses a tick. Method: raw connections that stop
// reading, a simulated clock, and a witness.
import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type PlayerSocket, openSocket } from '../player-client.ts'
import { closeCode, frame, framesIn, rawSocket } from '../raw-connection.ts'
import { type SocketServer, openSocketServer } from './socket-server.ts'

const TEXT = 0x81
const PING = 0x89
const PONG = 0x8a

let it: SocketServer

afterEach(async () => {
  await it.close()
  if (it.errors.length > 0) throw it.errors[0]
})

/** A server with frames of a quarter of a megabyte, a witness, and a client that never reads. */
async function stalled(): Promise<{ witness: PlayerSocket; socket: Socket; token: string }> {
  it = await openSocketServer({ jsonBudget: 1e12 })
  // The longest names.
  const [shipId] = await it.launchMany(256, '🚀'.repeat(32))
  const witness = await openSocket(it, it.join())
  await witness.next('tick')
  const token = it.join(shipId)
  const socket = await rawSocket(it.port, token)
  socket.pause()
  return { witness, socket, token }
}

/** Publishes until a frame had to be dropped. */
async function fillUp(witness: PlayerSocket): Promise<void> {
  for (let i = 0; it.sockets.metrics().wires.json.framesDropped === 0; i++) {
    if (i > 500) throw new Error('A client that reads nothing drains for ever')
    await publish(witness)
  }
}

/** The witness gets each tick. */
async function publish(witness: PlayerSocket): Promise<void> {
  await it.tick()
  expect((await witness.next('tick')).tick).toBe(it.engine.status().tick)
}

interface Received {
  readonly type: string
  readonly tick?: number
  readonly id?: number
  readonly ships?: readonly { readonly ship_id: string }[]
}

/** Messages of the server on a raw connection, as they arrive. */
function messagesOn(socket: Socket): Received[] {
  const messages: Received[] = []
  let bytes = Buffer.alloc(0)
  socket.on('data', (piece: Buffer) => {
    const { frames, rest } = framesIn(Buffer.concat([bytes, piece]))
    bytes = Buffer.from(rest)
    for (const { first, payload } of frames) {
      if (first === TEXT) messages.push(JSON.parse(payload.toString()))
    }
  })
  return messages
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

test('a stalled client gets the latest frame, and all other messages in order', async () => {
  const { witness, socket } = await stalled()
  await fillUp(witness)
  const queued = it.sockets.metrics().bytesQueued
  const ping = (id: number): Buffer => frame(TEXT, Buffer.from(`{"type":"ping","id":${id}}`))
  const controls = Array.from({ length: 20 }, () => frame(PING, Buffer.alloc(100)))
  socket.write(Buffer.concat([...controls, ...[1, 2, 3, 4, 5].map(ping)]))
  const { messagesTaken } = it.sockets.metrics()
  await until(() => it.sockets.metrics().messagesTaken === messagesTaken + 5)
  for (let i = 0; i < 50; i++) await publish(witness)
  // Five pongs have joined the one frame under way, no second frame and no control frame.
  expect(it.sockets.metrics().bytesQueued - queued).toBeLessThan(1000)

  const messages = messagesOn(socket)
  socket.resume()
  const latest = it.engine.status().tick
  await until(() => messages.some(({ tick }) => tick === latest))
  const ticks = messages.flatMap(({ type, tick }) => (type === 'tick' ? [tick!] : []))
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b))
  // One after the other while it drained, then the gap.
  expect(latest - ticks.at(-2)!).toBeGreaterThanOrEqual(50)
  for (const [i, tick] of ticks.slice(2, -1).entries()) expect(tick - ticks[i + 1]).toBe(1)
  const pongs = messages.flatMap(({ type, id }) => (type === 'pong' ? [id] : []))
  expect(pongs).toEqual([1, 2, 3, 4, 5])
  expect(messages.at(-1)).toMatchObject({ type: 'tick', tick: latest })
  await publish(witness)
  await until(() => messages.at(-1)?.tick === latest + 1)
  socket.destroy()
})

test('frames that wait for one client are not overwritten by those for another', async () => {
  const { witness } = await stalled()
  // More ships than one view holds: each client gets a frame of its own.
  const spread = await it.launchMany(600)
  const pilots = await Promise.all(
    [spread[0], spread[300], spread[599]].map(async (shipId) => {
      const socket = await rawSocket(it.port, it.join(shipId))
      socket.pause()
      return { shipId, socket, messages: messagesOn(socket) }
    }),
  )
  for (let i = 0; i < 100; i++) await publish(witness)
  for (const { socket } of pilots) socket.resume()
  for (const { shipId, socket, messages } of pilots) {
    await until(() => messages.at(-1)?.tick === it.engine.status().tick)
    const frames = messages.filter(({ type }) => type === 'tick')
    for (const { ships } of frames) {
      expect(ships?.some(({ ship_id: id }) => id === shipId)).toBe(true)
    }
    socket.destroy()
  }
})

test('after ten seconds a stalled client is closed with 4002', async () => {
  const { witness, socket, token } = await stalled()
  await fillUp(witness)
  await it.clock.advance(9_900)
  await publish(witness)
  expect(it.sockets.isOnline(token)).toBe(true)
  await it.clock.advance(200)
  await publish(witness)
  expect(it.sockets.isOnline(token)).toBe(false)
  expect(it.sockets.metrics().closed.slow).toBe(1)
  expect(it.sockets.metrics().bytesQueued).toBe(0)
  const code = closeCode(socket)
  socket.resume()
  expect(await code).toBe(4002)
})

test('a client that sends and does not read is closed before a megabyte of answers', async () => {
  const { witness, socket, token } = await stalled()
  await fillUp(witness)
  const id = 'x'.repeat(64)
  const ping = frame(TEXT, Buffer.from(`{"type":"ping","id":"${id}"}`))
  // 40 a second, the highest allowed rate, until ten seconds have passed.
  let most = 0
  for (let i = 0; i < 500 && it.sockets.isOnline(token); i++) {
    const { messagesTaken } = it.sockets.metrics()
    socket.write(ping)
    await until(
      () => it.sockets.metrics().messagesTaken > messagesTaken || !it.sockets.isOnline(token),
    )
    most = Math.max(most, it.sockets.metrics().bytesQueued)
    await it.clock.advance(25)
  }
  expect(it.sockets.metrics().closed.slow).toBe(1)
  expect(most).toBeLessThan(1_048_576)
  await publish(witness)
  socket.destroy()
})

test('a stalled client is closed with 4002 at a megabyte of texts, at once', async () => {
  const { witness, socket, token } = await stalled()
  await fillUp(witness)
  const queued = it.sockets.metrics().bytesQueued
  const message = 'x'.repeat(50_000)
  let most = 0
  for (let i = 0; i < 100 && it.sockets.isOnline(token); i++) {
    it.sockets.broadcast({ type: 'error', code: 'E008', message })
    await witness.next('error')
    most = Math.max(most, it.sockets.metrics().bytesQueued - queued)
  }
  expect(it.sockets.metrics().closed.slow).toBe(1)
  // A megabyte, or four of its frames, less the one under way and the one behind it.
  expect(most).toBeGreaterThan(500_000)
  expect(most).toBeLessThan(1_500_000)
  await publish(witness)
  socket.destroy()
})

test('a flood of ping frames or of pongs is closed with 4005, and few are answered', async () => {
  const { witness, socket: stalling } = await stalled()
  const flood = async (opcode: number): Promise<void> => {
    const socket = await rawSocket(it.port, it.join())
    const messages = messagesOn(socket)
    const code = closeCode(socket)
    socket.write(Buffer.concat(Array.from({ length: 300 }, () => frame(opcode, Buffer.from('x')))))
    expect(await code).toBe(4005)
    expect(messages.filter(({ type }) => type === 'error')).toHaveLength(1)
  }
  // At once: the server waits two seconds for the answer to each close.
  await Promise.all([flood(PING), flood(PONG)])
  expect(it.sockets.metrics().closed.flooding).toBe(2)
  expect(it.sockets.metrics().messagesRefused).toBe(400)
  await publish(witness)
  stalling.destroy()
})

test('a lost connection is cut off at the second heartbeat', async () => {
  const { witness, socket, token } = await stalled()
  const asked = new Promise((resolve) => witness.socket.once('ping', resolve))
  await it.clock.advance(30_000)
  await asked
  await witness.answer({ type: 'ping' })
  expect(it.sockets.isOnline(token)).toBe(true)
  await it.clock.advance(30_000)
  expect(it.sockets.isOnline(token)).toBe(false)
  expect(it.sockets.metrics().closed.lost).toBe(1)
  await publish(witness)
  socket.destroy()
})

test('the time of fan-out counts clients that drain', async () => {
  const { witness, socket } = await stalled()
  await fillUp(witness)
  await until(() => it.fanOuts.length > 0)
  const before = it.fanOuts.length
  await publish(witness)
  await it.clock.advance(5000)
  await publish(witness)
  await publish(witness)
  expect(it.fanOuts.length).toBeGreaterThanOrEqual(before + 2)
  // The simulated clock does not move from a tick's end to its last frame.
  expect(Math.max(...it.fanOuts)).toBe(0)
  expect(it.sockets.metrics().fanOutMs).toBe(0)
  socket.destroy()
})

test('bytes are counted, not characters', async () => {
  it = await openSocketServer({ jsonBudget: 1e12 })
  const witness = await openSocket(it, it.join())
  await witness.next('tick')
  const sent = (): number => it.sockets.metrics().wires.json.bytesSent
  const before = sent()
  it.sockets.broadcast({ type: 'shutdown', message: 'Щ'.repeat(100) })
  const { message } = await witness.next('shutdown')
  const text = JSON.stringify({ type: 'shutdown', message })
  expect(sent() - before).toBe(Buffer.byteLength(text))
  expect(sent() - before).toBe(text.length + 100)
})
