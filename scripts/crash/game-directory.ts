/** Where one game is stored, and how it is read between two starts without being changed. */
import { openDatabase } from '@orrery/database'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chown, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { remaining } from './postgres-processes.ts'

/** As the store's functions take it. */
export type Sql = Awaited<ReturnType<typeof openDatabase>>['sql']

export interface GameDirectory {
  /** for the server's DATA_DIR */
  readonly dataDirectory: string
  /** where the embedded database is */
  readonly database: string
  /** reads what is stored while no server runs; the next start finds it as the crash left it */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

/** The database of a killed server ends by itself, within seconds even on a slow disk [ms]. */
const ENDING_MS_MAX = 60_000

export async function createGameDirectory(): Promise<GameDirectory> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-crash-'))
  const database = join(dataDirectory, 'game')
  return {
    dataDirectory,
    database,
    read: async (work) => {
      const pids = await remaining(database, ENDING_MS_MAX)
      if (pids.length > 0) throw new Error(`Processes ${pids.join(', ')} do not end.`)
      return readCopy(database, work)
    },
    remove: () => rm(dataDirectory, { recursive: true, force: true }),
  }
}

/** A database that is opened here is recovered here, and not by the next start: in a copy. */
async function readCopy<Result>(
  directory: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const copy = join(tmpdir(), `orrery-crash-copy-${randomUUID()}`)
  try {
    await cp(directory, copy, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      // A socket cannot be copied; a killed server leaves its own.
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

/** PostgreSQL opens nothing but its own user's, and copies made by root are root's. */
async function giveTo(
  { uid, gid }: { readonly uid: number; readonly gid: number },
  directory: string,
): Promise<void> {
  const names = await readdir(directory, { recursive: true })
  for (const path of ['.', ...names]) await chown(join(directory, path), uid, gid)
}
