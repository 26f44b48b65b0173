// Law: nothing that a client is shown depends on a command that is not durable, and no other client
// waits for it. Method: the sockets of a real engine, a client of JSON and one of binary frames,
// and a journal that commits when the test says so; without the gate the same is shown.
import { createPredictor } from '@orrery/engine/testing'
import { createShipSample } from '@orrery/client/flight'
import type { ShipState, TickMessage } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { type PlayerSocket, idsOf, openSocket, shipOf } from '../player-client.ts'
import { shownTicks } from '../seen-ticks.ts'
import { type BinaryServer, shipsOf, usedBinaryServers } from './binary/binary-server.ts'
import { type Followed, follow, seenBy } from './binary/followed-world.ts'

const open = usedBinaryServers()
const BEN = 'abcdef00-0000-4000-8000-00000000000b'

interface Scene {
  readonly it: BinaryServer
  readonly ann: string
  readonly ben: string
  /** of Ben */
  readonly json: PlayerSocket
  /** an observer */
  readonly binary: Followed
}

async function scene(): Promise<Scene> {
  const it = await open()
  const [ann, ben] = [await it.launch('Ann'), await it.launch('Ben')]
  const json = await openSocket(it, it.join(ben))
  const binary = follow(it)
  await binary.socket.opened
  await it.pass(1)
  return { it, ann, ben, json, binary }
}

/** Lets no command become durable until the result is called. */
function stopCommits({ engine, journal }: BinaryServer, isGated = true): () => Promise<void> {
  const commit = Promise.withResolvers<void>()
  const last = new Map(
    engine.universe.worlds.map(({ intake, state }) => [state.system.id, intake.sequence]),
  )
  let isStopped = true
  journal.kept = commit.promise
  if (isGated) {
    journal.durableUpTo = (systemId) => (isStopped ? (last.get(systemId) ?? 0) : Infinity)
  }
  return async () => {
    isStopped = false
    commit.resolve()
    await commit.promise
  }
}

/** Frames of one second. */
async function framesOf({ it, json }: Scene): Promise<TickMessage[]> {
  await json.answer({ type: 'ping' })
  const { length } = json.messages
  await it.pass(1)
  await json.answer({ type: 'ping' })
  return json.messages.slice(length).filter((message) => message.type === 'tick')
}

function statesOf(frames: readonly TickMessage[], shipId: string): ShipState[] {
  return frames.map((frame) => shipOf(frame, shipId))
}

/** Where the observer has a ship, at an index. */
async function seenAt({ binary }: Scene, shipId: string, index: number): Promise<number[]> {
  const out = createShipSample()
  await binary.socket.ping()
  return binary.world.shipAt(out, shipId, index) ? [...out.r, ...out.v] : []
}

test('an order shows once it is durable: in frames, records, views and predictions', async () => {
  const made = await scene()
  const { it, ann, ben } = made
  const { engine } = it
  const pilot = await openSocket(it, it.join(ann))
  const before = shipOf((await framesOf(made)).at(-1)!, ann)
  const view = await engine.ship(ann)
  const [{ index }] = engine.universe.worlds
  const coasting = await seenAt(made, ann, index + 64)
  const commit = stopCommits(it)
  pilot.send({ type: 'control', thrust_level: 1 })
  await pilot.answer({ type: 'ping' })
  const held = await framesOf(made)
  expect(held.length).toBeGreaterThan(5)
  expect(statesOf(held, ann)).toEqual(held.map(() => before))
  expect(await engine.ship(ann)).toEqual(view)
  expect(await seenAt(made, ann, index + 64)).toEqual(coasting)
  const others = statesOf(held, ben).map(({ position }) => JSON.stringify(position))
  expect(new Set(others).size).toBe(held.length)

  const predictor = createPredictor(engine, () => {})
  const asked = { shipId: ben, seconds: 60, steps: 2, target: { shipId: ann } }
  let isPredicted = false
  const prediction = predictor.predict(asked, '').then(() => (isPredicted = true))
  await it.pass(1)
  expect(isPredicted).toBe(false)

  await commit()
  const shown = statesOf(await framesOf(made), ann)
  expect(shown.map((state) => state.thrust_level)).toEqual(shown.map(() => 1))
  const [{ index: now }] = engine.universe.worlds
  const { relativePosition, relativeVelocity } = (await engine.ship(ann))!
  expect(await seenAt(made, ann, now)).toEqual([...relativePosition, ...relativeVelocity])
  await prediction
  await predictor.close()
})

test('without the gate the same order shows at once', async () => {
  const made = await scene()
  const { it, ann } = made
  const commit = stopCommits(it, false)
  it.engine.control(ann, { thrustLevel: 1 })
  const shown = statesOf(await framesOf(made), ann)
  expect(shown.some((state) => state.thrust_level === 1)).toBe(true)
  await commit()
})

test('ships come, go and are renamed once that is durable, and so do events', async () => {
  const made = await scene()
  const { it, ann, ben, json, binary } = made
  const { engine } = it
  const gone = await it.launch('Gone')
  const listed = idsOf((await framesOf(made)).at(-1)!)
  const named = (): string[] =>
    binary.world
      .ships()
      .map(({ name }) => name)
      .toSorted()
  expect(named()).toEqual(['Ann', 'Ben', 'Gone'])
  const commit = stopCommits(it)
  const changes = [
    engine.execute({ kind: 'rename_ship', shipId: ann, name: 'Anna' }),
    engine.execute({ kind: 'transfer_ship', shipId: ben, systemId: 'alpha' }),
    engine.execute({ kind: 'remove_ship', shipId: gone }),
    engine.execute({ kind: 'create_ship', shipId: 'new', name: 'New' }),
  ]
  const held = await framesOf(made)
  expect(held.map(idsOf)).toEqual(held.map(() => listed))
  expect(statesOf(held, ann).map(({ name }) => name)).toEqual(held.map(() => 'Ann'))
  await binary.socket.ping()
  expect(named()).toEqual(['Ann', 'Ben', 'Gone'])
  expect(await engine.ship('new')).toBeUndefined()
  expect(await engine.ship(ben)).toMatchObject({ systemId: 'sol' })
  expect(json.messages.filter(({ type }) => type === 'event')).toEqual([])

  await commit()
  await Promise.all(changes)
  expect((await framesOf(made)).map(idsOf).at(-1)).toEqual([ben])
  expect(await json.next('event')).toMatchObject({ event: 'transferred', ship_id: ben })
  await binary.socket.ping()
  expect(named()).toEqual(['Anna', 'New'])
})

test('a ship that is held when the first client comes is seen once it is durable', async () => {
  const it = await open()
  const ann = await it.launch('Ann')
  await it.pass(1)
  const commit = stopCommits(it)
  const created = it.engine.execute({ kind: 'create_ship', shipId: BEN, name: 'Ben' })
  await it.pass(1)
  const client = follow(it)
  await client.socket.opened
  await it.pass(1)
  expect([...(await seenBy(client, it)).keys()]).toEqual([ann])
  await commit()
  await created
  await it.pass(1)
  expect(await seenBy(client, it)).toEqual(shipsOf(it, 'sol'))
})

test('a ship that watches a held one is held, too', async () => {
  const made = await scene()
  const { it, ann, ben } = made
  const { engine } = it
  engine.control(ben, { pointing: 'target', target: engine.shipNumber(ben, ann) })
  await it.pass(2)
  const commit = stopCommits(it)
  engine.control(ann, { thrustLevel: 1 })
  const held = await framesOf(made)
  const states = statesOf(held, ben)
  expect(states).toEqual(held.map(() => states[0]))
  await commit()
  const released = statesOf(await framesOf(made), ben)
  expect(released.at(-1)).not.toEqual(states[0])
})

test('a tick that another overtakes before it is durable is shown with that', async () => {
  const made = await scene()
  const { it, ann, json } = made
  const { engine } = it
  const commit = stopCommits(it)
  engine.control(ann, { thrustLevel: 1 })
  await framesOf(made)
  expect(engine.metrics().ticksUnshown).toBe(0)
  engine.control(ann, { thrustLevel: 0.5 })
  // Ticks are late: each runs as soon as the one before has ended.
  it.clock.work(1000)
  await framesOf(made)
  const { ticksUnshown } = engine.metrics()
  expect(ticksUnshown).toBeGreaterThan(0)
  expect(shownTicks(json.messages)).toMatchObject({ missed: ticksUnshown, backwards: [] })
  await commit()
})
