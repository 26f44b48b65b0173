/** The two databases a game can live in, and how to read them after a crash without touching it. */
import { openDatabase } from '@orrery/database'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startPostgres } from '../../packages/database/test/postgres-server.ts'

export type DatabaseKind = 'pglite' | 'postgresql'

/** As the store's functions take it. */
export type Sql = Awaited<ReturnType<typeof openDatabase>>['sql']

/** A place for one game. */
export interface GameDatabase {
  readonly kind: DatabaseKind
  /** what the server has to be told of it */
  readonly environment: Readonly<Record<string, string>>
  /** reads what is stored while no server runs; the next start finds it as the crash left it */
  read<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

const SCHEMA = 'game'

/** @throws {Error} where PostgreSQL does not run */
export async function createGameDatabase(kind: DatabaseKind): Promise<GameDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'orrery-crash-'))
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true })
  if (kind === 'pglite') {
    const read: GameDatabase['read'] = (work) => readCopy(join(directory, 'game'), work)
    return { kind, environment: { DATA_DIR: directory }, read, remove }
  }
  const server = await startPostgres()
  if (server.unavailable !== undefined) {
    await remove()
    throw new Error(server.unavailable)
  }
  return {
    kind,
    environment: { DATA_DIR: directory, DATABASE_URL: server.url },
    read: (work) => withDatabase({ url: server.url, directory }, work),
    remove: async () => {
      await server.stop()
      await remove()
    },
  }
}

/** An embedded database that is opened here would be recovered here, and not by the next start. */
async function readCopy<Result>(
  directory: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const copy = join(tmpdir(), `orrery-crash-copy-${randomUUID()}`)
  try {
    await cp(directory, copy, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !['lock', 'owner.json'].includes(basename(path)),
    })
    return await withDatabase({ directory: copy }, work)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

async function withDatabase<Result>(
  place: { readonly url?: string; readonly directory: string },
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase({ ...place, schema: SCHEMA })
  try {
    return await work(database.sql)
  } finally {
    await database.close()
  }
}
