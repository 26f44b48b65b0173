// Goal: a directory that cannot be used is refused in one line that names what is wrong, and left
// as it is; one with any name, and under any user, can be used. Method: real directories, disks and
// users; every file of a refused directory is compared.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, isAway, openDatabase } from '../src/index.ts'
import { openRepository, ownerProcess, temporaryPlaces, until } from './embedded-place.ts'
import { smallFileSystem } from './small-file-system.ts'

const places = temporaryPlaces()
const small = smallFileSystem(64)
const isRoot = process.getuid?.() === 0
const repository = isRoot ? openRepository(join(places.root, 'repository')) : undefined
const anybody = { uid: 12_345, gid: 12_345, repository: repository ?? '' }
afterAll(() => {
  if (repository !== undefined) execFileSync('umount', ['--lazy', repository])
  places.remove()
  small.remove()
})

function open(directory: string): Promise<Database> {
  return openDatabase({ directory, schema: 'game' })
}

/** All files of a directory, with sizes and times of change, but not PostgreSQL's lock file. */
function contents(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && file.name !== 'postmaster.pid')
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const { size, mtimeMs } = statSync(path)
      return `${path} ${size} ${mtimeMs}`
    })
    .toSorted()
}

async function refusalOf(directory: string): Promise<string> {
  const failure = await open(directory).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'ERR_DATABASE_DIRECTORY' })
  const { message } = Object(failure)
  expect(message).not.toContain('\n')
  return message
}

describe('a directory is refused and does not change', () => {
  it.each<readonly [string, (directory: string) => void, RegExp]>([
    [
      'of another major version',
      (directory) => writeFileSync(join(directory, 'postgresql', 'PG_VERSION'), '17\n'),
      /data of PostgreSQL 17, not of PostgreSQL 18.*DATABASE_URL/u,
    ],
    [
      'that is no cluster',
      (directory) => rmSync(join(directory, 'postgresql', 'PG_VERSION')),
      /no PostgreSQL data/u,
    ],
    [
      'with a damaged control file',
      (directory) => truncateSync(join(directory, 'postgresql', 'global', 'pg_control'), 100),
      /does not start in .*pg_control/u,
    ],
  ])('%s', async (_, spoil, reason) => {
    const directory = await places.prepared()
    spoil(directory)
    const before = contents(directory)
    expect(await refusalOf(directory)).toMatch(reason)
    expect(contents(directory)).toEqual(before)
  })

  it('that is a file', async () => {
    const file = places.fresh('file')
    mkdirSync(join(file, '..'))
    writeFileSync(file, '')
    expect(await refusalOf(file)).toContain(file)
  })

  it.skipIf(process.platform !== 'linux')('whose parent takes no directory', async () => {
    expect(await refusalOf('/proc/nowhere/database')).toContain('ENOENT')
  })

  it.skipIf(repository === undefined)('of another user', async () => {
    const directory = await places.prepared()
    chmodSync(places.root, 0o755)
    chmodSync(join(directory, '..'), 0o755)
    chmodSync(directory, 0o777)
    const before = contents(directory)
    const owner = ownerProcess(directory, anybody)
    await expect(owner.stored()).rejects.toThrow(
      /ERR_DATABASE_DIRECTORY: .* belongs to user \d+, and this process runs as user 12345/u,
    )
    expect(contents(directory)).toEqual(before)
  })
})

it('without a package for the platform the error names DATABASE_URL', async () => {
  const before = "Object.defineProperty(process, 'arch', { value: 'mips' })"
  await expect(ownerProcess(places.fresh(), { before }).stored()).rejects.toThrow(
    /ERR_DATABASE_DIRECTORY: .*-mips is not installed.*set DATABASE_URL/u,
  )
})

const ODD = `mit "Umlauten" äöü, '行星', $(touch here) \`there\` ; # and \\`

describe('a directory is used', () => {
  const long = `of ${'x'.repeat(200)}`
  // By day the small disk has the odd one.
  const byDay = small.unavailable === undefined ? [] : [ODD]
  it.each(byTier({ gate: byDay, night: [ODD, long] }))('named %s', async (name) => {
    const directory = places.fresh(name)
    for (const round of byTier({ gate: [1], night: [1, 2] })) {
      const { sql, close } = await open(directory)
      await sql`create table if not exists saying (word text)`
      await sql`insert into saying values (${name})`
      expect(await sql`select word from saying`).toHaveLength(round)
      await close()
    }
  })

  it.runIf(IS_NIGHT && repository !== undefined)('of a user without a name', async () => {
    const directory = places.fresh()
    mkdirSync(directory, { recursive: true })
    for (const path of [places.root, join(directory, '..')]) chmodSync(path, 0o755)
    chownSync(directory, 12_345, 12_345)
    const owner = ownerProcess(directory, anybody)
    await owner.stored()
    expect(statSync(join(directory, 'postgresql')).uid).toBe(12_345)
    await owner.kill()
    const { sql, close } = await open(directory)
    expect([...(await sql`select word from saying`)]).toEqual([{ word: 'kept' }])
    await close()
  })
})

describe.skipIf(small.unavailable !== undefined)(`a small disk ${small.unavailable ?? ''}`, () => {
  const directory = join(small.directory, ODD)
  const ballast = join(small.directory, 'ballast')

  it('that is full fails writes, and accepts them once there is room', async () => {
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
    writeFileSync(ballast, Buffer.alloc(6 * 1024 * 1024))
    for (const round of ['first', 'second', 'third'].slice(0, byTier({ gate: 1, night: 3 }))) {
      const failure = await fill().catch((error: unknown) => error)
      expect(isAway(failure), `${round}: by ${inspect(failure)}`).toBe(true)
    }
    rmSync(ballast)
    // A server that is about to restart may still answer once.
    const counted = (): Promise<number | undefined> =>
      sql`select count(*)::int as rows from entry`.then(
        ([row]) => row?.['rows'],
        () => undefined,
      )
    let rows = await counted()
    while (rows === undefined) {
      await setTimeout(20)
      rows = await counted()
    }
    expect(rows).toBeGreaterThanOrEqual(acknowledged)
    await close()
  })

  it('that is full or read-only is named', async () => {
    writeFileSync(ballast, Buffer.alloc(small.roomBytes()))
    expect(await refusalOf(directory)).toMatch(/No space left/iu)
    expect(await refusalOf(join(small.directory, 'new'))).toMatch(/new.*(?:ENOSPC|No space)/iu)
    rmSync(ballast)
    small.makeReadOnly()
    expect(await refusalOf(directory)).toMatch(/read-only/iu)
    expect(await refusalOf(join(small.directory, 'other'))).toMatch(/other.*read-only/iu)
    await until(() => readFileSync(join(directory, 'postgresql', 'PG_VERSION'), 'utf8') === '18\n')
  })
})
