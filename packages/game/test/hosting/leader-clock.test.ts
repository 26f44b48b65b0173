// Law: a leader beside which others fly plans each change of its clock for an index four seconds
// ahead, and writes where it is when it leaves its line; alone it plans nothing. Method: a game
// without a network under a simulated clock, on a real database; ships fly on this thread.
import type { PlannedPace } from '@orrery/engine'
import { QUANTA_PER_SECOND, latticeFromUtc } from '@orrery/sim'
import { settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LeaderClock } from '../../src/index.ts'
import { type TestGame, callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const FAR = 'alpha-centauri'

let game: TestGame
let leader: LeaderClock
/** pauses and scales that came into force by the plan */
let seen: (readonly [paused: boolean, scale: number])[]

function optionsOf(): ConstructorParameters<typeof LeaderClock>[0] {
  const { clock, engine, journalWriter: journal, records } = game
  return {
    ...records,
    engine,
    clock,
    journal,
    era: () => records.kept.settings.era,
    // The database's clock does not move by calls.
    hostClock: () => ({ clockOffset: 1, clockState: 'wrong' }),
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    onPace: ({ paused, timeScale }) => void seen.push([paused, timeScale]),
  }
}

beforeEach(async () => {
  await empty()
  await sql`delete from clock_plan`
  await settings(sql).save({ tickRate: 10, timeScale: 2 })
  game = await openTestGame(database, { createPool: callingThread })
  seen = []
  leader = new LeaderClock(optionsOf())
})

afterEach(() => game.crash())

/** Another host flies a star system from now on. */
async function share(): Promise<void> {
  await game.engine.followed.letGo(FAR)
  await leader.keep()
}

async function rows(): Promise<PlannedPace[]> {
  return sql<PlannedPace[]>`
    select number::float8 as number, lattice::float8 as lattice, paused,
      time_scale as "timeScale", pace, goal::float8 as goal,
      1000 * extract(epoch from at)::float8 as "atMs" from clock_plan order by number`
}

/** Seconds of game time between an index and the present one. */
function after(index: number): number {
  return (index - game.engine.clock().index) / QUANTA_PER_SECOND
}

async function pass(seconds: number): Promise<void> {
  for (let tick = 0; tick < seconds * 10; tick++) await game.clock.advance(100)
}

test('alone it plans nothing, and writes nothing', async () => {
  await leader.keep()
  expect(await leader.plan({ paused: true })).toBeUndefined()
  expect(await rows()).toEqual([])
  expect(leader.next()).toBeUndefined()
})

test('it says where it is before others fly, and plans four seconds ahead', async () => {
  await share()
  const { index } = game.engine.clock()
  const place = { lattice: index, paused: false, timeScale: 2, pace: 2, goal: null }
  expect(await rows()).toMatchObject([{ ...place, number: 1 }])
  await leader.keep()
  expect(await rows()).toHaveLength(1)
  const change = await leader.plan({ timeScale: 7 })
  expect(after(change!.index)).toBeCloseTo(8, 1)
  expect(leader.next()).toMatchObject({ lattice: change!.index, timeScale: 7 })
  expect(leader.timeScale()).toBe(7)
  await pass(3.9)
  expect(game.engine.clock().timeScale).toBe(2)
  await pass(0.2)
  expect(game.engine.clock().timeScale).toBe(7)
  const { tick } = game.engine.clock()
  expect([tick - 1, tick]).toContain(await change!.acted)
  expect(seen).toEqual([[false, 7]])
  expect(leader.next()).toBeUndefined()
})

test('a pause that is planned twice acts once, at the index of the first', async () => {
  await share()
  const first = await leader.plan({ paused: true })
  await pass(1)
  const second = await leader.plan({ paused: true })
  expect(second!.index).toBe(first!.index)
  await pass(5)
  const { index, remainder, paused } = game.engine.clock()
  expect({ index, remainder, paused }).toEqual({
    index: first!.index,
    remainder: ['0', '1'],
    paused: true,
  })
  expect(await second!.acted).toBe(await first!.acted)
  expect(await leader.plan({ paused: true })).toBeUndefined()
  const resumed = await leader.plan({ paused: false })
  expect(resumed!.index).toBe(index)
  await pass(3.9)
  expect(game.engine.clock().index).toBe(index)
  await pass(1)
  expect(game.engine.clock().index).toBeGreaterThan(index)
  expect(seen).toEqual([
    [true, 2],
    [false, 2],
  ])
})

test('a clock that leaves its line is planned again, and what waits keeps its index', async () => {
  await share()
  const pause = await leader.plan({ paused: true })
  const [, waiting] = await rows()
  // No tick runs meanwhile.
  await game.engine.atRest(() => game.clock.advance(1500))
  await leader.keep()
  const [, , here, later] = await rows()
  expect(here).toMatchObject({ lattice: game.engine.clock().index, paused: false })
  expect(later).toMatchObject({ lattice: pause!.index, paused: true })
  expect(later.atMs - waiting.atMs).toBeCloseTo(1500, -2)
  await pass(5)
  expect(game.engine.clock()).toMatchObject({ index: pause!.index, paused: true })
  await pause!.acted
  // What changed without a plan, as after a fault, is no news.
  await game.engine.resume()
  game.engine.changeTimeScale(3)
  await leader.keep()
  expect((await rows()).at(-1)).toMatchObject({ paused: false, timeScale: 3 })
  expect(seen).toEqual([[true, 2]])
})

test('a change that a late clock passes over has acted with the next one', async () => {
  await share()
  const pause = await leader.plan({ paused: true })
  const slower = await leader.plan({ timeScale: 0.5 })
  expect(slower!.index).toBe(pause!.index)
  await game.engine.atRest(() => game.clock.advance(4500))
  await pass(6)
  expect(await pause!.acted).toBe(await slower!.acted)
  expect(game.engine.clock()).toMatchObject({ index: pause!.index, paused: true, timeScale: 0.5 })
})

test('a hurry is planned with its end, which a pause takes away until it is over', async () => {
  await share()
  const goal = latticeFromUtc(game.engine.status().gameTimeMs + 1e8)
  const ends = async (): Promise<number> =>
    (await rows()).filter(({ lattice }) => lattice === goal).length
  await leader.plan({ goal })
  const [, hurry, end] = await rows()
  expect(hurry).toMatchObject({ goal, pace: 10_000, timeScale: 2 })
  expect(end).toMatchObject({ goal: null, lattice: goal, pace: 2 })
  await pass(1)
  const pause = await leader.plan({ paused: true })
  await pass(5)
  expect(game.engine.clock()).toMatchObject({ index: pause!.index, paused: true })
  expect(leader.next()).toBeUndefined()
  expect(await ends()).toBe(1)
  await leader.plan({ paused: false })
  expect(await ends()).toBe(2)
  await pass(20)
  expect(game.engine.status()).toMatchObject({ goalMs: undefined, effectiveTimeScale: 2 })
  expect(game.engine.clock().index).toBeGreaterThanOrEqual(goal)
})

test('alone again it goes by the plan until nothing waits in it', async () => {
  await share()
  await leader.plan({ timeScale: 5 })
  const next = new LeaderClock({ ...optionsOf(), onPace: () => undefined })
  await next.load()
  await pass(1)
  expect(game.engine.clock().timeScale).toBe(2)
  await pass(4)
  expect(game.engine.clock().timeScale).toBe(5)
})
