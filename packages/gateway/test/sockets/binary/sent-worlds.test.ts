// Law: a client that follows binary frames has the world that is published: the same ships, where
// they are to the bit while they coast; none is missing, and none stays that has gone.
// Method: real sockets of a real engine on a simulated clock, the client's own world, and a JSON
// observer beside it.
import { connectSocket } from '@orrery/client'
import { createShipSample } from '@orrery/client/flight'
import type { ShipState } from '@orrery/protocol'
import { createChance } from '@orrery/testkit/chance'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type BinaryServer, shipsOf, usedBinaryServers } from './binary-server.ts'
import { type Followed, follow, seenBy } from './followed-world.ts'

const open = usedBinaryServers()

const inOrder = (ids: Iterable<string>): string[] => [...ids].toSorted()

/** Expects a client to see a whole system, to the bit. */
async function expectWhole(client: Followed, server: BinaryServer, systemId = 'sol') {
  const expected = shipsOf(server, systemId)
  const seen = await seenBy(client, server)
  expect(inOrder(seen.keys())).toEqual(inOrder(expected.keys()))
  expect(seen).toEqual(expected)
}

test('a client of a small system has all its ships at each tick, to the bit', async () => {
  const server = await open()
  const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => server.launch(`Ship ${i}`)))
  const client = follow(server, ids[3])
  await client.socket.opened
  await server.pass(0.125)
  expect(
    client.world
      .ships()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(ids.toSorted())
  for (let i = 0; i < 40; i++) {
    await server.pass(i % 7)
    await expectWhole(client, server)
  }
  expect(client.errors).toEqual([])
})

test('joins, renames, transfers and deletions reach clients of both systems', async () => {
  const server = await open()
  const { engine } = server
  const own = await server.launch('Own')
  const clients = [follow(server, own), follow(server)]
  await Promise.all(clients.map(({ socket }) => socket.opened))
  const others: string[] = []
  const chance = createChance(7)
  const names = new Map([[own, 'Own']])
  for (let i = 0; i < 120; i++) {
    const roll = chance.below(5)
    const some = others.length > 0 ? others[chance.below(others.length)] : undefined
    if (roll < 2 || !some) {
      const id = await server.launch(`Ship ${i}`)
      others.push(id)
      names.set(id, `Ship ${i}`)
    } else if (roll === 2) {
      await engine.execute({ kind: 'rename_ship', shipId: some, name: `Other ${i}` })
      names.set(some, `Other ${i}`)
    } else if (roll === 3) {
      const systemId = shipsOf(server, 'sol').has(some) ? 'alpha' : 'sol'
      await engine.execute({ kind: 'transfer_ship', shipId: some, systemId })
    } else {
      await engine.execute({ kind: 'remove_ship', shipId: some })
      others.splice(others.indexOf(some), 1)
    }
    if (i === 60) await engine.execute({ kind: 'transfer_ship', shipId: own, systemId: 'alpha' })
    await server.pass(chance.below(3) / 4)
    if (i % 3 > 0) continue
    await server.pass(0.125)
    await expectWhole(clients[0], server, i < 60 ? 'sol' : 'alpha')
    await expectWhole(clients[1], server, 'sol')
    for (const { world } of clients) {
      for (const { id, name } of world.ships()) expect(name).toBe(names.get(id))
    }
  }
})

test('changes while the game is paused are seen at once', async () => {
  const server = await open()
  const client = follow(server, await server.launch())
  await client.socket.opened
  await server.pass(1)
  await server.engine.pause()
  const id = await server.launch('Late')
  await server.pass(0.125)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  await server.engine.execute({ kind: 'remove_ship', shipId: id })
  await server.pass(0.125)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
})

test('a restored and a reset world leave no ghost', async () => {
  const server = await open()
  const client = follow(server)
  await client.socket.opened
  for (const kind of ['restored', 'reset'] as const) {
    for (let i = 0; i < 5; i++) await server.launch(`${kind} ${i}`)
    await server.pass(2)
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
    await server.replace(kind)
    await server.pass(1)
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
    await server.launch('New')
    await server.pass(1)
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  }
})

test('fuel, mass and what the fuel is good for are the same to all, on both wires', async () => {
  const server = await open()
  const [mine, theirs] = [await server.launch('Mine'), await server.launch('Theirs')]
  const sent = follow(server, theirs)
  const texts = [server.join(mine), server.join(theirs), server.joinAdmin()].map((token) => {
    const socket = connectSocket({ url: server.url, token })
    server.endings.push(() => socket.close())
    const last: { ship?: ShipState } = {}
    socket.on('tick', ({ ships }) => {
      last.ship = ships.find(({ ship_id: id }) => id === mine)!
    })
    return { socket, last }
  })
  await Promise.all([sent.socket, ...texts.map(({ socket }) => socket)].map((it) => it.opened))
  await texts[0].socket.control({ thrust_level: 0.5 })
  await server.pass(30)
  await Promise.all([sent.socket, ...texts.map(({ socket }) => socket)].map((it) => it.ping()))
  const publics = texts.map(({ last: { ship } }) => {
    const { thrust_level: thrust, fuel, fuel_capacity: full, mass, delta_v: deltaV } = ship!
    return { thrust, fuel, full, mass, deltaV }
  })
  expect(publics).toEqual([publics[0], publics[0], publics[0]])
  const out = createShipSample()
  const [{ index, ship: shipClass }] = server.engine.universe.worlds
  expect(sent.world.shipAt(out, mine, index)).toBe(true)
  const { fuel, deltaV } = publics[0]
  expect(out).toMatchObject({ thrustLevel: 0.5, fuel: expect.closeTo(fuel, 6) })
  expect(fuel).toBeLessThan(shipClass.fuelCapacity - 1)
  const { exhaustVelocity, dryMass } = shipClass
  expect(deltaV).toBeCloseTo(exhaustVelocity * Math.log(1 + out.fuel / dryMass), 6)
})

test('an order is seen by others when it is accepted, and the tick agrees', async () => {
  const server = await open()
  const [mine, theirs] = [await server.launch('Mine'), await server.launch('Theirs')]
  const pilot = connectSocket({ url: server.url, token: server.join(mine) })
  server.endings.push(() => pilot.close())
  await pilot.opened
  const client = follow(server, theirs)
  await client.socket.opened
  await server.pass(40.5)
  const changed: string[] = []
  client.world.on('changed', (ships) => changed.push(...ships.map(({ id }) => id)))
  server.engine.changeTickRate(0.5)
  // The step that begins with the order is still open at the next tick.
  await server.pass(3.75)
  changed.length = 0
  await pilot.control({ thrust_level: 1 })
  await server.pass(0.1)
  await client.socket.ping()
  expect(changed).toEqual([mine])
  changed.length = 0
  // These know the ship's step only, not what it will do.
  const late = [follow(server), follow(server, undefined, { ids: [mine] })]
  await Promise.all(late.map(({ socket }) => socket.opened))
  const [{ index }] = server.engine.universe.worlds
  const [ahead, after] = [createShipSample(), createShipSample()]
  expect(client.world.shipAt(ahead, mine, index + 140)).toBe(true)
  await server.pass(2)
  await client.socket.ping()
  client.world.shipAt(after, mine, index + 140)
  expect([...after.r, ...after.v]).toEqual([...ahead.r, ...ahead.v])
  expect(after.thrustLevel).toBe(1)
  for (let i = 0; i < 10; i++) {
    await server.pass(2)
    const truth = shipsOf(server, 'sol')
    for (const seer of [client, ...late]) {
      for (const [id, state] of await seenBy(seer, server)) {
        const off = state.map((value, place) => Math.abs(value - truth.get(id)![place]))
        expect(Math.max(...off)).toBeLessThan(1e-5)
      }
    }
  }
})

test('a ship that comes just before the order of another is known to all', async () => {
  const server = await open()
  const [mine, theirs] = [await server.launch('Mine'), await server.launch('Theirs')]
  const pilot = connectSocket({ url: server.url, token: server.join(mine) })
  server.endings.push(() => pilot.close())
  await pilot.opened
  const newId = randomUUID()
  const seers = [follow(server, theirs), follow(server, undefined, { ids: [mine, newId] })]
  await Promise.all(seers.map(({ socket }) => socket.opened))
  await server.pass(40.5)
  server.engine.changeTickRate(0.5)
  await server.pass(3.75)
  // The round of the name puts off that of the ship, so that what the order does is sent first.
  await server.engine.execute({ kind: 'rename_ship', shipId: theirs, name: 'Yours' })
  await server.engine.execute({ kind: 'create_ship', shipId: newId, name: 'New' })
  await pilot.control({ thrust_level: 1 })
  await server.pass(0.05)
  await Promise.all(seers.map(({ socket }) => socket.ping()))
  await server.pass(2)
  for (const seer of seers) {
    expect((await seenBy(seer, server)).get(newId)).toEqual(shipsOf(server, 'sol').get(newId))
  }
})

test('orders by the hundred leave time between what is sent of them', async () => {
  const server = await open()
  const ships = await server.launchMany(200)
  const client = follow(server)
  await client.socket.opened
  await server.pass(40.5)
  server.engine.changeTickRate(0.5)
  await server.pass(2)
  await Promise.all(ships.map((id) => server.engine.steer(id, { thrustLevel: 1 })))
  const changed = new Set<string>()
  client.world.on('changed', (some) => some.forEach(({ id }) => changed.add(id)))
  const { clock, engine } = server
  const status = engine.status.bind(engine)
  // A round takes longer than the time between two.
  engine.status = () => {
    clock.work(50)
    return status()
  }
  for (const id of ships) server.sockets.ordered(id)
  await clock.advance(100)
  await client.socket.ping()
  expect(changed.size).toBeGreaterThan(0)
  expect(changed.size).toBeLessThan(100)
  await clock.advance(1000)
  await client.socket.ping()
  expect(changed.size).toBe(ships.length)
})
