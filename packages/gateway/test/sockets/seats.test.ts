// Goal: one address does not take every place, whoever has one keeps it, and a connection that is
// reset at any step of its handshake leaves none taken. Method: real connections from one address,
// a simulated clock.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSocket, refusedHandshake } from '../player-client.ts'
import { usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

test('of one address some sockets at once; takeovers and observers find a place', async () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  for (const [limits, status] of [
    [{ socketsMax: 9, socketsPerAddress: 2 }, 429],
    [{ socketsMax: 2 }, 503],
  ] as const) {
    const it = await open(limits)
    const [ida, jo] = [it.join(), it.join()]
    const sockets = [await openSocket(it, ida), await openSocket(it, jo)]
    expect(await refusedHandshake(it, bearer(it.join()))).toMatchObject({ status })
    const taken = await openSocket(it, ida)
    expect((await sockets[0].closed).code).toBe(4001)
    const observer = await openSocket(it, it.join('admin'))
    expect(await refusedHandshake(it, bearer(it.join()))).toMatchObject({ status })
    for (const socket of [taken, observer, sockets[1]]) await socket.close()
    // The places of all four are free again.
    const later = it.join()
    await expect.poll(() => openSocket(it, later).then(Boolean, () => false)).toBe(true)
    expect(it.sockets.online()).toBe(1)
  }
})

test.each([
  ['before its token is checked', 0],
  ['as its token is checked', 1],
  ['some turns after its token was checked', 3],
  ['as a socket', 30],
])('a handshake that is reset %s leaves no place taken', async (_, turns) => {
  const it = await open({ socketsMax: 4, socketsPerAddress: 4 })
  for (let round = 0; round < 20; round++) {
    const release = turns === 0 ? it.holdChecks() : undefined
    const socket = connect(it.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(handshake(it.join()))
    await new Promise((resolve) => socket.once('connect', resolve))
    if (release) await it.heldChecks(1)
    for (let i = 0; i < turns; i++) await turn()
    socket.resetAndDestroy()
    release?.()
  }
  await expect.poll(() => it.sockets.metrics().seats).toBe(0)
  const player = await openSocket(it, it.join())
  expect(it.sockets.metrics()).toMatchObject({ seats: 1, players: 1 })
  await player.close()
})

test('a connection that is over before its token is checked takes no place', async () => {
  const it = await open({ socketsMax: 4 })
  const release = it.holdChecks()
  const socket = connect(it.port, '127.0.0.1')
  socket.write(handshake(it.join()))
  await it.heldChecks(1)
  it.cutHandshakes()
  await once(socket, 'close')
  release()
  const player = await openSocket(it, it.join())
  expect(it.sockets.metrics()).toMatchObject({ seats: 1, players: 1 })
  await player.close()
})

function handshake(token: string): string {
  const lines = [
    'GET /ws HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Authorization: Bearer ${token}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
