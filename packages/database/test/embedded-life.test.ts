// Goal: the embedded server has one owner and ends with it, however either ends.
// Method: real child processes and servers, killed with SIGKILL; their processes are counted.
import { killProcesses, processesIn } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../src/embedded.ts'
import { type Database, isAway, openDatabase } from '../src/index.ts'
import { SOCKET, startPostgres } from '../src/postgres.ts'
import { ownerProcess, temporaryPlaces, until } from './embedded-place.ts'
import { startWriters } from './writers.ts'

const places = temporaryPlaces()
afterAll(() => places.remove())

function open(directory: string, notices: string[] = []): Promise<Database> {
  const onNotice = (text: string, level: string): void => void notices.push(`${level}: ${text}`)
  return openDatabase({ directory, schema: 'game', onNotice })
}

/** The number of the server's first process. */
function serverOf(directory: string): number {
  return Number(
    readFileSync(join(directory, 'postgresql', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
}

async function words({ sql }: Database): Promise<string[]> {
  return (await sql<{ word: string }[]>`select word from saying`).map(({ word }) => word)
}

/** Of one directory, one after the other. */
const KILLS = byTier({ gate: 1, night: 5 })

/** At once. */
const OWNERS = byTier({ gate: 2, night: 4 })

const isListed = process.platform === 'linux'

type Moment = readonly [string, (entries: string[], directory: string) => boolean]

const HALF_MADE: Moment = [
  'has begun the cluster',
  (entries) => entries.some((name) => name.includes('.new-')),
]
const MOMENTS: readonly Moment[] = [
  ['has a directory', (entries) => entries.length > 0],
  HALF_MADE,
  ['has the cluster', (entries) => entries.includes('postgresql')],
  ['starts the server', (_, path) => existsSync(join(path, 'postgresql', 'postmaster.pid'))],
]

describe('creation', () => {
  it.each(byTier({ gate: [], night: MOMENTS }))(
    'killed when it %s leaves what the next start can build on',
    async (_, moment) => {
      const database = await openAfterKill(places.fresh(), moment)
      expect(await database.sql`select current_schema() as schema`).toEqual([{ schema: 'game' }])
      await database.close()
    },
  )

  it('by several processes at once succeeds in one, whose kill leaves its row alone', async () => {
    const directory = places.fresh()
    const owners = Array.from({ length: OWNERS }, () => ownerProcess(directory))
    const outcomes = await Promise.allSettled(owners.map((owner) => owner.stored()))
    const winners = owners.filter((_, i) => outcomes[i]?.status === 'fulfilled')
    // Of the winner, or of another that was before it for a moment.
    const pids = owners.map(({ child }) => child.pid).join('|')
    const refusal = new RegExp(`ERR_DATABASE_OWNED: .* on ${hostname()} pid (?:${pids}) `, 'u')
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
    const refusals = failures.map(({ reason }) => String(reason))
    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(refusal)))
    expect(winners).toHaveLength(1)
    await until(() => !isListed || processesIn(directory).length > 3)
    const joined = await openDatabase({ directory, schema: 'game', readOnly: 'joined' })
    expect(await words(joined)).toEqual(['kept'])
    await winners[0]?.kill()
    await until(() => !isListed || processesIn(directory).length === 0)
    await expect.poll(() => joined.sql`select 1`.catch(isAway)).toBe(true)
    // It has started none itself, and finds the next owner's.
    const database = await open(directory)
    expect(await words(database)).toEqual(['kept'])
    expect(await words(joined)).toEqual(['kept'])
    await joined.close()
    await database.close()
  })
})

/** Opens what a start left that was killed at a moment. */
async function openAfterKill(
  directory: string,
  moment: Moment[1],
  notices?: string[],
): Promise<Database> {
  const entries = (): string[] => (existsSync(directory) ? readdirSync(directory) : [])
  const owner = ownerProcess(directory)
  await until(() => moment(entries(), directory) || owner.child.exitCode !== null)
  await owner.kill()
  const database = await open(directory, notices)
  expect(entries()).toEqual(['postgresql'])
  const [row] = await database.sql`select count(*)::int as tables from pg_class`
  expect(row?.['tables']).toBeGreaterThan(400)
  return database
}

describe('an open database that a killed start had begun', () => {
  const directory = places.fresh()
  const cluster = join(directory, 'postgresql')
  const notices: string[] = []
  let database: Database

  beforeAll(async () => {
    database = await openAfterKill(directory, HALF_MADE[1], notices)
  })

  it('is private, durable, checked and in its schema', async () => {
    const [settings] = await database.sql`
      select current_schema() as schema, current_setting('fsync') as fsync,
        current_setting('data_checksums') as checksums,
        current_setting('listen_addresses') as addresses`
    expect(settings).toEqual({ schema: 'game', fsync: 'on', checksums: 'on', addresses: '' })
    expect(statSync(join(cluster, SOCKET)).isSocket()).toBe(true)
    expect(statSync(cluster).mode & 0o777).toBe(0o700)
    await expectPowerless(database)
  })

  /** Its role starts no program, reads no file and makes no role. */
  async function expectPowerless({ sql }: Database): Promise<void> {
    const refused = [
      `copy (select 1) to program 'true'`,
      `copy pg_class to '/tmp/list'`,
      `select pg_read_file('PG_VERSION')`,
      'create role other superuser',
      'set role orrery',
    ]
    for (const statement of refused) {
      await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' })
    }
  }

  it.runIf(IS_NIGHT)(
    'of a release whose superuser made everything is given to that role',
    async () => {
      const directory = await places.prepared()
      const server = await startPostgres(await partsOf(directory, () => {}))
      const path = join(directory, 'postgresql', SOCKET)
      const superuser = postgres({ path, user: 'orrery', database: 'orrery', max: 1 })
      await superuser.unsafe(`
      create schema game; set search_path to game;
      create sequence tally; create table saying (id int generated always as identity, word text);
      insert into saying (word) values ('kept');
      create function one() returns int language sql as 'select 1'`)
      await superuser.end()
      await server.stop()
      const database = await open(directory)
      const { sql } = database
      await sql.unsafe(`
      alter table saying add more int; insert into saying (word) values (nextval('tally')::text);
      drop function one; drop sequence tally; create table fresh ()`)
      expect(await words(database)).toEqual(['kept', '1'])
      await database.close()
      const again = await open(directory)
      expect(await words(again)).toHaveLength(2)
      await again.close()
    },
  )

  it('refuses no reader beside it', async () => {
    await database.sql`create table mark ()`
    const reader = await openDatabase({ directory, schema: 'game', readOnly: true })
    expect(await reader.sql`select from mark`).toHaveLength(0)
    await expect(reader.sql`drop table mark`).rejects.toMatchObject({ code: '25006' })
    await reader.close()
    await database.sql`select 1`
  })

  const killed = ['is killed', 'SIGKILL'] as const
  const ended = ['gets SIGTERM from another program', 'SIGTERM'] as const
  it.each(byTier({ gate: [killed], night: [killed, ended] }))(
    'keeps what it acknowledged when its server %s',
    async (_, signal) => {
      const before = notices.length
      const times = (words: string): number =>
        notices.slice(before).filter((text) => text.includes(words)).length
      const writers = await startWriters(database)
      const { acknowledged } = writers
      for (let round = 1; round <= KILLS; round += 1) {
        await until(() => acknowledged.length >= 200 * round)
        process.kill(serverOf(directory), signal)
        await until(() => times('runs again') === round)
        // That is a warning, too, and may come late.
        await until(() => times('is owned again') >= round)
      }
      const enough = acknowledged.length + 100
      await until(() => acknowledged.length >= enough)
      expect(await writers.stopped()).toEqual({ lost: [], faults: [] })
      await database.sql`drop table entry`
    },
  )

  it('closes without a warning, and leaves no process', async () => {
    // Its server ends this session as it closes.
    const path = join(cluster, SOCKET)
    const other = postgres({ path, user: 'orrery', database: 'orrery', max: 1 })
    await other`select 1`
    const before = notices.length
    await database.close()
    await database.close()
    const closing = notices.slice(before)
    expect(closing).toContain('debug: terminating connection due to administrator command')
    expect(closing.filter((notice) => notice.startsWith('warn'))).toEqual([])
    expect(readdirSync(cluster).filter((name) => /pid|PGSQL/u.test(name))).toEqual([])
    await other.end()
    if (isListed) await until(() => processesIn(directory).length === 0)
  })
})

describe.skipIf(!isListed)('an owner', () => {
  // By day the kills of servers show it.
  it.runIf(IS_NIGHT)('can be opened again at once after a kill', async () => {
    const directory = await places.prepared()
    for (let round = 1; round <= KILLS; round += 1) {
      const owner = ownerProcess(directory)
      await owner.stored()
      await owner.kill()
    }
    const database = await open(directory)
    expect(await words(database)).toHaveLength(KILLS)
    await database.close()
  })

  it.runIf(IS_NIGHT)(
    'that is killed with its guards leaves a server, which the next start ends',
    async () => {
      const directory = await places.prepared()
      const owner = ownerProcess(directory)
      await owner.stored()
      const server = serverOf(directory)
      const isGuard = (pid: number): boolean => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n'
      killProcesses(processesIn(directory).filter(isGuard))
      await owner.kill()
      process.kill(server, 0)
      const database = await open(directory)
      expect(serverOf(directory)).not.toBe(server)
      expect(await words(database)).toEqual(['kept'])
      await database.close()
      await until(() => processesIn(directory).length === 0)
    },
  )

  it.runIf(IS_NIGHT)(
    'that is killed with its server may leave the pid of another process',
    async () => {
      const directory = await places.prepared()
      const owner = ownerProcess(directory)
      await owner.stored()
      const file = join(directory, 'postgresql', 'postmaster.pid')
      const [, ...rest] = readFileSync(file, 'utf8').split('\n')
      // With the first ones others end by themselves.
      killProcesses(processesIn(directory))
      await owner.kill()
      await until(() => processesIn(directory).length === 0)
      // A running process of the same user: PostgreSQL takes it for a server.
      const { uid, gid } = statSync(join(directory, 'postgresql'))
      const other = spawn('sleep', ['120'], { uid, gid, cwd: '/', stdio: 'ignore' })
      writeFileSync(file, [other.pid, ...rest].join('\n'))
      const database = await open(directory)
      expect(await words(database)).toEqual(['kept'])
      await database.close()
      other.kill()
    },
  )
})
