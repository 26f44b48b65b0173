// Goal: the world is stored when it should be, and a restore or a reset replaces all of it at once,
// and nothing else. Method: the game without a network on a real database.
import { allShips, findShip } from '@orrery/engine'
import { type Backup, backups, eras, settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TestGame, openGameDatabase, openTestGame } from './game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

let game: TestGame

beforeEach(async () => {
  await empty()
  game = await openTestGame(database)
})

afterEach(async () => {
  vi.useRealTimers()
  await game.crash()
})

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

/** Works while all others wait for a table; a promise is returned in an object. */
function held<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  return sql.begin(async (transaction) => {
    await transaction`lock table ${transaction(table)} in access exclusive mode`
    return work()
  }) as Promise<Result>
}

async function storedIds(): Promise<number[]> {
  return (await game.keeper.list('all')).map(({ id }) => id)
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sql`select 1`
}

/** Starts the keeper, which looks each second whether a snapshot is due; seconds pass by calls. */
async function lookingKeeper(): Promise<(seconds: number) => void> {
  // No tick competes with what is stored.
  await game.engine.pause()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  game.keeper.start()
  return (seconds) => void vi.advanceTimersByTime(1000 * seconds)
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

test('a restore keeps accounts and settings, and each account has its ship', async () => {
  const { keeper, records, accountChanges, engine } = game
  const ida = await shipOf('Ida')
  const gone = await accountChanges.createPlayer('Gone', 'password')
  await game.fly(1)
  const { id, ...moment } = await keeper.snapshot()
  await accountChanges.removeOwn(gone.playerId)
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
  await game.crash()
  game = await openTestGame(database)
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
  const registered = await held('era', async () => {
    while (!isAtRest()) await sql`select 1`
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
  await records.kept.changeSettings({ tickRate: 10, paused: true, registrationOpen: false })
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
  const { registrationOpen, worldSeed, era, ...kept } = records.kept.settings
  expect({ kept, registrationOpen, worldSeed, era }).toEqual({
    kept: defaults,
    registrationOpen: true,
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
  await game.crash()
  game = await openTestGame(database)
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  expect(game.log).toMatchObject([['info', 'world recovered', { snapshot: first, era: 2 }]])
})

test('no reset without an admin of the environment', async () => {
  await game.crash()
  game = await openTestGame(database, { admin: undefined })
  await expect(game.keeper.reset()).rejects.toMatchObject({ code: 'E003', status: 400 })
  expect(await backups(sql).list()).toEqual([])
  expect(game.records.kept.settings.era).toBe(1)
})

test('the world is stored when it is due, at a clean stop, and two of these are kept', async () => {
  const { keeper, clock, engine, journalWriter } = game
  const look = await lookingKeeper()
  await shipOf('Ida')
  await clock.advance(59_999)
  look(3)
  await clock.advance(1)
  for (const id of [2, 3, 4]) {
    await until(async () => {
      look(1)
      return (await storedIds())[0] === id
    })
    await clock.advance(60_000)
  }
  await keeper.snapshot()
  expect(await storedIds()).toEqual([5, 4, 3, 1])
  await keeper.stop()
  expect(await storedIds()).toEqual([6, 5, 4, 1])
  expect(await kinds()).toEqual(['stop', 'admin', 'automatic', 'automatic'])
  expect(vi.getTimerCount()).toBe(0)
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
  game = await openTestGame(database, { journalMs: 60_000 })
  const look = await lookingKeeper()
  for (const [id, name] of [
    [2, 'Ida'],
    [3, 'Max'],
  ] as const) {
    await shipOf(name)
    await game.clock.advance(60_000)
    await until(async () => {
      look(1)
      return (await storedIds())[0] === id
    })
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
  const look = await lookingKeeper()
  const { asked } = await held('snapshot', async () => {
    const first = keeper.snapshot()
    for (let minute = 1; minute <= 3; minute++) {
      await clock.advance(60_000)
      look(2)
    }
    return { asked: first }
  })
  expect(await asked).toMatchObject({ id: 2 })
  await until(async () => (await storedIds())[0] === 3)
  await sql`alter table snapshot rename to elsewhere`
  await clock.advance(60_000)
  // Another look after the error would begin a second attempt.
  await until(() => errors.length > 0 || (look(1), false))
  await sql`alter table elsewhere rename to snapshot`
  expect(errors).toMatchObject([{ code: '42P01' }])
  await clock.advance(60_000)
  await until(async () => (look(1), (await storedIds())[0] === 4))
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

test.each(['restore', 'reset', 'backup'] as const)(
  'a %s whose commit is not answered is completed, once',
  async (change) => {
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
    if (change === 'reset') await keeper.reset()
    else await (change === 'restore' ? keeper.restore(id) : keeper.restoreBackup(backupId))
    spy.mockRestore()
    expect([lost, records.kept.settings.era]).toEqual([1, 2])
    expect(game.errors.splice(0)).toMatchObject([{ code: 'CONNECTION_CLOSED' }])
    expect(await backups(sql).list()).toHaveLength(change === 'restore' ? 1 : 2)
    expect(findShip(engine.universe, ida) !== undefined).toBe(change !== 'reset')
    await game.fly(1)
    await game.journalWriter.durable()
    const before = await engine.image()
    await game.crash()
    game = await openTestGame(database)
    expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  },
)
