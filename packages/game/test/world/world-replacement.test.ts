// Goal: a restore or a reset replaces all of the world at once, and nothing else, also where the
// database does not answer. Method: the game without a network on a real database; ships fly on
// this thread.
import { allShips, findShip } from '@orrery/engine/testing'
import { type Backup, backups, eras, settings } from '@orrery/store'
import { byTier } from '@orrery/testkit/tier'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type TestGame,
  type TestGameConfig,
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

afterEach(() => game.crash())

async function reopened(createPool: TestGameConfig['createPool'] = callingThread): Promise<void> {
  await game.crash()
  game = await openTestGame(database, { createPool })
}

/** Names of all ships, by id. */
function shipNames(): Record<string, string> {
  const ships = allShips(game.engine.universe)
  return Object.fromEntries(Array.from(ships, ({ shipId, name }) => [shipId, name]))
}

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

test('a restore keeps accounts and settings, and each account has its ship', async () => {
  const { keeper, records, accountChanges, engine } = game
  const ida = await shipOf('Ida')
  const gone = await accountChanges.createPlayer('Gone', 'password')
  await game.fly(1)
  const { id, ...moment } = await keeper.snapshot()
  await accountChanges.removeOwn(gone)
  const max = await shipOf('Max')
  await engine.execute({ kind: 'rename_ship', shipId: ida, name: 'Later' })
  await engine.execute({ kind: 'rename_ship', shipId: max, name: 'Dauntless' })
  await records.kept.changeSettings({ registrationOpen: false })
  await game.fly(2)

  expect(await keeper.restore(id)).toEqual(moment)
  expect(shipNames()).toEqual({ [ida]: 'Ida', [max]: 'Dauntless' })
  expect(engine.status()).toMatchObject({ ...moment, ships: 2 })
  expect(game.replacements).toEqual(['restored'])
  expect(records.kept.settings).toMatchObject({ era: 2, registrationOpen: false })
  expect(await settings(sql).load()).toMatchObject({ era: 2, registrationOpen: false })
  const { snapshotId } = (await eras(sql).byNumber(2)) ?? {}
  expect(await eras(sql).list()).toMatchObject([{ reason: 'new' }, { reason: 'restored' }])
  expect(snapshotId).toBeGreaterThan(id)
  // Of the world as it was entered, before any command of the new era.
  await game.fly(1)
  const before = await engine.image()
  await game.journalWriter.durable()
  await reopened()
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  expect(game.log).toMatchObject([['info', 'world recovered', { snapshot: snapshotId, era: 2 }]])
})

test('what is not stored, a backup or damaged is not restored', async () => {
  const { keeper, records } = game
  const { id } = await keeper.snapshot()
  expect(await keeper.restore(999)).toBeUndefined()
  await sql`update snapshot set kind = 'backup' where id = ${id}`
  expect(await keeper.restore(id)).toBeUndefined()
  expect(await storedIds()).toEqual([1])
  await sql`update snapshot set kind = 'admin', header = '{}' where id = ${id}`
  await expect(keeper.restore(id)).rejects.toMatchObject({
    name: 'Refusal',
    code: 'E008',
    status: 500,
    message: expect.stringMatching(`^Snapshot ${id} does not open: \\w`),
  })
  await sql`update snapshot set checksum = 'x' || substr(checksum, 2) where id = ${id}`
  expect(await keeper.restore(id)).toBeUndefined()
  expect(records.kept.settings.era).toBe(1)
  expect(game.replacements).toEqual([])
})

test('while a world is restored no tick runs, commands are refused and accounts wait', async () => {
  const { keeper, engine, clock, accountChanges, journalWriter } = game
  const ida = await shipOf('Ida')
  const { id } = await keeper.snapshot()
  const restoring = keeper.restore(id)
  const registering = { isOver: false }
  const isAtRest = (): boolean => {
    try {
      journalWriter.admit()
      return false
    } catch {
      return true
    }
  }
  const registered = await held(sql, 'era', async () => {
    await until(isAtRest)
    const account = accountChanges.createPlayer('Max', 'password')
    void account.then(() => (registering.isOver = true))
    const refused = engine.execute({ kind: 'rename_ship', shipId: ida, name: 'Late' })
    await expect(refused).rejects.toMatchObject({ code: 'ERR_JOURNAL_AT_REST' })
    const { tick } = engine.status()
    await clock.advance(10_000)
    for (let i = 0; i < 20; i++) await sql`select 1`
    expect(engine.status().tick).toBe(tick)
    expect(registering.isOver).toBe(false)
    return { account }
  })
  await restoring
  await registered.account
  expect(Object.values(shipNames())).toEqual(['Ida', 'Max'])
})

test('a backup has the accounts of its moment; damaged ones are refused', async () => {
  const { keeper, accountChanges, records } = game
  const first = await keeper.backUp()
  await accountChanges.createPlayer('Ida', 'password')
  const second = keeper.backUp()
  const max = accountChanges.createPlayer('Max', 'password')
  const { backupId, snapshotId, accountCount } = await second
  await max
  expect([first.accountCount, accountCount]).toEqual([1, 2])
  const restored = await keeper.restoreBackup(backupId)
  expect(Object.values(shipNames())).toEqual(['Ida'])
  expect(await records.accounts.list()).toMatchObject([{ username: 'Chief' }, { username: 'Ida' }])
  expect(game.replacements).toEqual(['backup'])
  const third = await keeper.backUp()
  expect((await backups(sql).list()).map((one) => one.backupId)).toEqual([
    third.backupId,
    restored?.backupId,
    backupId,
  ])
  await sql`update snapshot_part set bytes = '\\x00' where snapshot_id = ${snapshotId}`
  const refusal = { code: 'E008', message: 'The world of this backup is damaged' }
  await expect(keeper.restoreBackup(backupId)).rejects.toMatchObject(refusal)
  expect(await keeper.restoreBackup('none')).toBeUndefined()
  expect(await keeper.deleteBackup(backupId)).toBe(true)
  expect(records.kept.settings.era).toBe(2)
})

test('accounts whose ships find no room keep a world from being restored', async () => {
  const { keeper, records } = game
  const { id } = await keeper.snapshot()
  await sql`
    insert into account (player_id, username, username_key, password_hash, is_admin, ship_id)
    select gen_random_uuid(), i, i, '', false, gen_random_uuid()
    from generate_series(1, 2000) as i`
  const refusal = { name: 'Refusal', code: 'E008', status: 503, message: 'The world is full' }
  await expect(keeper.restore(id)).rejects.toMatchObject(refusal)
  expect(records.kept.settings.era).toBe(1)
})

test('a reset begins again with the defaults, and puts everything aside', async () => {
  const { keeper, records, engine, accountChanges, journalWriter } = game
  const [{ playerId: admin }] = await records.accounts.list()
  await accountChanges.createPlayer('Ida', 'password')
  const switched = { registrationOpen: false, talkEnabled: true }
  const decided = { tickRate: 10, paused: true, paceVote: { lowest: 1, highest: 9 }, ...switched }
  await records.kept.changeSettings(decided)
  engine.changeTickRate(10)
  engine.changeTimeScale(50)
  engine.switchAdaptive(true)
  engine.switchTimeSync(true)
  await game.fly(2)
  await engine.pause()
  const { tick } = engine.status()

  const { backupId, ...moment } = await keeper.reset()
  expect(moment.tick).toBe(0)
  expect(Math.abs(moment.gameTimeMs - Date.now())).toBeLessThan(60_000)
  const defaults = {
    tickRate: 1,
    timeScale: 1,
    paused: false,
    timeSyncEnabled: false,
    adaptiveTickRate: false,
  }
  const { registrationOpen, talkEnabled, paceVote, worldSeed, era, clockGoal, ...kept } =
    records.kept.settings
  expect({ kept, registrationOpen, talkEnabled, paceVote, worldSeed, era, clockGoal }).toEqual({
    kept: defaults,
    clockGoal: 'none',
    registrationOpen: true,
    talkEnabled: false,
    paceVote: 'off',
    worldSeed: 'seed',
    era: 2,
  })
  expect(await settings(sql).load()).toEqual(records.kept.settings)
  expect(engine.status()).toMatchObject({ ...defaults, ...moment, ships: 0 })
  expect(await records.accounts.list()).toMatchObject([{ playerId: admin, username: 'Chief' }])
  expect(game.replacements).toEqual(['events forgotten', 'reset'])
  const aside: Partial<Backup> = { backupId, tick, accountCount: 2 }
  expect(await backups(sql).list()).toMatchObject([aside])
  const first = (await eras(sql).byNumber(2))?.snapshotId
  expect(await eras(sql).byNumber(2)).toMatchObject({ reason: 'reset' })
  expect(await kinds()).toEqual(['automatic', 'backup', 'automatic'])

  await game.fly(1)
  await journalWriter.durable()
  const before = await engine.image()
  await reopened()
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  expect(game.log).toMatchObject([['info', 'world recovered', { snapshot: first, era: 2 }]])
})

test('no reset without an admin of the environment', async () => {
  await game.crash()
  game = await openTestGame(database, { admin: undefined, createPool: callingThread })
  await expect(game.keeper.reset()).rejects.toMatchObject({ code: 'E003', status: 400 })
  expect(await backups(sql).list()).toEqual([])
  expect(game.records.kept.settings.era).toBe(1)
})

const LOST = ['restore', 'reset', 'backup'] as const

test.each(LOST.slice(0, byTier({ gate: 1, night: 3 })))(
  'a %s whose commit is not answered is completed, once',
  async (change) => {
    // Once with threads: they make the world's image while it is at rest.
    if (change === 'backup') await reopened(latePool)
    const { keeper, records, engine } = game
    const ida = await shipOf('Ida')
    const { id } = await keeper.snapshot()
    const { backupId } = await keeper.backUp()
    const begin = records.sql.begin.bind(records.sql) as (work: unknown) => Promise<unknown>
    let lost = 0
    const losing = async (work: unknown): Promise<unknown> => {
      const result = await begin(work)
      if (lost > 0 || !(await eras(sql).byNumber(2))) return result
      lost++
      throw Object.assign(new Error('The connection is gone.'), { code: 'CONNECTION_CLOSED' })
    }
    const spy = vi.spyOn(records.sql, 'begin').mockImplementation(losing as never)
    const changes = {
      reset: () => keeper.reset(),
      restore: () => keeper.restore(id),
      backup: () => keeper.restoreBackup(backupId),
    }
    const changed = changes[change]()
    await until(() => game.errors.length > 0)
    await game.clock.advance(500)
    await changed
    spy.mockRestore()
    expect([lost, records.kept.settings.era]).toEqual([1, 2])
    expect(game.errors.splice(0)).toMatchObject([{ code: 'CONNECTION_CLOSED' }])
    expect(await backups(sql).list()).toHaveLength(change === 'restore' ? 1 : 2)
    expect(findShip(engine.universe, ida) !== undefined).toBe(change !== 'reset')
    await game.fly(1)
    await game.journalWriter.durable()
    const before = await engine.image()
    await reopened()
    expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  },
)
