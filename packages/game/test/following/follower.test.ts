// Law: a follower comes to each digest of its owner from the journal alone, goes on where the
// journal is cut behind it or a new era begins, and stops with a name at whatever it cannot fly.
// Method: the game without a network on a real database, its owner flown by calls, and rows that
// are changed by hand before they are followed; ships fly on this thread.
import { createLocalBus } from '@orrery/bus'
import {
  type Pool,
  findShip,
  inside,
  openedInside,
  systemClock,
  universeImage,
} from '@orrery/engine/testing'
import { PHYSICS } from '@orrery/sim'
import { pruneJournal, settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type ComparedDigest,
  type FollowedPlace,
  type Follower,
  createFollower,
} from '../../src/index.ts'
import { announceOwner } from '../../src/hosting/owner-news.ts'
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

/** nothing is published of rows */
const bus = createLocalBus()

let game: TestGame
let follower: Follower
let ending: AbortController
let compared: ComparedDigest[]
let places: FollowedPlace[]
/** until it resolves, the follower does not look at the journal */
let looks: Promise<void>

beforeEach(async () => {
  await empty()
  await settings(sql).save({ tickRate: 10, timeScale: 100 })
  game = await openTestGame(database, { createPool: callingThread })
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  ending = new AbortController()
  compared = []
  places = []
  looks = Promise.resolve()
  follower = createFollower({
    sql,
    bus,
    shipsMax: 256,
    clock: {
      ...systemClock,
      after: (ms, act) => systemClock.after(ms, () => void looks.then(act)),
    },
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    createPool: (universe): Pool => callingThread(inside(universe)),
    onOpened: (place) => places.push(place),
    onDigest: (digest) => compared.push(digest),
    onAway: () => undefined,
    onBack: () => undefined,
  })
})

afterEach(async () => {
  ending.abort()
  await follower.close()
  await game.crash()
})

/** What ends the follower, by its code; 'none' for the signal. */
function followed(): Promise<string> {
  return follower.follow(ending.signal).then(
    () => 'none',
    (error: unknown) => String(Object(error).code),
  )
}

async function flown(ticks: number): Promise<void> {
  await game.fly(ticks)
  // A digest is kept with a clock that is past it, so the last tick must have none.
  for (let known = -1; known < game.digests.length;) {
    known = game.digests.length
    await game.fly(1)
  }
  await game.journalWriter.durable()
}

/** Waits until the follower is where its owner is durable. */
async function caughtUp(): Promise<void> {
  const [{ index }] = game.engine.universe.worlds
  await until(() => follower.position()?.index === index)
}

test('a follower has all digests of its owner, over orders, transfers and a pause', async () => {
  const end = followed()
  const { engine } = game
  engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await flown(15)
  await caughtUp()
  await engine.execute({ kind: 'transfer_ship', shipId: SHIP, systemId: 'trappist-1' })
  await engine.pause()
  await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Ada' })
  await engine.resume()
  engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.25 })
  await flown(15)
  await caughtUp()
  await until(() => compared.length === game.digests.length)
  expect(compared.length).toBeGreaterThan(9)
  expect(compared.filter(({ digest, kept }) => digest !== kept)).toEqual([])
  const { tick } = engine.status()
  expect(follower.position()).toMatchObject({ tick, commands: 6, lagRows: 0, lagSeconds: 0 })
  ending.abort()
  expect(await end).toBe('none')
})

test('a follower finds the digest that a changed row leads to', async () => {
  game.engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await flown(15)
  await sql`
    update journal set command = jsonb_set(command, '{control,thrustLevel}', '0.6')
    where command #>> '{control,thrustLevel}' = '0.5'`
  const end = followed()
  await until(() => compared.length === game.digests.length)
  const other = compared.filter(({ digest, kept }) => digest !== kept)
  expect(other.length).toBeGreaterThan(0)
  expect(new Set(other.map(({ systemId }) => systemId))).toEqual(new Set(['sol']))
  ending.abort()
  expect(await end).toBe('none')
})

test('a follower looks at the journal when a system of it has another owner', async () => {
  const end = followed()
  await caughtUp()
  looks = new Promise(() => undefined)
  await flown(5)
  const [{ index }] = game.engine.universe.worlds
  await until(() => {
    announceOwner(bus, 'trappist-1')
    return follower.position()?.index === index
  })
  ending.abort()
  expect(await end).toBe('none')
})

test('a follower stops at a damaged row, a gap, a lost tail and another physics', async () => {
  game.engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await flown(3)
  const [first, last] = await sql<{ sequence: string }[]>`
    select sequence from journal where system = 'sol' order by sequence`
  const ended = async (change: () => Promise<unknown>, code: string): Promise<void> => {
    await sql.begin(async (transaction) => {
      await transaction`create table kept as select * from journal`
    })
    await change()
    await expect(followed()).resolves.toBe(code)
    await follower.close()
    await sql`truncate journal`
    await sql`insert into journal select * from kept`
    await sql`drop table kept`
  }
  const damaged = sql.json({ kind: 'warp' })
  await ended(
    () => sql`update journal set command = ${damaged} where sequence = ${last.sequence}`,
    'ERR_FOLLOWER_ROW',
  )
  const next = sql.json({ kind: 'begin_physics', physics: PHYSICS + 1 })
  await ended(
    () => sql`update journal set command = ${next} where sequence = ${last.sequence}`,
    'ERR_FOLLOWER_PHYSICS',
  )
  for (const { sequence } of [first, last]) {
    await ended(() => sql`delete from journal where sequence = ${sequence}`, 'ERR_FOLLOWER_GAP')
  }
  let end = followed()
  await caughtUp()
  await sql`update clock set lattice = lattice - 64 where system = 'sol'`
  expect(await end).toBe('ERR_FOLLOWER_TAIL')
  await follower.close()
  end = followed()
  await until(() => places.length === 6)
  const { id } = await game.keeper.snapshot()
  await sql`update snapshot set physics = ${PHYSICS + 1} where id = ${id}`
  expect(await end).toBe('ERR_FOLLOWER_PHYSICS')
})

test('a follower goes on where its journal is pruned, and with a new era', async () => {
  const { engine, keeper, records } = game
  await flown(1)
  const end = followed()
  await caughtUp()
  const held = Promise.withResolvers<void>()
  looks = held.promise
  await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Ada' })
  await flown(1)
  const { id } = await keeper.snapshot()
  await sql`update snapshot set kind = 'automatic' where id = ${id}`
  await pruneJournal(sql, records.snapshots, { keep: 1, sinceMs: Infinity })
  await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Ida' })
  await flown(1)
  held.resolve()
  await caughtUp()
  await keeper.reset()
  await until(() => places.length === 3)
  expect(places).toMatchObject([{ snapshotId: 1 }, { era: 1, snapshotId: id }, { era: 2 }])
  ending.abort()
  expect(await end).toBe('none')
})

test('a follower becomes the owner at the last durable row, as a start would open it', async () => {
  const { engine } = game
  const end = followed()
  engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await flown(5)
  await caughtUp()
  ending.abort()
  expect(await end).toBe('none')
  engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.25 })
  await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Acknowledged' })
  await flown(5)
  await game.crash()
  const { universe, gameClock, tick, pool, events, era } = openedInside(await follower.promote())
  const image = universeImage(universe, gameClock, tick)
  game = await openTestGame(database, { createPool: callingThread })
  expect(era).toBe(1)
  expect(image.header).toEqual(game.opened.header)
  expect(Buffer.compare(image.bytes, game.opened.bytes)).toBe(0)
  expect(findShip(universe, SHIP)?.entry.name).toBe('Acknowledged')
  const keyOf = ({ index, ordinal }: { index: number; ordinal: number }): string =>
    `${index} ${ordinal}`
  expect(events.map(keyOf)).toEqual(expect.arrayContaining(game.recoveredEvents.map(keyOf)))
  expect(events.length).toBeGreaterThan(0)
  await pool.close()
})
