// Goal: messages and closes are those of the protocol's page: welcome, frames at once, narrowing,
// observers, resume, every limit. Method: real connections to the sockets of a real engine, on
// simulated clocks.
import { JournalError } from '@orrery/game'
import { FRAME_BLOCKS } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { idsOf, openSocket, refusedHandshake } from '../player-client.ts'
import {
  type SocketServer,
  TICK_RATE,
  TOKEN_SECONDS,
  shipEvent,
  usedSocketServers,
} from './socket-server.ts'
import { START_MS } from './small-universe.ts'

const open = usedSocketServers()

test('a new client gets a welcome and a frame at once, then one per tick', async () => {
  const it = await open()
  const shipId = await it.launch('Ida', 'alpha')
  await it.launch()
  const token = it.join(shipId)
  const socket = await openSocket(it, token)
  expect(await socket.next('welcome')).toEqual({
    type: 'welcome',
    protocol: 'orrery.v1',
    era: 1,
    player_id: token,
    ship_id: shipId,
    system_id: 'alpha',
    server_name: 'Proving Ground',
    tick: 0,
    game_time: new Date(START_MS).toISOString(),
    tick_rate: TICK_RATE,
    time_scale: 1,
    effective_time_scale: 1,
    paused: false,
    age: 0,
  })
  const first = await socket.next('tick')
  expect(first).toMatchObject({ era: 1, tick: 0 })
  expect(idsOf(first)).toEqual([shipId])
  await it.tick()
  expect((await socket.next('tick')).tick).toBe(1)
  expect(it.sockets.online()).toBe(1)
  expect(it.sockets.isOnline(token)).toBe(true)
  expect(it.sockets.metrics()).toMatchObject({
    players: 1,
    observers: 0,
    wires: { json: { framesSent: 2 } },
  })
})

test('the first known sub-protocol is chosen; a binary one has a table and no ticks', async () => {
  const it = await open()
  const wanted = ['orrery.v1.binary', 'orrery.v1']
  const both = [wanted, wanted.toReversed(), ['orrery.v9', ...wanted]]
  for (const protocols of [...both, ['orrery.v1']]) {
    const socket = await openSocket(it, it.join(), { protocols })
    const chosen = protocols.find((name) => wanted.includes(name))
    const isBinary = chosen === 'orrery.v1.binary'
    expect(socket.socket.protocol).toBe(chosen)
    const welcome = await socket.next('welcome')
    expect(welcome.protocol).toBe(chosen)
    expect(welcome.frames).toEqual(isBinary ? FRAME_BLOCKS : undefined)
    await it.tick()
    await socket.answer({ type: 'ping' })
    expect(socket.messages.some(({ type }) => type === 'tick')).toBe(!isBinary)
    const seed = await socket.answer({ type: 'seed_request' })
    expect(seed).toMatchObject({ type: 'error', code: isBinary ? 'E006' : 'E003' })
  }
})

test('a client that joins during a tick gets its end, once; after a broken one, soon', async () => {
  const it = await open()
  const end = it.holdTicks()
  await it.tick()
  const socket = await openSocket(it, it.join())
  await socket.next('welcome')
  end()
  await socket.next('tick')
  await socket.answer({ type: 'ping' })
  await it.clock.advance(1000)
  expect(socket.messages.map(({ type }) => type)).toEqual(['welcome', 'tick', 'pong'])

  const fail = it.holdTicks()
  await it.tick()
  const other = await openSocket(it, it.join())
  await other.next('welcome')
  fail(new Error('broken'))
  await expect.poll(() => it.errors.splice(0)).toEqual([new Error('broken')])
  await it.clock.advance(200)
  expect((await other.next('tick')).tick).toBe(1)
})

test('late joiners are sent how old the game time is', async () => {
  const it = await open()
  it.engine.changeTickRate(0.1)
  await it.ticks.advance(5000)
  const socket = await openSocket(it, it.join())
  expect(await socket.next('welcome')).toMatchObject({ tick: 0, age: 5 })
  expect(await socket.next('tick')).toMatchObject({ tick: 0, age: 5 })
  await it.ticks.advance(2000)
  await it.clock.advance(2000)
  socket.send({ type: 'subscribe' })
  expect(await socket.next('tick')).toMatchObject({ tick: 0, age: 7 })
})

test('an observer chooses its system, cannot command and is not counted', async () => {
  const it = await open()
  const [here, there] = [await it.launch(), await it.launch('Ida', 'alpha')]
  const admin = it.joinAdmin()
  const observer = await openSocket(it, admin)
  expect(await observer.next('welcome')).toMatchObject({
    player_id: admin,
    ship_id: '',
    system_id: 'sol',
    observer: true,
  })
  expect(idsOf(await observer.next('tick'))).toEqual([here])
  expect(it.sockets.online()).toBe(0)
  expect(it.sockets.isOnline(admin)).toBe(false)
  expect(it.sockets.metrics()).toMatchObject({ players: 0, observers: 1 })

  await it.clock.advance(100)
  observer.send({ type: 'subscribe', id: 1, system_id: 'alpha' })
  const subscribed = { type: 'subscribed', id: 1, system_id: 'alpha' }
  expect(await observer.next('subscribed')).toEqual(subscribed)
  expect(idsOf(await observer.next('tick'))).toEqual([there])
  observer.send({ type: 'subscribe', ids: [here.toUpperCase()] })
  expect(await observer.next('subscribed')).toMatchObject({
    ids: [here],
    system_id: 'alpha',
  })
  await it.tick()
  expect(idsOf(await observer.next('tick'))).toEqual([])

  for (const [message, code] of [
    [{ type: 'ship_rename', name: 'Mine' }, 'E003'],
    [{ type: 'control', thrust_level: 1 }, 'E003'],
    [{ type: 'maneuver_abort' }, 'E003'],
    [{ type: 'subscribe', system_id: 'nowhere' }, 'E002'],
    [{ type: 'subscribe', radius: 1 }, 'E001'],
  ] as const) {
    expect(await observer.answer(message)).toMatchObject({ type: 'error', code })
  }
  it.sockets.broadcast({ type: 'paused', tick: 1, game_time: '2026-03-01T12:00:00.000Z' })
  await observer.next('paused')
})

test('an admin has eight observers, a ninth replaces the oldest, and no player', async () => {
  const it = await open()
  const admin = it.joinAdmin()
  const player = it.join()
  const flying = await openSocket(it, player)
  const observers = []
  for (let i = 0; i < 9; i++) observers.push(await openSocket(it, admin))
  expect(await observers[0].closed).toEqual({ code: 4001, reason: 'replaced' })
  expect(it.sockets.metrics()).toMatchObject({ players: 1, observers: 8 })
  await it.tick()
  await Promise.all([...observers.slice(1), flying].map((socket) => socket.next('tick')))

  const reason = 'expired'
  it.sockets.disconnect(admin, { error: 'E005', close: 4003, reason, only: 'observers' })
  expect((await observers[8].next('error')).code).toBe('E005')
  for (const socket of observers.slice(1)) expect((await socket.closed).code).toBe(4003)
  expect(it.sockets.metrics()).toMatchObject({ players: 1, observers: 0 })
})

test('subscribe narrows by radius, ids, rate; without them it ends the narrowing', async () => {
  const it = await open()
  const own = await it.launch()
  await it.launchMany(3)
  const socket = await openSocket(it, it.join(own))
  const [[near, radius], [further], [far]] = othersOf(it, own)
  expect(idsOf(await socket.next('tick'))).toEqual([own, near, further, far].toSorted())
  const shown = async (narrowing: object): Promise<string[]> => {
    socket.send({ type: 'subscribe', id: 's', ...narrowing })
    expect(await socket.next('subscribed')).toEqual({ type: 'subscribed', id: 's', ...narrowing })
    await it.tick()
    const { tick } = it.engine.status()
    return idsOf(await socket.next('tick', (frame) => frame.tick === tick))
  }
  expect(await shown({ radius })).toEqual([own, near].toSorted())
  expect(await shown({ ids: [far, further] })).toEqual([own, far, further].toSorted())
  expect(await shown({ radius, ids: [far, near] })).toEqual([own, near].toSorted())
  expect(await shown({ ids: [] })).toEqual([own])
  expect(await shown({})).toEqual([own, near, further, far].toSorted())

  socket.send({ type: 'subscribe', id: 1, system_id: 'alpha' })
  expect(await socket.next('error')).toMatchObject({ id: 1, code: 'E003' })
  await it.clock.advance(2000)
  socket.skip()
  socket.send({ type: 'subscribe', rate: 2 })
  await socket.next('subscribed')
  await socket.next('tick')
  for (let tick = 0; tick < 32; tick++) {
    await it.tick()
    await it.clock.advance(1000 / TICK_RATE)
  }
  await socket.answer({ type: 'ping' })
  const behind = socket.messages.slice(
    socket.messages.findLastIndex((m) => m.type === 'subscribed'),
  )
  const ticks = behind.flatMap((m) => (m.type === 'tick' ? [m.tick] : []))
  expect(ticks).toHaveLength(1 + 7)
  for (const [i, tick] of ticks.slice(2).entries()) expect(tick - ticks[i + 1]).toBe(TICK_RATE / 2)
})

/** The other ships of the first system, the nearest first, each with a radius just beyond it. */
function othersOf({ engine }: SocketServer, own: string): [shipId: string, radius: number][] {
  const fleet = engine.sky().fleets.get('sol')!
  const at = fleet.view(fleet.indexOf(own)).position
  return fleet.ships
    .map(({ shipId }, i): [string, number] => {
      const { position } = fleet.view(i)
      return [shipId, 1.01 * Math.hypot(...position.map((x, axis) => x - at[axis]))]
    })
    .filter(([shipId]) => shipId !== own)
    .toSorted(([, a], [, b]) => a - b)
}

test('resume answers the gap and its validity, and sends a frame', async () => {
  const it = await open()
  const token = it.join()
  const first = await openSocket(it, token)
  await first.next('tick')
  first.socket.terminate()
  await it.tick()
  await it.tick()
  const socket = await openSocket(it, token)
  for (const [seen, answer] of [
    [
      { era: 1, tick: 0 },
      { gap: 2, valid: true },
    ],
    [
      { era: 1, tick: 2 },
      { gap: 0, valid: true },
    ],
    [
      { era: 1, tick: 3 },
      { gap: 0, valid: false },
    ],
    [
      { era: 0, tick: 0 },
      { gap: 0, valid: false },
    ],
  ]) {
    socket.skip()
    socket.send({ type: 'resume', id: 'r', ...seen })
    expect(await socket.next('resumed_session')).toEqual({
      type: 'resumed_session',
      id: 'r',
      era: 1,
      tick: 2,
      ...answer,
    })
    await it.clock.advance(1000)
    expect((await socket.next('tick')).tick).toBe(2)
  }
})

test('a change while paused sends a frame at once, and many changes send one', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join())
  await socket.next('tick')
  await it.clock.advance(1000)
  await it.engine.pause()
  await it.launchMany(50)
  await socket.next('tick')
  await it.clock.advance(1000)
  await socket.next('tick')
  await socket.answer({ type: 'ping' })
  expect(socket.messages.filter(({ type }) => type === 'tick')).toHaveLength(3)
})

test('a newer socket closes the older with 4001, whose messages are ignored', async () => {
  const it = await open()
  const shipId = await it.launch()
  const token = it.join(shipId)
  const older = await openSocket(it, token)
  await older.next('tick')
  const newer = await openSocket(it, token)
  older.send({ type: 'ping' })
  expect(await older.closed).toEqual({ code: 4001, reason: 'replaced' })
  await newer.next('welcome')
  expect(older.messages.map(({ type }) => type)).toEqual(['welcome', 'tick'])
  expect(it.sockets.online()).toBe(1)
  expect(it.sockets.metrics().closed.replaced).toBe(1)
  it.sockets.sendToPilot(shipEvent(shipId, 'impact'))
  expect(await newer.next('event')).toMatchObject({ event: 'impact' })
})

test('a disconnected player gets the reason, also during the check of a token', async () => {
  const it = await open()
  const token = it.join()
  const socket = await openSocket(it, token)
  it.sockets.disconnect(token, { error: 'E014', close: 4004, reason: 'account deleted' })
  expect(it.sockets.isOnline(token)).toBe(false)
  expect(await socket.next('error')).toMatchObject({ code: 'E014' })
  expect(await socket.closed).toEqual({ code: 4004, reason: 'account deleted' })

  const goOn = it.holdChecks()
  const asking = refusedHandshake(it, { authorization: `Bearer ${token}` })
  await it.heldChecks(1)
  it.sockets.disconnect(token, { close: 4006, reason: 'password reset' })
  goOn()
  expect((await asking).status).toBe(401)
  expect(it.sockets.online()).toBe(0)
})

test('a token that expires closes its socket with 4003, on the second', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join())
  await socket.next('welcome')
  const pings = TOKEN_SECONDS / 30
  for (let i = 1; i <= pings; i++) {
    expect(it.sockets.online()).toBe(1)
    const asked = new Promise((resolve) => socket.socket.once('ping', resolve))
    await it.clock.advance(i < pings ? 30_000 : 29_999)
    if (i < pings) await asked
    // The pong follows the answer to the heartbeat: the server has both.
    await socket.answer({ type: 'ping' })
  }
  await it.clock.advance(1)
  expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
})

test('a requested frame comes with the next tick, or 100 ms after the last one', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join())
  await socket.next('tick')
  const end = it.holdTicks()
  await it.tick()
  socket.send({ type: 'subscribe', rate: 0.1 })
  await socket.next('subscribed')
  end()
  // Not due by its rate.
  expect((await socket.next('tick')).tick).toBe(1)

  await it.clock.advance(1000)
  socket.send({ type: 'subscribe' })
  await socket.next('subscribed')
  await socket.next('tick')
  await it.clock.advance(1000)
  await it.tick()
  await socket.next('tick')
  const { length } = socket.messages
  socket.send({ type: 'subscribe' })
  await socket.next('subscribed')
  await it.clock.advance(99)
  await socket.answer({ type: 'ping' })
  expect(socket.messages.slice(length).map(({ type }) => type)).toEqual(['subscribed', 'pong'])
  await it.clock.advance(1)
  expect((await socket.next('tick')).tick).toBe(2)
})

test('a command is accepted once it is durable, and E008 if it cannot be', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join(await it.launch()))
  await socket.next('tick')
  const durable = Promise.withResolvers<void>()
  it.journal.kept = durable.promise
  socket.send({ type: 'control', id: 1, thrust_level: 1 })
  // The pong follows anything that was sent for the command.
  await socket.answer({ type: 'ping' })
  expect(socket.messages.filter(({ type }) => type === 'accepted')).toEqual([])
  durable.resolve()
  expect(await socket.next('accepted')).toMatchObject({ id: 1 })

  const lost = Promise.withResolvers<void>()
  lost.promise.catch(() => {})
  it.journal.kept = lost.promise
  socket.send({ type: 'control', id: 3, thrust_level: 0 })
  lost.reject(new JournalError('ERR_JOURNAL_AWAY', 'the database is away'))
  expect(await socket.next('error')).toMatchObject({ id: 3, code: 'E008' })
  expect(socket.messages.filter(({ type }) => type === 'accepted')).toHaveLength(1)
})

test('a handshake is checked again when a reset deletes its account meanwhile', async () => {
  const it = await open()
  const token = it.join()
  const release = it.holdChecks()
  const refused = refusedHandshake(it, { authorization: `Bearer ${token}` })
  await it.heldChecks(1)
  it.shipOf.delete(token)
  it.sockets.worldReplaced('reset')
  release()
  expect(await refused).toMatchObject({ status: 401, body: { error: { code: 'E005' } } })
  expect(it.sockets.online()).toBe(0)
})
