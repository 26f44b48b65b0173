// Goal: a broken cluster costs what was stored since its last clean start, never all; a full or
// read-only disk costs nothing acknowledged. Method: files cut, flipped and removed; child
// processes killed while they copy; a small file system filled up.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, isAway, openDatabase } from '../src/index.ts'
import { embeddedDirectories } from './embedded-directory.ts'
import { smallFileSystem } from './small-file-system.ts'

const directories = embeddedDirectories()
const small = smallFileSystem(64)
afterAll(() => {
  directories.remove()
  small.remove()
})

const OPENINGS_MS_MAX = 240_000

function open(directory: string, notices: string[] = []): Promise<Database> {
  return openDatabase({ directory, schema: 'game', onNotice: (notice) => notices.push(notice) })
}

function entries(directory: string, kind: RegExp): string[] {
  return readdirSync(directory).filter((name) => kind.test(name))
}

function flip(file: string): void {
  const bytes = readFileSync(file)
  for (let at = 20; at < bytes.length; at += 997) bytes[at] = (bytes[at] ?? 0) ^ 0x5a
  writeFileSync(file, bytes)
}

describe('a broken cluster', () => {
  it(
    'without a copy is refused in one line and left as it is',
    async () => {
      const directory = await directories.fresh()
      rmSync(join(directory, 'clean'))
      const control = join(directory, 'cluster', 'global', 'pg_control')
      truncateSync(control, 100)
      const failure = await open(directory).catch((error: unknown) => error)
      expect(failure).toMatchObject({
        code: 'ERR_DATABASE_DIRECTORY',
        message: expect.stringMatching(/^.*pg_control.*there is no copy of it.*$/u),
      })
      expect(entries(directory, /./u).toSorted()).toEqual(['cluster', 'lock'])
      expect(readFileSync(control).length).toBe(100)
    },
    OPENINGS_MS_MAX,
  )

  it(
    'is moved aside for a copy of the last good one, as often as it takes',
    async () => {
      const directory = await directories.fresh()
      const cluster = join(directory, 'cluster')
      const first = await open(directory)
      await first.sql`create table saying (word text)`
      await first.sql`insert into saying values ('copied')`
      await first.close()
      const second = await open(directory)
      const [file] = await second.sql<[{ path: string }]>`
        select pg_relation_filepath('saying') as path`
      await second.sql`insert into saying values ('not copied')`
      expect(second.fellBack).toBeUndefined()
      await second.close()
      rmSync(join(directory, 'clean'))

      const wal = join(cluster, 'pg_wal')
      const faults = [
        () => flip(join(cluster, 'global', 'pg_control')),
        () => entries(wal, /^\d+/u).forEach((segment) => truncateSync(join(wal, segment), 4096)),
        () => flip(join(cluster, 'base', '5', '1255')),
        () => rmSync(join(cluster, file.path)),
        () => rmSync(cluster, { recursive: true }),
      ]
      const evidence = new Set<string>()
      for (const [round, breakIt] of faults.entries()) {
        breakIt()
        const notices: string[] = []
        const { sql, fellBack, close } = await open(directory, notices)
        expect([...(await sql`select word from saying`)], `fault ${round}`).toEqual([
          { word: 'copied' },
        ])
        expect(fellBack?.copiedAt, `fault ${round}`).toBeInstanceOf(Date)
        expect(fellBack?.aside === undefined, `fault ${round}`).toBe(breakIt === faults.at(-1))
        expect(notices.join('\n'), `fault ${round}`).toMatch(/BROKEN .* copy made at/u)
        if (fellBack?.aside !== undefined) evidence.add(fellBack.aside)
        await close()
        rmSync(join(directory, 'clean'))
      }
      expect(evidence.size).toBe(faults.length - 1)
      const kept = entries(directory, /^broken-/u).map((name) => join(directory, name))
      expect(kept.toSorted()).toEqual([...evidence].slice(-3))
      expect(kept.filter((aside) => !existsSync(join(aside, 'base')))).toEqual([])
    },
    OPENINGS_MS_MAX,
  )
})

it(
  'a start killed while it copies changes nothing',
  async () => {
    const directory = await directories.fresh()
    const made = await open(directory)
    await made.sql`create table saying (word text)`
    await made.close()
    const copying = join(directory, 'copy.building')
    const moments = [
      () => existsSync(join(copying, 'base', '5', '2619')),
      () => !existsSync(join(directory, 'clean')),
    ]
    for (const [round, moment] of moments.entries()) {
      const script = fileURLToPath(new URL('owner-process.ts', import.meta.url))
      const child = spawn(process.execPath, [script, directory], { stdio: 'ignore' })
      while (!moment()) await setTimeout(1)
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      expect(entries(directory, /^copy-/u), `moment ${round}`).toHaveLength(1)
      const { sql, fellBack, close } = await open(directory)
      expect(fellBack, `moment ${round}`).toBeUndefined()
      await sql`select count(*) from saying`
      await close()
      expect(existsSync(copying), `moment ${round}`).toBe(false)
      expect(entries(directory, /^copy-/u), `moment ${round}`).toHaveLength(1)
    }
  },
  OPENINGS_MS_MAX,
)

describe.skipIf(small.unavailable !== undefined)(`a small disk ${small.unavailable ?? ''}`, () => {
  const directory = join(small.directory, 'database')
  const ballast = join(small.directory, 'ballast')

  it(
    'that is full fails what it cannot keep, and the database is back once there is room',
    async () => {
      cpSync(await directories.fresh(), directory, { recursive: true })
      rmSync(join(directory, 'clean'))
      writeFileSync(ballast, Buffer.alloc(6 * 1024 * 1024))
      const { sql, close } = await open(directory)
      await sql`create table entry (n int, bytes bytea)`
      const bytes = crypto.getRandomValues(Buffer.alloc(60_000))
      let acknowledged = 0
      const fill = async (): Promise<never> => {
        for (;;) {
          await sql`insert into entry values (${acknowledged}, ${bytes})`
          acknowledged += 1
        }
      }
      for (const round of ['first', 'second', 'third']) {
        const failure = await fill().catch((error: unknown) => error)
        expect(isAway(failure), `${round}: by ${inspect(failure)}`).toBe(true)
      }

      rmSync(ballast)
      while (
        !(await sql`select 1`.then(
          () => true,
          () => false,
        ))
      )
        await setTimeout(20)
      const [row] = await sql`select count(*)::int as rows from entry`
      expect(row?.['rows']).toBeGreaterThanOrEqual(acknowledged)
      await close()
    },
    OPENINGS_MS_MAX,
  )

  it('that is full, or read-only, is named, and nothing is moved', async () => {
    rmSync(join(directory, 'clean'))
    const room = small.roomBytes()
    writeFileSync(ballast, Buffer.alloc(room))
    // Without a byte of room not even the owner can be written down.
    const refusal = { code: 'ERR_DATABASE_DIRECTORY', message: expect.stringContaining(directory) }
    await expect(open(directory)).rejects.toMatchObject(refusal)
    rmSync(ballast)
    small.makeReadOnly()
    await expect(open(directory)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/read-only/u),
    })
    await expect(open(join(small.directory, 'new'))).rejects.toMatchObject({
      message: expect.stringMatching(/new.*read-only/u),
    })
    expect(entries(directory, /^(cluster|broken)/u)).toEqual(['cluster'])
  })
})
