// Goal: the world is stored when it should be, as it is published then, while it runs. Method: the
// game without a network on a real database; ships fly on this thread, and once in another.
import { eras } from '@orrery/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type TestGame,
  callingThread,
  held,
  latePool,
  openGameDatabase,
  openTestGame,
  until,
} from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

let game: TestGame

beforeEach(async () => {
  await empty()
  game = await openTestGame(database, { createPool: callingThread })
})

afterEach(async () => {
  await game.crash()
})

async function shipOf(username: string): Promise<string> {
  const { shipId } = await game.accountChanges.createPlayer(username, 'password')
  return shipId ?? ''
}

async function kinds(): Promise<string[]> {
  return (await game.records.snapshots.list()).map(({ kind }) => kind)
}

async function storedIds(): Promise<number[]> {
  return (await game.keeper.list('all')).map(({ id }) => id)
}

/** Starts the keeper, which looks each second whether a snapshot is due. */
async function startKeeper(): Promise<void> {
  // No tick competes with what is stored.
  await game.engine.pause()
  game.keeper.start()
}

/** Waits for an automatic snapshot and for the pruning behind it. */
async function untilStored(id: number): Promise<void> {
  await until(async () => (await storedIds())[0] === id)
  await game.keeper.remove(0)
}

test('a new world has the objects of the catalog, an admin and the first era', async () => {
  const { engine, records } = game
  const [{ index }] = engine.universe.worlds
  expect(Math.abs(engine.status().gameTimeMs - Date.now())).toBeLessThan(60_000)
  expect(engine.status()).toMatchObject({ tick: 0, ships: 0 })
  expect(engine.stations().length).toBeGreaterThan(0)
  expect(engine.jumpgates().length).toBeGreaterThan(0)
  const [first] = await records.snapshots.list()
  expect(first).toMatchObject({ id: 1, era: 1, kind: 'automatic', tick: 0, lattice: index })
  expect(await eras(sql).list()).toMatchObject([{ era: 1, reason: 'new', snapshotId: 1 }])
  expect(await records.accounts.list()).toMatchObject([{ username: 'Chief', isAdmin: true }])
  expect(game.errors).toEqual([])
})

test('a snapshot is of the published world, and has its tick, time and last command', async () => {
  await game.crash()
  game = await openTestGame(database, { createPool: latePool })
  await game.fly(2)
  await shipOf('Ida')
  const { tick, gameTimeMs } = game.engine.status()
  const { index, sequences } = game.engine.clock()
  expect(await game.keeper.snapshot()).toEqual({ id: 2, tick, gameTimeMs })
  const [stored] = await game.keeper.list('admin')
  const gameTime = new Date(gameTimeMs)
  expect(stored).toMatchObject({
    id: 2,
    era: 1,
    kind: 'admin',
    tick,
    lattice: index,
    gameTime,
    sequences,
  })
  expect(await storedIds()).toEqual([2, 1])
})

test('the world is stored when it is due, at a clean stop, and two of these are kept', async () => {
  const { keeper, clock, engine, journalWriter } = game
  await startKeeper()
  await shipOf('Ida')
  await clock.advance(59_999)
  await clock.advance(1)
  await untilStored(2)
  for (const id of [3, 4]) {
    await clock.advance(60_000)
    await untilStored(id)
  }
  await keeper.snapshot()
  expect(await storedIds()).toEqual([5, 4, 3, 1])
  await keeper.stop()
  await clock.advance(120_000)
  expect(await storedIds()).toEqual([6, 5, 4, 1])
  expect(await kinds()).toEqual(['stop', 'admin', 'automatic', 'automatic'])
  const stopped = expect.objectContaining({ code: 'ERR_JOURNAL_STOPPED' })
  expect(() => journalWriter.admit()).toThrow(stopped)
  const late = engine.execute({ kind: 'maneuver_logging', level: 'off' })
  await expect(late).rejects.toMatchObject({ code: 'ERR_STOPPED' })
  const [{ rows }] = await sql`select count(*)::int as rows from journal`
  expect(rows, 'the journal is kept from its start').toBe(1)
  expect(game.errors).toEqual([])
})

test('commands that are too old go, but those that the two newest worlds need', async () => {
  await game.crash()
  game = await openTestGame(database, { createPool: callingThread, journalMs: 60_000 })
  await startKeeper()
  for (const [id, name] of [
    [2, 'Ida'],
    [3, 'Max'],
  ] as const) {
    await shipOf(name)
    await game.clock.advance(60_000)
    await untilStored(id)
  }
  await until(async () => (await sql`select from journal`).length === 1)
  await game.keeper.stop()
  expect(await sql`select command ->> 'name' as name from journal`).toEqual([{ name: 'Max' }])
  expect(await eras(sql).list()).toMatchObject([{ era: 1, snapshotId: 2 }])
  expect(await storedIds()).toEqual([4, 3, 2])
  expect(game.errors).toEqual([])
})

test('while the database is away one snapshot waits; a failed one is reported', async () => {
  const { keeper, clock, errors } = game
  await startKeeper()
  const { asked } = await held(sql, 'snapshot', async () => {
    const first = keeper.snapshot()
    for (let minute = 1; minute <= 3; minute++) {
      await clock.advance(60_000)
    }
    return { asked: first }
  })
  expect(await asked).toMatchObject({ id: 2 })
  await untilStored(3)
  await sql`alter table snapshot rename to elsewhere`
  await clock.advance(60_000)
  await until(() => errors.length > 0)
  await sql`alter table elsewhere rename to snapshot`
  expect(errors).toMatchObject([{ code: '42P01' }])
  await clock.advance(60_000)
  await untilStored(4)
  await keeper.stop()
  expect(await kinds()).toEqual(['stop', 'automatic', 'admin', 'automatic'])
  expect(await storedIds()).toEqual([5, 4, 2, 1])
})

test('a world that broke is not stored', async () => {
  const { keeper, clock, engine } = game
  vi.spyOn(game.pools[0], 'advance').mockRejectedValue(new Error('broken'))
  await shipOf('Ida')
  await clock.advance(1000)
  await engine.whenSettled(() => undefined)
  expect(engine.status().faulted).toBe(true)
  await keeper.stop()
  expect(await kinds()).toEqual(['automatic'])
})

test('a world that another takes as it is to be stored is left to that one', async () => {
  await game.keeper.stop(async () => {
    await sql`update system_owner set fence = fence + 1`
    return false
  })
  expect(await kinds()).toEqual(['automatic'])
  expect(game.errors).toMatchObject([{ code: 'ERR_FENCED' }])
})
