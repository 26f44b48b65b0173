// Goal: one address does not take every place, whoever has one keeps it, and a connection that is
// reset at any step of its handshake leaves none taken. Method: real connections from one address,
// a simulated clock.
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openSocket, refusedHandshake } from '../player-client.ts'
import { type SocketServer, usedSocketServers } from './socket-server.ts'

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
    const observer = await openSocket(it, it.joinAdmin())
    expect(await refusedHandshake(it, bearer(it.join()))).toMatchObject({ status })
    for (const socket of [taken, observer, sockets[1]]) await socket.close()
    // The places of all four are free again.
    const later = it.join()
    await expect.poll(() => openSocket(it, later).then(Boolean, () => false)).toBe(true)
    expect(it.sockets.online()).toBe(1)
  }
})

/** Steps of a handshake; each resolves where its connection is to be reset. */
const STEPS: readonly (readonly [
  step: string,
  reach: (it: SocketServer, socket: Socket) => Promise<unknown>,
])[] = [
  ['before it begins', (_, socket) => once(socket, 'connect')],
  [
    'within its header',
    async (it, socket) => {
      const text = handshake(it.join())
      await new Promise((resolve) => socket.write(text.slice(0, text.length / 2), resolve))
    },
  ],
  ...[0, 1, 3, 30].map(
    (turns) =>
      [
        `${turns} turns after its header`,
        async (it: SocketServer, socket: Socket) => {
          socket.write(handshake(it.join()))
          await once(socket, 'connect')
          for (let i = 0; i < turns; i++) await turn()
        },
      ] as const,
  ),
  [
    'after its answer',
    async (it, socket) => {
      socket.write(handshake(it.join()))
      const [answer] = await once(socket, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /)
    },
  ],
]

test.each(STEPS)('a handshake that is reset %s leaves no place taken', async (_, reach) => {
  const it = await open({ socketsMax: 4, socketsPerAddress: 4 })
  const bystander = await openSocket(it, it.join())
  for (let round = 0; round < 20; round++) {
    const socket = connect(it.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await reach(it, socket)
    socket.resetAndDestroy()
  }
  await expect.poll(() => it.sockets.metrics().seats).toBe(1)
  const player = await openSocket(it, it.join())
  await expect.poll(() => it.sockets.metrics()).toMatchObject({ seats: 2, players: 2 })
  await player.close()
  await bystander.close()
})

test('handshakes that are reset while their tokens are checked leave no place taken', async () => {
  const it = await open({ socketsMax: 4, socketsPerAddress: 4 })
  for (let round = 0; round < 20; round++) {
    const release = it.holdChecks()
    const socket = connect(it.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(handshake(it.join()))
    await it.heldChecks(1)
    socket.resetAndDestroy()
    release()
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

test('handshakes beyond the maximum are 503, beyond the rate of an address 429', async () => {
  const full = await open({ socketsMax: 2 })
  const sockets = [await openSocket(full, full.join()), await openSocket(full, full.join())]
  const bearer = (it: SocketServer) => ({ authorization: `Bearer ${it.join()}` })
  const refused = await refusedHandshake(full, bearer(full))
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'E008' } } })
  await sockets[0].close()
  // Of two handshakes that are checked at once, one is accepted.
  const release = full.holdChecks()
  const racing = [full.join(), full.join()].map((token) => openSocket(full, token))
  await full.heldChecks(2)
  release()
  const outcomes = (await Promise.allSettled(racing)).map(({ status }) => status)
  expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(full.sockets.online()).toBe(2)

  const hasty = await open({ handshakesPerMinute: 3 })
  for (let i = 0; i < 3; i++) await openSocket(hasty, hasty.join())
  const late = await refusedHandshake(hasty, bearer(hasty))
  expect(late).toMatchObject({ status: 429, body: { error: { code: 'E004' } } })
  // Without a trusted proxy the header of a client changes nothing.
  const headers = { ...bearer(hasty), 'x-forwarded-for': '203.0.113.9' }
  expect(await refusedHandshake(hasty, headers)).toMatchObject({ status: 429 })
  expect(hasty.sockets.metrics().handshakesRefused).toEqual({ E004: 2 })
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
