// Goal: what a client can make the server send is bounded, however little it sends. Method: real
// connections to the sockets of a real engine with 256 ships, on simulated clocks.
import { expect, test } from 'vitest'
import { type PlayerSocket, openSocket } from '../player-client.ts'
import { usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

test('frames that a client asks for come once a second, however often it asks', async () => {
  const it = await open()
  const [own] = await it.launchMany(256)
  const socket = await openSocket(it, it.join(own))
  const { byteLength } = Buffer.from(JSON.stringify(await socket.next('tick')))
  const asks = [{ type: 'subscribe' }, { type: 'resume', era: 1, tick: 1 }]
  for (let second = 0; second < 5; second++) {
    for (let i = 0; i < 30; i++) {
      socket.send(asks[i % 2])
      await it.clock.advance(1000 / 30)
    }
    await socket.answer({ type: 'ping' })
  }
  const frames = socket.messages.filter(({ type }) => type === 'tick')
  expect(frames.length).toBeGreaterThan(1 + 3)
  expect(frames.length).toBeLessThanOrEqual(1 + 6)
  const { bytesSent } = it.sockets.metrics().wires.json
  expect(bytesSent).toBeLessThan(8 * byteLength)
})

test('frames beyond the budget of a socket are left out until it fills', async () => {
  const it = await open({ jsonBudget: 16_384 })
  const [own] = await it.launchMany(256)
  const opened = async (narrowing: object): Promise<PlayerSocket> => {
    const socket = await openSocket(it, it.join(own))
    await it.clock.advance(1000)
    await socket.next('tick')
    socket.send({ type: 'subscribe', ...narrowing })
    await socket.next('subscribed')
    return socket
  }
  const [flooded, frugal] = [await opened({}), await opened({ ids: [] })]
  const count = async (socket: PlayerSocket): Promise<number> => {
    await socket.answer({ type: 'ping' })
    return socket.messages.filter(({ type }) => type === 'tick').length
  }
  // 131 kB can be spent at once, and a frame of all ships has about as many.
  await it.clock.advance(25_000)
  const before = [await count(flooded), await count(frugal)]
  for (let second = 0; second < 10; second++) {
    await it.tick()
    await it.clock.advance(1000)
  }
  expect(await count(flooded)).toBeGreaterThan(before[0])
  expect(await count(flooded)).toBeLessThan(before[0] + 5)
  expect(await count(frugal)).toBe(before[1] + 10)
  await it.clock.advance(10_000)
  await it.tick()
  await flooded.next('tick', ({ tick }) => tick === it.engine.status().tick)
})
