// Goal: the schema moves forward only, one whole migration at a time, the same on every machine.
// Method: folders of scripts written for each case, applied to a real server; a real kill.
import { openFreshDatabase } from '@orrery/testkit'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, migrate, openDatabase } from '../src/index.ts'
import { ownerProcess, until } from './embedded-place.ts'

const server = await openFreshDatabase({ schema: 'public' })
const root = mkdtempSync(join(tmpdir(), 'orrery migrations [%20]-'))

afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await server.close()
})

let count = 0
function folder(scripts: Readonly<Record<string, string>>): URL {
  const path = join(root, String((count += 1)))
  mkdirSync(path)
  for (const [file, script] of Object.entries(scripts)) writeFileSync(join(path, file), script)
  return pathToFileURL(path)
}

const first = { '001.do.ship.sql': 'create table ship (id int);\ninsert into ship values (1);\n' }
const second = { ...first, '002.do.name.sql': "alter table ship add name text default 'Ark';" }

async function ships(database: Database): Promise<unknown> {
  return [...(await database.sql`select * from ship order by id`)]
}

function open(schema: string): Promise<Database> {
  return openDatabase({ url: server.url, directory: '', schema })
}

describe('a schema', () => {
  let database: Database
  beforeAll(async () => {
    database = await open('game')
  })
  afterAll(() => database.close())

  it('applies what is missing, in order, once', async () => {
    await migrate(database, folder(first))
    await migrate(database, folder(first))
    expect(await ships(database)).toEqual([{ id: 1 }])
    await migrate(database, folder(second))
    await migrate(database, folder(second))
    expect(await ships(database)).toEqual([{ id: 1, name: 'Ark' }])
    const rows = await database.sql`select version, file from migration order by version`
    expect([...rows]).toEqual([
      { version: 1, file: '001.do.ship.sql' },
      { version: 2, file: '002.do.name.sql' },
    ])
  })

  it('names a failing file, whose changes are rolled back, and keeps earlier ones', async () => {
    const scripts = {
      ...second,
      '003.do.fine.sql': 'create table fine (id int);',
      '004.do.broken.sql': 'create table half (id int); insert into half values (1); selec 1;',
    }
    const failure = {
      code: 'ERR_MIGRATION_FAILED',
      message: expect.stringMatching(/004\.do\.broken\.sql.*syntax error/u),
    }
    await expect(migrate(database, folder(scripts))).rejects.toMatchObject(failure)
    const [tables] = await database.sql`
      select to_regclass('fine') as fine, to_regclass('half') as half`
    expect(tables).toEqual({ fine: 'fine', half: null })
    const repaired = { ...scripts, '004.do.broken.sql': 'create table half (id int);' }
    await migrate(database, folder(repaired))
  })

  it('refuses an edited, a missing and an unknown migration', async () => {
    const unknown = { code: 'ERR_MIGRATION_UNKNOWN' }
    await expect(migrate(database, folder(second))).rejects.toMatchObject(unknown)
    const edited = {
      ...second,
      '002.do.name.sql': "alter table ship add name text default 'Arc';",
      '003.do.fine.sql': 'create table fine (id int);',
      '004.do.broken.sql': 'create table half (id int);',
    }
    const changed = {
      code: 'ERR_MIGRATION_CHANGED',
      message: expect.stringContaining('002.do.name.sql'),
    }
    await expect(migrate(database, folder(edited))).rejects.toMatchObject(changed)
    const former = {
      code: 'ERR_MIGRATION_FORMER',
      message: expect.stringMatching(/made before release 0\.1.*DATABASE_URL/u),
    }
    const others = { '001.do.fleet.sql': 'create table fleet (id int);' }
    await expect(migrate(database, folder(others))).rejects.toMatchObject(former)
    const windows = { ...edited, '002.do.name.sql': second['002.do.name.sql'] }
    windows['001.do.ship.sql'] = windows['001.do.ship.sql'].replaceAll('\n', '\r\n')
    await migrate(database, folder(windows))
  })

  it.each([
    { '001.do.a.sql': '', '003.do.c.sql': '' },
    { '001.do.a.sql': '', '001.do.b.sql': '' },
    { '001.do.a.sql': '', '002.undo.a.sql': '' },
    { 'ship.sql': '' },
  ])('refuses a folder it cannot order (%#)', async (scripts) => {
    const failure = { code: 'ERR_MIGRATION_FOLDER' }
    await expect(migrate(database, folder(scripts))).rejects.toMatchObject(failure)
  })
})

describe('migrators', () => {
  it('may start at once', async () => {
    const databases = await Promise.all([open('race'), open('race'), open('race')])
    const scripts: Record<string, string> = {}
    for (let version = 1; version <= 9; version += 1) {
      scripts[`00${version}.do.table.sql`] = `select pg_sleep(0.01); create table t${version} ();`
    }
    await Promise.all(databases.map((database) => migrate(database, folder(scripts))))
    const [row] = await open('race').then(async ({ sql, close }) => {
      const rows = await sql`select count(*)::int as versions from migration`
      await close()
      return rows
    })
    expect(row).toEqual({ versions: 9 })
    await Promise.all(databases.map(({ close }) => close()))
  })

  it('that are killed during a script leave no part of it', async () => {
    const directory = join(root, 'killed')
    const path = join(directory, 'postgresql', '.s.PGSQL.5432')
    const halfWay = 'alter table ship add name text; select pg_sleep(3600);'
    const migrations = folder({ ...first, '002.do.name.sql': halfWay })
    const owner = ownerProcess(directory, { migrations })
    await until(() => existsSync(path))
    const observer = postgres({ path, user: 'orrery', database: 'orrery', max: 1 })
    const isHalfWay = (): Promise<boolean> =>
      observer`select from pg_stat_activity where wait_event = 'PgSleep'`.then(
        (rows) => rows.length > 0,
        () => false,
      )
    while (!(await isHalfWay())) await setTimeout(5)
    await observer.end()
    await owner.kill()
    const database = await openDatabase({ directory, schema: 'game' })
    expect(await ships(database)).toEqual([{ id: 1 }])
    await migrate(database, folder(second))
    expect(await ships(database)).toEqual([{ id: 1, name: 'Ark' }])
    await database.close()
  })
})
