// Law: a follower that takes rows and watermarks from the bus has all digests of its owner,
// whatever the bus loses, repeats, reorders or damages, and flies past no command that is not
// durable.
// Method: the game without a network on a real database, and a bus that a seed disturbs.
import { type Bus, createLocalBus } from '@orrery/bus'
import { type Pool, inside, openedInside, systemClock, universeImage } from '@orrery/engine/testing'
import { settings } from '@orrery/store'
import { type Chance, createChance, testSeed } from '@orrery/testkit/chance'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ComparedDigest, type Follower, createFollower } from '../../src/index.ts'
import {
  type StreamMessage,
  decodeStreamMessage,
  encodeStreamMessage,
  rowSubject,
} from '../../src/streaming/stream-message.ts'
import {
  type TestGame,
  callingThread,
  openGameDatabase,
  openTestGame,
  until,
} from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

let game: TestGame
let bus: Bus
let follower: Follower
let ending: AbortController
let following: Promise<void>
let compared: ComparedDigest[]
let published: [subject: string, message: StreamMessage][]
/** what the follower's clock shows while it stands still, so that no look is due [ms] */
let frozenMs: number | undefined
let places: number
/** what the bus does with a message */
let relay: (send: (payload: Uint8Array) => void, payload: Uint8Array) => void
let writable: Promise<void>
/** the follower's database answers once it resolves; undefined while it does at once */
let silence: PromiseWithResolvers<void> | undefined
let unanswered: number

beforeEach(async () => {
  await empty()
  await settings(sql).save({ tickRate: 10, timeScale: 100 })
  bus = createLocalBus()
  published = []
  compared = []
  frozenMs = undefined
  places = 0
  writable = Promise.resolve()
  relay = (send, payload) => send(payload)
  game = await openTestGame(database, {
    createPool: callingThread,
    beforeWrite: () => writable,
    bus: {
      publish: (subject, payload) => {
        published.push([subject, decodeStreamMessage(payload)])
        relay((sent) => bus.publish(subject, sent), payload)
      },
    },
  })
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  ending = new AbortController()
  silence = undefined
  unanswered = 0
  follower = createFollower({
    sql: new Proxy(sql, {
      apply: (target, self, words) => {
        const ask = (): unknown => Reflect.apply(target, self, words)
        if (silence) unanswered++
        return silence ? silence.promise.then(ask) : ask()
      },
    }),
    bus,
    shipsMax: 256,
    clock: { ...systemClock, monotonicMs: () => frozenMs ?? systemClock.monotonicMs() },
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    createPool: (universe): Pool => callingThread(inside(universe)),
    onOpened: () => places++,
    onDigest: (digest) => compared.push(digest),
    onAway: () => undefined,
    onBack: () => undefined,
  })
  following = follower.follow(ending.signal)
  await until(() => follower.position() !== undefined)
})

afterEach(async () => {
  ending.abort()
  silence?.resolve()
  await following
  await follower.close()
  await game.crash()
  await bus.close()
})

const indexOf = ({ engine }: TestGame): number => engine.universe.worlds[0].index

const followedTo = (index: number): Promise<void> =>
  until(() => follower.position()?.index === index)

/** Commands and ticks in any order. */
async function played(chance: Chance, ticks: number): Promise<void> {
  const { engine } = game
  for (let n = 0; n < ticks; n++) {
    if (chance.oneIn(2)) engine.control(SHIP, { thrustLevel: chance.share() })
    if (chance.oneIn(4)) {
      await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: `Ida ${n}` })
    }
    await game.fly(1)
    // The clock of the test runs faster than commits.
    if (chance.oneIn(3)) await game.journalWriter.durable()
  }
}

/** Digests that are not those of the owner, once all are compared. */
async function differing(): Promise<ComparedDigest[]> {
  for (let known = -1; known < game.digests.length;) {
    known = game.digests.length
    await game.fly(1)
  }
  await game.journalWriter.durable()
  await followedTo(indexOf(game))
  // One that begins again comes to the first ones twice.
  const count = (): number => new Set(compared.map(({ systemId, index }) => systemId + index)).size
  await until(() => count() === game.digests.length)
  return compared.filter(({ digest, kept }) => digest !== kept)
}

test('a follower flies what is published without a look at the journal', async () => {
  await played(createChance(1), 2)
  await followedTo(indexOf(game))
  frozenMs = systemClock.monotonicMs()
  await played(createChance(2), 20)
  await game.journalWriter.durable()
  await followedTo(indexOf(game))
  frozenMs = undefined
  expect(await differing()).toEqual([])
  expect(compared.length).toBeGreaterThan(3)
})

test('a follower flies what is published while the database is silent', async () => {
  await played(createChance(5), 2)
  await followedTo(indexOf(game))
  silence = Promise.withResolvers<void>()
  await until(() => unanswered > 0)
  await played(createChance(6), 20)
  await game.journalWriter.durable()
  await followedTo(indexOf(game))
  silence.resolve()
  silence = undefined
  expect(await differing()).toEqual([])
})

test('a follower has all digests by a bus that loses, repeats, reorders, damages', async () => {
  const chance = createChance(testSeed('row stream'))
  const late: (() => void)[] = []
  relay = (send, payload) => {
    const fate = chance.below(6)
    const damaged = Uint8Array.from(payload)
    damaged[chance.below(damaged.length)] ^= 16
    if (fate === 1) late.push(() => send(payload))
    if (fate === 2) send(payload)
    if (fate > 1) send(fate === 3 ? damaged : payload)
    if (fate === 4) for (const again of late.splice(0)) again()
  }
  await played(chance, 40)
  expect(await differing()).toEqual([])
  expect(compared.length).toBeGreaterThan(3)
})

test('no watermark leads past a command that is not durable', async () => {
  const { engine } = game
  await game.fly(2)
  await followedTo(indexOf(game))
  const held = Promise.withResolvers<void>()
  writable = held.promise
  published.length = 0
  const { index, kept } = engine.control(SHIP, { thrustLevel: 0.5 })
  await game.fly(3)
  const marks = (): number[] =>
    published.flatMap(([subject, message]) => {
      return subject.startsWith('row.sol.') && message.kind === 'mark' ? message.index : []
    })
  expect(indexOf(game)).toBeGreaterThan(index)
  expect(Math.max(...marks())).toBeLessThan(index)
  expect(follower.position()?.index).toBeLessThan(index)
  held.resolve()
  await kept
  await followedTo(indexOf(game))
  expect(marks().at(-1)).toBe(indexOf(game))
})

test('a follower that a former owner led too far begins again from the journal', async () => {
  await played(createChance(3), 20)
  await game.journalWriter.durable()
  await followedTo(indexOf(game))
  const { index, sequences, ...time } = game.engine.clock()
  const beyond = { ...time, era: 1, fence: 1000, index: index + 640 }
  for (const [systemId, sequence] of Object.entries(sequences)) {
    const mark = encodeStreamMessage({ kind: 'mark', sequence, ...beyond })
    bus.publish(rowSubject(systemId, 1000), mark)
  }
  await followedTo(index + 640)
  game.engine.control(SHIP, { thrustLevel: 0.25 })
  await game.fly(3)
  await game.journalWriter.durable()
  await followedTo(indexOf(game))
  expect(places).toBe(2)
  expect(await differing()).toEqual([])
  expect(compared.length).toBeGreaterThan(3)
})

test('a follower becomes the owner where the last watermark was, past the last clock', async () => {
  await played(createChance(4), 3)
  await game.journalWriter.durable()
  await game.fly(2)
  const { universe } = game.engine
  const { index, tick } = game.engine.clock()
  await followedTo(index)
  ending.abort()
  await following
  const [{ lattice }] = await sql<[{ lattice: number }]>`
    select max(lattice)::float8 as lattice from clock`
  expect(lattice).toBeLessThan(index)
  const promoted = openedInside(await follower.promote())
  const image = universeImage(promoted.universe, promoted.gameClock, promoted.tick)
  const own = universeImage(universe, promoted.gameClock, tick)
  expect(image.header).toEqual(own.header)
  expect(Buffer.compare(image.bytes, own.bytes)).toBe(0)
  await promoted.pool.close()
})
