// Goal: a player has one socket over all gateways, is online at each of them, and what happens to
// his ship is shown to him once, wherever he is. Method: the sockets of two engines with the same
// ships and accounts, on one bus that may lose all that one of them says.
import { createLocalBus } from '@orrery/bus'
import { createPresence } from '@orrery/game'
import { CLOSE_CODES } from '@orrery/protocol'
import { type SimulatedClock, simulatedClock } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type PlayerSocket, openSocket } from '../player-client.ts'
import { type SocketServer, shipEvent, usedSocketServers } from './socket-server.ts'
import { START_MS } from './small-universe.ts'

const open = usedSocketServers()

interface Gateway extends SocketServer {
  /** of what it says to others */
  readonly presenceClock: SimulatedClock
  /** nothing that it says arrives from now on, or all of it again */
  lose(isLost: boolean): void
}

async function openGateway(
  bus: ReturnType<typeof createLocalBus>,
  utcMs: number,
): Promise<Gateway> {
  const presenceClock = simulatedClock(utcMs)
  let isLosing = false
  const it = await open({
    joinOthers: (receiver) =>
      createPresence({
        ...receiver,
        process: randomUUID(),
        clock: presenceClock,
        bus: {
          publish: (...message) => {
            if (!isLosing) bus.publish(...message)
          },
          subscribe: (...wanted) => bus.subscribe(...wanted),
        },
      }),
  })
  const lose = (isLost: boolean): void => {
    isLosing = isLost
  }
  return { ...it, presenceClock, lose }
}

/** Two gateways, the clock of the second 10 s behind, and a player of both with a ship. */
async function twoGateways() {
  const bus = createLocalBus()
  const [a, b] = [await openGateway(bus, START_MS), await openGateway(bus, START_MS - 10_000)]
  const join = async (): Promise<{ readonly token: string; readonly ship: string }> => {
    const [ship] = await Promise.all([a.launch(), b.launch()])
    const token = a.join(ship)
    b.shipOf.set(token, ship)
    return { token, ship }
  }
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) {
      for (const { presenceClock } of [a, b]) await presenceClock.advance(500)
    }
  }
  return { a, b, join, pass }
}

/** What has happened to the ship, as its pilot was sent it so far. */
async function eventsOf(pilot: PlayerSocket): Promise<readonly string[]> {
  // Its answer follows all that was sent before.
  await pilot.answer({ type: 'ping' })
  return pilot.messages.flatMap((message) => (message.type === 'event' ? [message.event] : []))
}

test('of the sockets of a player the last one stays, whatever clocks say', async () => {
  const { a, b, join } = await twoGateways()
  const { token } = await join()
  let before = await openSocket(a, token)
  for (const next of [b, a, b]) {
    const player = await openSocket(next, token)
    expect(await before.closed).toEqual({ code: CLOSE_CODES.replaced, reason: 'replaced' })
    before = player
  }
  expect((await before.answer({ type: 'ping' })).type).toBe('pong')
  expect([a.sockets.online(), b.sockets.online()]).toEqual([1, 1])
})

test('what was lost on the way is known again', async () => {
  const { a, b, join, pass } = await twoGateways()
  const { token } = await join()
  for (const gateway of [a, b]) gateway.lose(true)
  const at = [await openSocket(b, token), await openSocket(a, token)]
  expect([a.sockets.online(), b.sockets.online()]).toEqual([1, 1])
  for (const gateway of [a, b]) gateway.lose(false)
  await pass(6000)
  expect((await at[0]?.closed)?.code).toBe(CLOSE_CODES.replaced)
  expect((await at[1]?.answer({ type: 'ping' }))?.type).toBe('pong')
  await expect.poll(() => b.sockets.online()).toBe(1)
})

test('players are online at all gateways, and those of a dead one at none', async () => {
  const { a, b, join, pass } = await twoGateways()
  const [one, two] = [await join(), await join()]
  await openSocket(a, one.token)
  await openSocket(b, two.token)
  for (const { sockets } of [a, b]) {
    await expect.poll(() => sockets.online()).toBe(2)
    expect([one, two].map(({ token }) => sockets.isOnline(token))).toEqual([true, true])
  }
  await pass(20_000)
  expect(b.sockets.online()).toBe(2)
  // Observers are not counted, and replace no other socket.
  const admin = a.joinAdmin()
  await openSocket(a, admin)
  await pass(6000)
  expect([a.sockets.online(), b.sockets.isOnline(admin)]).toEqual([2, false])
  a.lose(true)
  await pass(5000)
  expect([b.sockets.online(), b.sockets.isOnline(one.token)]).toEqual([1, false])
  a.lose(false)
  await pass(6000)
  expect(b.sockets.online()).toBe(2)
})

test('a gateway that begins later knows who is there', async () => {
  const bus = createLocalBus()
  const first = await openGateway(bus, START_MS)
  await openSocket(first, first.join(await first.launch()))
  const later = await openGateway(bus, START_MS)
  // What no process of this release says changes nothing.
  for (const said of ['', '{"kind":"gone"}', '{"kind":"left","from":1}', '\u{1f680}']) {
    bus.publish('ctl.presence', new TextEncoder().encode(said))
  }
  await expect.poll(() => later.sockets.online()).toBe(1)
})

test('what happens to a ship is shown once to its pilot, wherever he is', async () => {
  const { a, b, join } = await twoGateways()
  const { token, ship } = await join()
  const happens = (kind: Parameters<typeof shipEvent>[1]): void => {
    for (const { sockets } of [a, b]) sockets.sendToPilot(shipEvent(ship, kind))
  }
  happens('docked')
  const atB = await openSocket(b, token)
  expect(await eventsOf(atB)).toEqual(['docked'])
  await expect.poll(() => a.sockets.isOnline(token)).toBe(true)
  happens('undocked')
  expect(await eventsOf(atB)).toEqual(['docked', 'undocked'])
  const atA = await openSocket(a, token)
  expect(await eventsOf(atA)).toEqual([])
  await atA.close()
  await expect
    .poll(() => [a, b].map(({ sockets }) => sockets.isOnline(token)))
    .toEqual([false, false])
  happens('impact')
  expect(await eventsOf(await openSocket(a, token))).toEqual(['impact'])
  expect(await eventsOf(await openSocket(b, token))).toEqual([])
})
