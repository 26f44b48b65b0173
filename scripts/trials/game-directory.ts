/** The data directory of one game, which can be read between two starts without a change. */
import { openDatabase } from '@orrery/database'
import { processesLeft } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { constants, rmSync } from 'node:fs'
import { chown, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Handle that the store's functions take. */
export type Sql = Awaited<ReturnType<typeof openDatabase>>['sql']

export interface GameDirectory {
  /** of the server's environment */
  readonly variables: Readonly<Record<string, string>>
  /** in which the processes of the database work */
  readonly database: string
  /** reads the database while no server runs; the next start still finds the crashed state */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

/** Time in which the database of a killed server ends by itself, also on a slow disk [ms]. */
const ENDING_MS_MAX = 60_000

export async function createGameDirectory(): Promise<GameDirectory> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-crash-'))
  const database = join(dataDirectory, 'game')
  const end = (): void => rmSync(dataDirectory, { recursive: true, force: true })
  process.once('exit', end)
  return {
    variables: { DATA_DIR: dataDirectory },
    database,
    read: async (work) => {
      const pids = await processesLeft(database, ENDING_MS_MAX)
      if (pids.length > 0) throw new Error(`Processes ${pids.join(', ')} do not end.`)
      return readCopy(database, work)
    },
    remove: async () => {
      process.off('exit', end)
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Opens a copy: opening the database itself would recover it before the next start does. */
async function readCopy<Result>(
  directory: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const copy = join(tmpdir(), `orrery-crash-copy-${randomUUID()}`)
  try {
    await cp(directory, copy, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      // A killed server leaves its socket, which cannot be copied.
      filter: (path) => !basename(path).startsWith('.s.'),
    })
    await giveTo(await stat(join(directory, 'postgresql')), join(copy, 'postgresql'))
    const database = await openDatabase({ directory: copy, schema: 'game' })
    try {
      return await work(database.sql)
    } finally {
      await database.close()
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** PostgreSQL opens only files of its own user, and root owns the copies it makes. */
async function giveTo(
  { uid, gid }: { readonly uid: number; readonly gid: number },
  directory: string,
): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  for (const path of ['.', ...names]) await chown(join(directory, path), uid, gid)
}
