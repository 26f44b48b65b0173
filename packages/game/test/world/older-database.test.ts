// Law: a database of an earlier release goes on, with all that is in it, to the bit. Method: what a
// game has stored is copied to tables of migration 007, which are migrated and started.
import { type Database, migrate } from '@orrery/database'
import { beats, drainHost, listHosts, migrations } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { hostOf } from '../../src/index.ts'
import { callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const LAST = '007'
const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

const { database } = await openGameDatabase()
const older = await openFreshDatabase({ schema: 'game' })
const host = hostOf('http://h1', '0.1.0')

afterAll(() => older.close())

/** Makes the tables of earlier migrations. */
async function migrateUntil({ sql, ...rest }: Database, last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'orrery-migrations-'))
  const files = (await readdir(migrations)).filter((file) => file.slice(0, 3) <= last)
  for (const file of files) await cp(new URL(file, migrations), join(folder, file))
  await migrate({ sql, ...rest }, new URL(`${pathToFileURL(folder).href}/`))
  await rm(folder, { recursive: true })
}

/** Copies all rows of the tables that are there. */
async function copyTo({ sql }: Database): Promise<void> {
  const tables = await sql<{ name: string; identity: string | null }[]>`
    select table_name as name,
      (select column_name from information_schema.columns
        where is_identity = 'YES' and columns.table_name = tables.table_name
          and columns.table_schema = 'game') as identity
    from information_schema.tables where table_schema = 'game' and table_name <> 'migration'`
  await sql.begin(async (transaction) => {
    await transaction`set local session_replication_role = replica`
    for (const { name, identity } of tables) {
      const [{ rows }] = await database.sql<[{ rows: string }]>`
        select coalesce(jsonb_agg(one), '[]')::text as rows from ${database.sql(name)} as one`
      await transaction`delete from ${transaction(name)}`
      await transaction.unsafe(
        `insert into ${name} overriding system value
          select * from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
        [rows],
      )
      if (identity === null) continue
      await transaction.unsafe(
        `select setval(pg_get_serial_sequence('${name}', '${identity}'),
          greatest(1, (select max(${identity}) from ${name})))`,
      )
    }
  })
}

test('a world of migration 007 is migrated, and started', async () => {
  const before = await openTestGame(database, { createPool: callingThread })
  await beats(database.sql, host).beat({ load: 0, lag: null })
  await before.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  await before.fly(1)
  before.engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await before.fly(5)
  await before.journalWriter.durable()
  const image = await before.engine.image()
  await before.crash()
  await migrateUntil(older, LAST)
  await copyTo(older)
  await migrate(older, migrations)
  const after = await openTestGame(older, { createPool: callingThread })
  expect(after.opened.header).toEqual(image.header)
  expect(after.opened.bytes).toEqual(image.bytes)
  await after.engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Max' })
  await after.keeper.snapshot()
  expect(await drainHost(older.sql, { host: host.incarnation, drained: true })).toBe(true)
  expect(await listHosts(older.sql)).toMatchObject([{ address: 'http://h1', isDrained: true }])
  expect(after.errors).toEqual([])
  await after.crash()
})
