// Law: a world whose owner was killed goes on where it would be by now, for a minute at most, past
// all that was shown of it; a pause and a clean stop hold it.
// Method: the game without a network on a real database, broken off, whose clocks are made older by
// hand, and a follower on a local bus; ships fly on this thread.
import { createLocalBus } from '@orrery/bus'
import { type Pool, inside, systemClock } from '@orrery/engine/testing'
import { settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ComparedDigest, createFollower } from '../../src/index.ts'
import { decodeStreamMessage } from '../../src/streaming/stream-message.ts'
import { presentClock } from '../../src/world/present-clock.ts'
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
const bus = createLocalBus()

let game: TestGame
/** indices that were published of one system */
let marks: number[]

beforeEach(async () => {
  await empty()
  marks = []
  await settings(sql).save({ tickRate: 10, timeScale: 100 })
  await restart()
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  await game.fly(3)
  await game.journalWriter.durable()
})

afterEach(() => game.crash())

async function restart(): Promise<void> {
  game = await openTestGame(database, {
    createPool: callingThread,
    until: 'now',
    bus: {
      publish: (subject, payload) => {
        const message = decodeStreamMessage(payload)
        if (message.kind === 'mark' && subject.includes('.sol.')) marks.push(message.index)
        bus.publish(subject, payload)
      },
    },
  })
}

/** The owner is killed, and one begins after a time; returns ticks that have passed meanwhile. */
async function killedFor(seconds: number): Promise<number> {
  const { tick } = game.engine.status()
  await game.crash()
  await sql`update clock set written_at = written_at - make_interval(secs => ${seconds})`
  await restart()
  expect(game.replay).toMatchObject({ mismatches: 0 })
  return game.engine.status().tick - tick
}

test('a killed world goes on where it would be, for a minute at most', async () => {
  const index = (): number => game.engine.clock().index
  const before = index()
  const ticks = await killedFor(5)
  expect(ticks).toBeGreaterThan(50)
  // Ten seconds of game time a tick.
  expect(Math.abs(index() - before - ticks * 640)).toBeLessThan(640)
  const away = await killedFor(86_400)
  expect(away).toBeGreaterThan(600)
  expect(away).toBeLessThan(610)
})

test('a pause and a clean stop hold a world', async () => {
  await game.engine.pause()
  await settings(sql).save({ paused: true })
  await game.journalWriter.durable()
  expect(await killedFor(5)).toBe(0)
  await game.engine.resume()
  await settings(sql).save({ paused: false })
  await game.fly(1)
  await game.keeper.stop()
  expect(await killedFor(5)).toBe(0)
})

test('a world without its owner goes on by the plan of its clock', () => {
  const clock = {
    lattice: 6400,
    remainder: ['1', '2'],
    tick: 10,
    tickRate: 10,
    timeScale: 1,
    paused: false,
  } as const
  const row = { tickRate: 10, timeScale: 1, pace: 1, paused: false } as const
  const also = { adaptiveTickRate: false, goal: null } as const
  // Since 5 s; to be paused 2 s after the last clock, and at another scale a second later.
  const rows = [
    { ...row, ...also, number: 1, lattice: 0, atMs: -100_000 },
    { ...row, ...also, number: 2, lattice: 6528, atMs: 2000, paused: true },
    { ...row, ...also, number: 3, lattice: 6528, atMs: 3000, timeScale: 10, pace: 10 },
  ]
  const present = (planned: typeof rows, nowMs: number, departure?: 'given'): unknown => {
    const plan = { rows: planned, nowMs }
    const { lattice, ...more } = presentClock(clock, nowMs / 1000, plan, departure)
    const { paused, tick, timeScale } = more
    return { lattice, paused, tick, timeScale }
  }
  expect(present(rows.slice(0, 2), 5000)).toEqual({
    lattice: 6528,
    paused: true,
    tick: 30,
    timeScale: 1,
  })
  // With what an owner may have been early.
  const seconds = 2.25
  const resumed = { paused: false, timeScale: 10, tick: 34 }
  expect(present(rows, 5000)).toEqual({ ...resumed, lattice: 6528 + seconds * 640 })
  expect(present(rows, 1000)).toMatchObject({ lattice: 6400 + 1.25 * 64, paused: false })
  // A minute of it counts.
  expect(present(rows, 3_600_000)).toMatchObject({ lattice: 6528 + 57.25 * 640 })
  expect(present([], 1000)).toMatchObject({ lattice: 6400 + 86, paused: false })
  // One that was given ended at its last clock: nothing later was shown.
  expect(present(rows, 1000, 'given')).toMatchObject({ lattice: 6400 + 64 })
  expect(present([], 1000, 'given')).toMatchObject({ lattice: 6400 + 64 })
})

test('what was shown of a killed world is not undone, and all its digests are kept', async () => {
  const compared: ComparedDigest[] = []
  let places = 0
  const ending = new AbortController()
  const follower = createFollower({
    sql,
    bus,
    shipsMax: 256,
    clock: systemClock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    createPool: (universe): Pool => callingThread(inside(universe)),
    onOpened: () => places++,
    onDigest: (digest) => compared.push(digest),
    onAway: () => undefined,
    onBack: () => undefined,
  })
  const following = follower.follow(ending.signal)
  const followed = (): Promise<void> =>
    until(() => follower.position()?.index === game.engine.clock().index)
  await followed()
  // No clock is due.
  await game.fly(7)
  await followed()
  const shown = game.engine.clock().index
  await killedFor(1)
  expect(game.engine.clock().index).toBeGreaterThanOrEqual(shown)
  game.engine.control(SHIP, { thrustLevel: 0.5 })
  await game.fly(10)
  await game.journalWriter.durable()
  await followed()
  await until(() => compared.some(({ index }) => index > shown))
  ending.abort()
  await following
  await follower.close()
  expect(places).toBe(1)
  expect(compared.filter(({ digest, kept }) => digest !== kept)).toEqual([])
})

test('what a start would not come to is not published before its clock is durable', async () => {
  const { engine, journalWriter } = game
  await game.fly(1)
  engine.changeTimeScale(10_000)
  const before = engine.clock().index
  await game.fly(2)
  expect(Math.max(...marks)).toBe(before)
  await journalWriter.durable()
  expect(Math.max(...marks)).toBe(engine.clock().index)
})
