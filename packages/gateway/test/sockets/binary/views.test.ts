// Law: a client sees what it has asked for, and what its budget delays comes later and is never
// wrong; what one client does costs another nothing. Method: real sockets of a real engine on a
// simulated clock, and the client's own world.
import { addShip } from '@orrery/engine/testing'
import { launch } from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { WebSocket as RawSocket } from 'ws'
import { smallUniverse } from '../small-universe.ts'
import { shipsOf, usedBinaryServers } from './binary-server.ts'
import { follow, seenBy } from './followed-world.ts'

const open = usedBinaryServers()

function crowd(count: number) {
  const universe = smallUniverse(count + 1024)
  const ids: string[] = Array.from({ length: count }, () => randomUUID())
  for (const [i, id] of ids.entries()) addShip(universe.worlds[0], id, `Ship ${i}`)
  return { universe, ids }
}

const far = ([x, y, z]: readonly number[], [a, b, c]: readonly number[]): number =>
  Math.hypot(a - x, b - y, c - z)

test('a radius and ids narrow a view, and their end restores it', async () => {
  const { universe, ids } = crowd(400)
  const server = await open(universe)
  const client = follow(server, ids[7])
  await client.socket.opened
  const seen = async (): Promise<string[]> => {
    await server.pass(1.125)
    const states = await seenBy(client, server)
    const truth = shipsOf(server, 'sol')
    for (const [id, state] of states) expect(state).toEqual(truth.get(id))
    return [...states.keys()].toSorted()
  }
  expect(await seen()).toEqual(ids.toSorted())
  const some = [...ids.slice(20, 40), ids[7]]
  await client.socket.subscribe({ ids: [...some, randomUUID()] })
  expect(await seen()).toEqual(some.toSorted())
  await client.socket.subscribe({ radius: 2e6 })
  for (let i = 0; i < 5; i++) {
    await server.pass(20)
    const found = await seen()
    const truth = shipsOf(server, 'sol')
    const own = truth.get(ids[7])!
    const near = ids.filter((id) => far(own, truth.get(id)!) < 1.9e6)
    expect(found.length).toBeGreaterThanOrEqual(near.length)
    expect(found).toEqual(expect.arrayContaining(near))
  }
  await client.socket.subscribe({})
  expect(await seen()).toEqual(ids.toSorted())
})

test('a ship that passes a radius between two steps comes or goes in some seconds', async () => {
  const { universe, ids } = crowd(2)
  const [{ flight, index, roster, state }] = universe.worlds
  const { slot } = roster.byId.get(ids[1])!
  for (let i = 3 * slot; i < 3 * slot + 3; i++) state.ships.velocity[i] *= 1.001
  launch(flight, slot, index)
  const server = await open(universe)
  const client = follow(server, ids[0])
  await client.socket.opened
  const distance = async (): Promise<number> => {
    await server.pass(1)
    const [own, other] = ids.map((id) => shipsOf(server, 'sol').get(id)!)
    return far(own, other)
  }
  const before = await distance()
  const now = await distance()
  await client.socket.subscribe({ radius: now + 4 * (now - before) })
  const isSeenAfter = async (seconds: number): Promise<boolean> => {
    await server.pass(seconds)
    return (await seenBy(client, server)).has(ids[1])
  }
  const isSeen = await isSeenAfter(2)
  expect(isSeen).toBe(now > before)
  expect(await isSeenAfter(4)).toBe(!isSeen)
})

test('with a small budget the own ship is first, all come, and none is wrong', async () => {
  const { universe, ids } = crowd(1100)
  const server = await open(universe)
  const own = ids[600]
  const client = follow(server, own, { budget: 4096 })
  await client.socket.opened
  await client.socket.ping()
  const known: number[] = []
  for (let i = 0; i < 60 && known.at(-1) !== ids.length; i++) {
    await server.pass(2)
    const states = await seenBy(client, server)
    const truth = shipsOf(server, 'sol')
    expect(states.get(own)).toEqual(truth.get(own))
    // Beyond its last record a ship is continued.
    for (const [id, state] of states) expect(far(state, truth.get(id)!)).toBeLessThan(100)
    known.push(states.size)
  }
  expect(known[0]).toBeLessThan(950)
  expect(known).toEqual(known.toSorted((a, b) => a - b))
  expect(known.at(-1)).toBe(ids.length)
})

test.runIf(IS_NIGHT)(
  'of 10,000 ships all come while the game is paused, within the budget',
  async () => {
    const { universe, ids } = crowd(10_000)
    const server = await open(universe)
    await server.engine.pause()
    const client = follow(server, ids[4321], { budget: 163_840 })
    let bytes = 0
    client.socket.on('frame', (frame) => (bytes += frame.byteLength))
    await client.socket.opened
    await server.pass(1)
    await client.socket.ping()
    const first = client.world.ships().length
    expect(client.world.ship(ids[4321])).toBeDefined()
    expect(first).toBeLessThan(2000)
    for (let i = 1; i <= 20; i++) {
      await server.pass(1)
      await client.socket.ping()
      expect(bytes).toBeLessThan(163_840 * (8 + i + 2))
    }
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
    expect(client.world.completeness()).toMatchObject({ inView: 10_000, waiting: 0 })
  },
)

test('a client that never reads costs others nothing and is closed', async () => {
  const { universe, ids } = crowd(2000)
  const server = await open(universe)
  const url = server.url.replace('http', 'ws')
  const headers = { authorization: `Bearer ${server.join(ids[0])}` }
  const stalled = new RawSocket(`${url}/ws`, ['orrery.v1.binary'], { headers })
  await once(stalled, 'open')
  stalled.send(JSON.stringify({ type: 'subscribe', budget: 1_048_576 }))
  stalled.pause()
  const client = follow(server, ids[1], { budget: 1_048_576 })
  await client.socket.opened
  for (let i = 0; i < 40; i++) {
    // A whole system comes once a second at most.
    stalled.send(JSON.stringify({ type: 'resume', era: 1, tick: 0 }))
    await server.pass(1)
    await client.socket.ping()
    if (i % 8 < 7) continue
    await server.pass(0.125)
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  }
  const { bytesQueued, closed } = server.sockets.metrics()
  expect(closed.slow).toBe(1)
  expect(bytesQueued).toBeLessThan(4 * 2 ** 20)
  expect(client.errors).toEqual([])
  stalled.terminate()
})

test('narrowing forty times a second leaves the right view', async () => {
  const { universe, ids } = crowd(300)
  const server = await open(universe)
  const client = follow(server, ids[0])
  const other = follow(server, ids[1])
  await Promise.all([client.socket.opened, other.socket.opened])
  const chance = createChance(3)
  for (let i = 0; i < 60; i++) {
    const some = ids.filter(() => chance.oneIn(8))
    await client.socket.subscribe(chance.oneIn(2) ? {} : { ids: some })
    await server.pass(0.025)
    if (i % 20 > 0) continue
    await client.socket.subscribe({ ids: some })
    await server.pass(1)
    const seen = await seenBy(client, server)
    const truth = shipsOf(server, 'sol')
    expect([...seen.keys()].toSorted()).toEqual([...new Set([...some, ids[0]])].toSorted())
    for (const [id, state] of seen) expect(state).toEqual(truth.get(id))
    expect(await seenBy(other, server)).toEqual(truth)
  }
})

test('a rate holds after a time in which nothing has happened', async () => {
  const { universe, ids } = crowd(2)
  const server = await open(universe)
  const client = follow(server, ids[0], { rate: 0.5 })
  await client.socket.opened
  await client.socket.ping()
  await server.pass(15)
  const names = ['First', 'Second', 'Third']
  const seen = new Set<string | undefined>()
  client.socket.on('frame', () => seen.add(client.world.ship(ids[1])?.name))
  for (const name of names) {
    await server.engine.execute({ kind: 'rename_ship', shipId: ids[1], name })
    await server.pass(0.25)
    await client.socket.ping()
  }
  expect(names.filter((name) => seen.has(name)).length).toBeLessThanOrEqual(1)
  await server.pass(4)
  await client.socket.ping()
  expect(client.world.ship(ids[1])?.name).toBe('Third')
})

test('a rate limits frames, and what they leave out comes with the next', async () => {
  const { universe, ids } = crowd(1500)
  const server = await open(universe)
  const client = follow(server, ids[0], { rate: 0.5, budget: 1_048_576 })
  let frames = 0
  await client.socket.opened
  await client.socket.ping()
  // Chunks begin their steps at times of their own, and the first view comes in parts.
  await server.pass(4)
  await seenBy(client, server)
  client.socket.on('frame', (frame) => (frames += frame.byteLength > 200 ? 1 : 0))
  for (let i = 0; i < 10; i++) {
    const removed = ids.splice(1 + (i % 50), 1)[0]
    await server.engine.execute({ kind: 'remove_ship', shipId: removed })
    const added = await server.launch(`New ${i}`)
    ids.push(added)
    await server.pass(2)
    const seen = await seenBy(client, server)
    const truth = shipsOf(server, 'sol')
    for (const [id, state] of seen) expect(far(state, truth.get(id) ?? state)).toBeLessThan(1)
  }
  expect(frames).toBeLessThanOrEqual(12)
  // Several steps of each ship from frame to frame.
  server.engine.changeTimeScale(20)
  for (let i = 0; i < 100; i++) {
    const before = frames
    await server.pass(0.125)
    await client.socket.ping()
    if (frames === before) continue
    expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
  }
  await server.engine.pause()
  await server.pass(3)
  expect(await seenBy(client, server)).toEqual(shipsOf(server, 'sol'))
})
