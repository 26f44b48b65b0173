// Goal: the embedded database has one owner, survives the death of it at any moment, and says
// clearly when it is gone. Method: real child processes killed with SIGKILL, real worker threads.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { checkpointIfDue, vacuumIfDue } from '../src/housekeeping.ts'
import { type Database, isAway, openDatabase } from '../src/index.ts'
import { embeddedDirectories } from './embedded-directory.ts'

const directories = embeddedDirectories()
afterAll(() => directories.remove())

// Several creations in a row, on a machine that may be busy with other tests.
const CREATIONS_MS_MAX = 240_000

function open(directory: string): Promise<Database> {
  return openDatabase({ directory, schema: 'game' })
}

function ownerProcess(directory: string): ChildProcess {
  const script = fileURLToPath(new URL('owner-process.ts', import.meta.url))
  return spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function stored(child: ChildProcess): Promise<void> {
  for await (const text of child.stdout ?? []) if (String(text).includes('stored')) return
  throw new Error('the owner ended before it had stored anything')
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(2)
}

describe('creation', () => {
  it(
    'killed at any moment leaves nothing that the next start cannot build on',
    async () => {
      // The result serves the other tests: it must be as good as one made in peace.
      const directory = directories.template
      const unfinished = join(directory, 'cluster.building')
      const moments = [
        () => existsSync(join(directory, 'lock')),
        () => existsSync(unfinished),
        () => existsSync(join(unfinished, 'base', '5', '1259')),
        () => existsSync(join(directory, 'cluster')),
      ]
      for (const moment of moments) {
        const child = ownerProcess(directory)
        await until(moment)
        await kill(child)
      }
      const { sql, close } = await open(directory)
      await sql`drop table if exists saying`
      expect(existsSync(unfinished)).toBe(false)
      const [row] = await sql`select count(*)::int as tables from pg_class where relkind = 'r'`
      expect(row?.['tables']).toBeGreaterThan(60)
      await close()
    },
    CREATIONS_MS_MAX,
  )

  it('says what is wrong with a directory', async () => {
    const file = directories.empty()
    writeFileSync(file, '')
    await expect(open(file)).rejects.toMatchObject({ code: 'ERR_DATABASE_DIRECTORY' })
    const foreign = directories.empty()
    mkdirSync(join(foreign, 'cluster'), { recursive: true })
    writeFileSync(join(foreign, 'cluster', 'PG_VERSION'), '9\n')
    await expect(open(foreign)).rejects.toMatchObject({ code: 'ERR_DATABASE_DIRECTORY' })
    await expect(open(foreign), 'and releases it').rejects.toMatchObject({
      code: 'ERR_DATABASE_DIRECTORY',
    })
  })
})

describe('one owner', () => {
  it('refuses a second owner, naming the first, in the same process', async () => {
    const directory = await directories.fresh()
    const first = await open(directory)
    const refusal = {
      code: 'ERR_DATABASE_LOCKED',
      message: expect.stringContaining(`${process.pid}`),
    }
    await expect(open(directory)).rejects.toMatchObject(refusal)
    await first.sql`select 1`
    await first.close()
    const second = await open(directory)
    await second.close()
  })

  it('refuses another process, and takes over at once when the owner was killed', async () => {
    const directory = await directories.fresh()
    const child = ownerProcess(directory)
    await stored(child)
    const refusal = {
      code: 'ERR_DATABASE_LOCKED',
      message: expect.stringContaining(`${child.pid}`),
    }
    await expect(open(directory)).rejects.toMatchObject(refusal)
    const record = readFileSync(join(directory, 'owner.json'), 'utf8')
    const owner: { socketDirectory: string } = JSON.parse(record)
    expect(existsSync(owner.socketDirectory)).toBe(true)
    await kill(child)

    const { sql, close } = await open(directory)
    expect(await sql`select word from saying`).toEqual([{ word: 'kept' }])
    expect(existsSync(owner.socketDirectory)).toBe(false)
    await close()
    expect(readdirSync(directory).toSorted()).toEqual(['clean', 'cluster', 'lock'])
  })
})

describe('an open database', () => {
  it('is private, durable and in its schema', async () => {
    const before = new Set(readdirSync(tmpdir()))
    const directory = await directories.fresh()
    const { sql, close } = await open(directory)
    const [settings] = await sql`
      select current_schema() as schema, current_setting('fsync') as fsync,
        current_setting('data_checksums') as checksums`
    expect(settings).toEqual({ schema: 'game', fsync: 'on', checksums: 'on' })
    const sockets = readdirSync(tmpdir()).filter((name) => /^orrery-\w{6}$/u.test(name))
    const mine = sockets.filter((name) => !before.has(name))
    expect(mine.length).toBeGreaterThan(0)
    for (const name of mine) expect(statSync(join(tmpdir(), name)).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'cluster')).mode & 0o777).toBe(0o700)
    await close()
    await close()
  })

  it('keeps transactions apart from queries sent meanwhile', async () => {
    const { sql, close } = await open(await directories.fresh())
    await sql`create table account (id int primary key, credit int)`
    await sql`insert into account values (1, 0)`
    const raise = (): Promise<unknown> =>
      sql.begin(async (transaction) => {
        const [row] = await transaction`select credit from account where id = 1`
        await setTimeout(1)
        await transaction`update account set credit = ${row?.['credit'] + 1}`
      })
    const failing = sql.begin(async (transaction) => {
      await transaction`update account set credit = 1000000`
      throw new Error('changed my mind')
    })
    const reads = Array.from(
      { length: 50 },
      (_, n) => sql`select ${n}::int as n, credit from account`,
    )
    const outcome = Promise.allSettled([failing])
    await Promise.all(Array.from({ length: 20 }, raise))
    const rows = await Promise.all(reads)
    expect(rows.map(([row]) => row?.['n'])).toEqual(rows.map((_, n) => n))
    expect((await outcome)[0]?.status).toBe('rejected')
    expect(await sql`select credit from account`).toEqual([{ credit: 20 }])
    await close()
  })

  it('fails queries with its own error once its thread has died, and comes back', async () => {
    const workers: Worker[] = []
    const collect = (worker: Worker): void => void workers.push(worker)
    process.on('worker', collect)
    const directory = await directories.fresh()
    const { sql, close } = await open(directory)
    process.off('worker', collect)
    const running = sql`select pg_sleep(60)`.execute()
    const waiting = sql.begin((transaction) => transaction`select 1`)
    const lost = { code: 'ERR_DATABASE_LOST' }
    const outcomes = Promise.allSettled([running, waiting])
    await workers[0]?.terminate()
    const rejection = { status: 'rejected', reason: expect.objectContaining(lost) }
    expect(await outcomes).toEqual([rejection, rejection])
    const reasons: unknown[] = []
    const isBack = (): Promise<boolean> =>
      sql`select 1`.then(
        () => true,
        (reason: unknown) => reasons.push(reason) === 0,
      )
    while (!(await isBack())) await setTimeout(5)
    expect(reasons.filter((reason) => !isAway(reason))).toEqual([])
    await close()
    const again = await open(directory)
    await again.close()
  })

  it('keeps its log short and reclaims deleted rows', async () => {
    const { sql, close } = await open(await directories.fresh())
    expect(await checkpointIfDue(sql)).toBe(false)
    await sql`create table ballast (bytes bytea)`
    const bytes = Buffer.alloc(1024 * 1024)
    for (let at = 0; at < bytes.length; at += 4)
      bytes.writeUInt32LE((at * 2654435761) % 2 ** 32, at)
    for (let megabyte = 0; megabyte < 66; megabyte += 1)
      await sql`insert into ballast values (${bytes})`
    expect(await checkpointIfDue(sql)).toBe(true)
    expect(await checkpointIfDue(sql)).toBe(false)
    await sql`create table line (n int)`
    await sql`insert into line select generate_series(1, 1000)`
    await sql`delete from line where n > 100`
    let vacuumed: string[] = []
    // PostgreSQL counts dead rows with a delay of about a second.
    while (vacuumed.length === 0) {
      await setTimeout(100)
      vacuumed = await vacuumIfDue(sql)
    }
    expect(vacuumed).toEqual(['line'])
    await close()
  })
})
