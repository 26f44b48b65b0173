// Law: after a lost connection a client has the world again within one round trip: no ghosts,
// no ship missing, and little is sent twice. Method: real sockets, frames lost on their way.
import { createLocalBus } from '@orrery/bus'
import { type PresenceReceiver, createPresence } from '@orrery/game'
import { simulatedClock } from '@orrery/testkit'
import { createChance } from '@orrery/testkit/chance'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { shipsOf, usedBinaryServers } from './binary-server.ts'
import { openSocket } from '../../player-client.ts'
import { follow, seenBy } from './followed-world.ts'

const open = usedBinaryServers()

const DROPS = Number(process.env.DROPS ?? 24)

test('drops at any moment leave no ghost and miss no ship', async () => {
  const server = await open()
  const { engine } = server
  const own = await server.launch('Own')
  const ids: string[] = []
  for (let i = 0; i < 60; i++) ids.push(await server.launch(`Ship ${i}`))
  const clients = [follow(server, own), follow(server, ids[1], { radius: 1e7 })]
  await Promise.all(clients.map(({ socket }) => socket.opened))
  const chance = createChance(Number(process.env.SEED ?? 5))
  const change = async (): Promise<void> => {
    const roll = chance.below(3)
    if (roll === 0) return void ids.push(await server.launch('New'))
    const shipId = ids[2 + chance.below(ids.length - 2)]
    if (roll === 1) await engine.execute({ kind: 'rename_ship', shipId, name: `N ${ids.length}` })
    else {
      ids.splice(ids.indexOf(shipId), 1)
      await engine.execute({ kind: 'remove_ship', shipId })
    }
  }
  for (let drop = 0; drop < DROPS; drop++) {
    const client = clients[drop % 2]
    await server.pass(chance.below(20) / 4)
    await change()
    await server.pass(chance.below(3) / 8)
    client.lose()
    for (let i = chance.below(4); i > 0; i--) {
      await change()
      await server.pass(chance.below(80) / 8)
    }
    await client.reconnect()
    await server.pass(0.125)
    const truth = shipsOf(server, 'sol')
    expect(await seenBy(clients[0], server)).toEqual(truth)
    const near = await seenBy(clients[1], server)
    for (const [id, state] of near) expect(state).toEqual(truth.get(id))
    const names = new Map(engine.universe.worlds[0].roster.byId)
    for (const { id, name } of clients[0].world.ships()) expect(name).toBe(names.get(id)?.name)
  }
})

test('a resume sends little of what is known, and everything after another era', async () => {
  const server = await open()
  const own = await server.launch('Own')
  for (let i = 0; i < 300; i++) await server.launch(`Ship ${i}`)
  const client = follow(server, own)
  let bytes = 0
  let systems = 0
  client.socket.on('frame', (frame) => (bytes += frame.byteLength))
  client.socket.on('system', () => systems++)
  await client.socket.opened
  await server.pass(5)
  await client.socket.ping()
  const whole = bytes
  expect(whole).toBeGreaterThan(300 * 248)
  expect(systems).toBe(1)
  bytes = 0
  client.lose()
  await server.pass(1)
  await client.reconnect()
  await server.pass(0.125)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  expect(systems).toBe(1)
  expect(bytes).toBeLessThan(whole / 4)

  client.lose()
  await server.replace('restored')
  await server.engine.execute({ kind: 'create_ship', shipId: own, name: 'Own' })
  for (let i = 0; i < 20; i++) await server.launch(`Other ${i}`)
  await server.pass(1)
  await client.reconnect()
  await server.pass(1)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
})

test('a connection that is lost during a tick takes no view from the next one', async () => {
  const server = await open()
  const client = follow(server, await server.launch('Own'))
  let systems = 0
  client.socket.on('system', () => systems++)
  await client.socket.opened
  await server.pass(5)
  await client.socket.ping()
  client.lose()
  const release = server.holdTicks()
  await server.pass(0.125)
  await client.reconnect()
  client.lose()
  await client.reconnect()
  release()
  await server.pass(1)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  expect(systems).toBe(1)
})

test('who has connected elsewhere meanwhile is sent everything again', async () => {
  let others: PresenceReceiver | undefined
  const server = await open(undefined, {
    joinOthers: (receiver) => {
      others = receiver
      return createPresence({
        ...receiver,
        process: randomUUID(),
        clock: simulatedClock(0),
        bus: createLocalBus(),
      })
    },
  })
  const client = follow(server, await server.launch('Own'))
  let systems = 0
  client.socket.on('system', () => systems++)
  await client.socket.opened
  await server.pass(1)
  await client.socket.ping()
  const [[playerId = '', shipId = ''] = []] = server.shipOf
  others?.onReplaced(playerId)
  others?.onElsewhere({ playerId, shipId })
  await client.reconnect()
  await server.pass(1)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  expect(systems).toBe(2)
})

test('resumes that begin again bring a star system once a second', async () => {
  const server = await open()
  const socket = await openSocket(server, server.join(await server.launch('Own')), {
    protocols: ['orrery.v1.binary'],
  })
  await socket.next('system')
  socket.send({ type: 'subscribe', budget: 1_048_576 })
  for (let i = 0; i < 40; i++) {
    socket.send({ type: 'resume', era: 9, tick: 0 })
    await socket.next('resumed_session')
    await server.pass(0.125)
  }
  await socket.answer({ type: 'ping' })
  const systems = socket.messages.filter(({ type }) => type === 'system').length
  expect(systems).toBeGreaterThan(1 + 3)
  expect(systems).toBeLessThanOrEqual(1 + 6)
})
