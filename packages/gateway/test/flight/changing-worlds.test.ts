// Goal: sockets stay open when a reset or a restore replaces their world, a ship changes its owner
// or system, or the clock changes; clients get a message and a frame. Method: real connections to
// the sockets of a real engine, whose universe another one replaces.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addShip } from '@orrery/engine/testing'
import { idsOf, openSocket, refusedHandshake } from '../player-client.ts'
import { START_MS, beginning, smallUniverse } from '../sockets/small-universe.ts'
import { TICK_RATE, shipEvent, usedSocketServers } from '../sockets/socket-server.ts'

const open = usedSocketServers()

test('after a reset sockets stay: frames without ships, and E006 for commands', async () => {
  const it = await open()
  const token = it.join(await it.launch())
  const socket = await openSocket(it, token)
  await socket.next('tick')
  await it.tick()
  await socket.next('tick')
  await it.clock.advance(1000)
  it.shipOf.clear()
  await it.replace('reset')
  const gameTime = new Date(START_MS).toISOString()
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
  const [gone, stays] = [it.joinAdmin(), it.joinAdmin()]
  const watching = await openSocket(it, stays)
  const watched = [await openSocket(it, gone), await openSocket(it, gone)]
  const goOn = it.holdChecks()
  const asking = refusedHandshake(it, { authorization: `Bearer ${gone}` })
  const coming = openSocket(it, stays)
  await it.heldChecks(2)
  it.shipOf.delete(gone)
  await it.replace('reset')
  goOn()
  for (const socket of watched) {
    expect(await socket.next('error')).toMatchObject({ code: 'E005' })
    expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
  }
  expect((await asking).status).toBe(401)
  await (await coming).next('welcome')
  await it.tick()
  await watching.next('tick', ({ tick }) => tick === 1)
  expect(it.sockets.metrics().observers).toBe(2)
})

test.each(['reset', 'restored'] as const)('the clock is sent after a world is %s', async (kind) => {
  const it = await open()
  await it.engine.pause()
  const socket = await openSocket(it, it.join())
  expect((await socket.next('welcome')).paused).toBe(true)
  await socket.next('tick')
  if (kind === 'reset') await it.engine.resume()
  await it.replace(kind)
  // Published by a tick, or while paused by a command.
  await it.tick()
  await it.launch()
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
  const [same, old] = await it.launchMany(2)
  const fresh = randomUUID()
  const keeps = await openSocket(it, it.join(same))
  const changesToken = it.join(old)
  const changes = await openSocket(it, changesToken)
  await keeps.next('tick')
  const restored = smallUniverse()
  for (const shipId of [same, fresh]) addShip(restored.worlds[0], shipId, 'Ida')
  it.shipOf.set(changesToken, fresh)
  await it.replace('restored', { ...beginning(restored), tick: 100 })
  expect(await keeps.next('restored')).toMatchObject({ era: 2, tick: 100 })
  await changes.next('restored')
  expect((await changes.next('ship_assigned')).ship_id).toBe('')
  expect((await changes.next('ship_assigned')).ship_id).toBe(fresh)
  await it.tick()
  const frame = await changes.next('tick', ({ tick }) => tick === 101)
  expect(frame.era).toBe(2)
  expect(idsOf(frame)).toEqual([same, fresh].toSorted())
  expect(keeps.messages.map(({ type }) => type)).not.toContain('ship_assigned')

  it.sockets.sendToPilot(shipEvent(fresh, 'locked'))
  it.sockets.sendToPilot(shipEvent(old, 'locked'))
  expect((await changes.next('event')).ship_id).toBe(fresh)
})

test('a ship that is assigned or moved is in the next frame of the open socket', async () => {
  const it = await open()
  const token = it.join()
  const socket = await openSocket(it, token)
  expect((await socket.next('welcome')).system_id).toBe('')
  expect((await socket.next('tick')).ships).toEqual([])
  await it.clock.advance(100)
  const ship = await it.launch()
  it.shipOf.set(token, ship)
  it.sockets.shipChanged(token)
  expect((await socket.next('ship_assigned')).ship_id).toBe(ship)
  expect(idsOf(await socket.next('tick'))).toEqual([ship])
  await it.launch()
  await it.engine.execute({ kind: 'transfer_ship', shipId: ship, systemId: 'alpha' })
  await it.tick()
  const moved = await socket.next('tick')
  expect(moved.ships).toMatchObject([{ ship_id: ship, system_id: 'alpha' }])
})

test('a clock that changes by itself is sent once, a broadcast one not again', async () => {
  const it = await open()
  const socket = await openSocket(it, it.join())
  await socket.next('tick')
  it.engine.changeTickRate(TICK_RATE / 2)
  const gameTime = new Date(it.engine.status().gameTimeMs + 2000 / TICK_RATE).toISOString()
  await it.tick()
  const clock = await socket.next('clock')
  expect(clock).toEqual({
    type: 'clock',
    tick_rate: TICK_RATE / 2,
    time_scale: 1,
    effective_time_scale: 1,
    paused: false,
    game_time: gameTime,
    age: 0,
  })
  await it.tick()
  it.engine.changeTimeScale(2)
  it.sockets.broadcast({ ...clock, time_scale: 2 })
  await it.tick()
  await it.tick()
  await socket.next('tick', ({ tick }) => tick === 4)
  expect(socket.messages.filter(({ type }) => type === 'clock')).toHaveLength(2)
})
