// Goal: sockets stay open when a reset or a restore replaces their world, a ship changes its owner
// or system, or the clock changes; clients get a message and a frame. Method: real connections to a
// world laid out by hand, which another one replaces.
import { expect, test } from 'vitest'
import { shipEvent, shipView } from '../fleets.ts'
import { idsOf, openSocket, refusedHandshake } from '../player-client.ts'
import { usedSocketServers } from '../sockets/socket-server.ts'

const open = usedSocketServers()

test('after a reset sockets stay: frames without ships, and E006 for commands', async () => {
  const it = await open()
  const ship = shipView()
  it.world.ships = [ship]
  const token = it.join('player', ship.shipId)
  const socket = await openSocket(it, token)
  await socket.next('tick')
  await it.clock.advance(1000)
  const publishedMs = it.clock.monotonicMs()
  Object.assign(it.world, { ships: [], era: 2, tick: 0, publishedMs })
  it.shipOf.clear()
  it.sockets.worldReplaced('reset')
  const gameTime = new Date(it.clock.utcMs()).toISOString()
  const reset = { type: 'reset', era: 2, tick: 0, game_time: gameTime }
  expect(await socket.next('reset')).toEqual(reset)
  expect(await socket.next('ship_assigned')).toEqual({ type: 'ship_assigned', ship_id: '' })
  expect(await socket.next('tick')).toMatchObject({ era: 2, tick: 0, ships: [] })
  for (const message of [
    { type: 'ship_rename', name: 'Ida' },
    { type: 'control', thrust_level: 0 },
    { type: 'maneuver_start', maneuver: 'kill_rotation' },
    { type: 'maneuver_abort' },
  ]) {
    expect(await socket.answer(message)).toMatchObject({ type: 'error', code: 'E006' })
  }
  await socket.answer({ type: 'ping' })
  socket.send({ type: 'subscribe', rate: 1 })
  await socket.next('subscribed')
  socket.send({ type: 'resume', era: 1, tick: 100 })
  expect(await socket.next('resumed_session')).toMatchObject({ era: 2, valid: false })
  expect(it.sockets.isOnline(token)).toBe(true)
})

test('a reset disconnects observers whose accounts are deleted, and no others', async () => {
  const it = await open()
  const [gone, stays] = [it.join('admin'), it.join('admin')]
  const watching = await openSocket(it, stays)
  const watched = [await openSocket(it, gone), await openSocket(it, gone)]
  const goOn = it.holdChecks()
  const asking = refusedHandshake(it, { authorization: `Bearer ${gone}` })
  const coming = openSocket(it, stays)
  await it.heldChecks(2)
  it.shipOf.delete(gone)
  it.sockets.worldReplaced('reset')
  goOn()
  for (const socket of watched) {
    expect(await socket.next('error')).toMatchObject({ code: 'E005' })
    expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
  }
  expect((await asking).status).toBe(401)
  await (await coming).next('welcome')
  it.publish()
  await watching.next('tick', ({ tick }) => tick === 101)
  expect(it.sockets.metrics().observers).toBe(2)
})

test.each(['reset', 'restored'] as const)('the clock is sent after a world is %s', async (kind) => {
  const it = await open()
  it.world.paused = true
  const socket = await openSocket(it, it.join())
  expect((await socket.next('welcome')).paused).toBe(true)
  await socket.next('tick')
  it.world.paused = kind === 'restored'
  it.sockets.worldReplaced(kind)
  it.publish()
  await it.clock.advance(100)
  await socket.next('tick')
  expect(socket.messages.slice(2, 4)).toMatchObject([
    { type: kind },
    { type: 'clock', paused: kind === 'restored' },
  ])
  expect(socket.messages.filter(({ type }) => type === 'clock')).toHaveLength(1)
})

test('after a restore a player has the ship of the account, the same or another', async () => {
  const it = await open()
  const [same, old, fresh] = [shipView(), shipView(), shipView()]
  it.world.ships = [same, old]
  const keeps = await openSocket(it, it.join('player', same.shipId))
  const changesToken = it.join('player', old.shipId)
  const changes = await openSocket(it, changesToken)
  await keeps.next('tick')
  it.world.ships = [same, fresh]
  it.world.era = 2
  it.shipOf.set(changesToken, fresh.shipId)
  it.sockets.worldReplaced('restored')
  expect(await keeps.next('restored')).toMatchObject({ era: 2, tick: 100 })
  await changes.next('restored')
  expect((await changes.next('ship_assigned')).ship_id).toBe('')
  expect((await changes.next('ship_assigned')).ship_id).toBe(fresh.shipId)
  it.publish()
  const frame = await changes.next('tick', ({ tick }) => tick === 101)
  expect(frame.era).toBe(2)
  expect(idsOf(frame)).toEqual([same.shipId, fresh.shipId].toSorted())
  expect(keeps.messages.map(({ type }) => type)).not.toContain('ship_assigned')

  it.sockets.sendToPilot(shipEvent(fresh, 'locked'))
  it.sockets.sendToPilot(shipEvent(old, 'locked'))
  expect((await changes.next('event')).ship_id).toBe(fresh.shipId)
})

test('a ship that is assigned or moved is in the next frame of the open socket', async () => {
  const it = await open()
  const token = it.join()
  const socket = await openSocket(it, token)
  expect((await socket.next('welcome')).system_id).toBe('')
  expect((await socket.next('tick')).ships).toEqual([])
  await it.clock.advance(100)
  const ship = shipView()
  it.world.ships = [ship]
  it.shipOf.set(token, ship.shipId)
  it.sockets.shipChanged(token)
  expect((await socket.next('ship_assigned')).ship_id).toBe(ship.shipId)
  expect(idsOf(await socket.next('tick'))).toEqual([ship.shipId])
  it.world.ships = [{ ...ship, systemId: 'alpha' }, shipView()]
  it.publish()
  const moved = await socket.next('tick')
  expect(moved.ships).toMatchObject([{ ship_id: ship.shipId, system_id: 'alpha' }])
})

test('a clock that changes by itself is sent once, a broadcast one not again', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join())
  await socket.next('tick')
  it.world.tickRate = 5
  it.publish()
  const clock = await socket.next('clock')
  expect(clock).toEqual({
    type: 'clock',
    tick_rate: 5,
    time_scale: 1,
    effective_time_scale: 1,
    paused: false,
    game_time: new Date(it.clock.utcMs()).toISOString(),
    age: 0,
  })
  it.publish()
  it.world.timeScale = 2
  it.sockets.broadcast({ ...clock, time_scale: 2 })
  it.publish()
  it.publish()
  await socket.next('tick', ({ tick }) => tick === 104)
  expect(socket.messages.filter(({ type }) => type === 'clock')).toHaveLength(2)
})
