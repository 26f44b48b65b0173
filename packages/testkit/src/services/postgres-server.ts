import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, migrate, openDatabase } from '@orrery/database'
import { freePort, partsOf, setPassword } from '@orrery/database/embedded'
import { type Postgres, startPostgres } from '@orrery/database/postgres'
import { copyDirectory, madeOnce } from './made-once.ts'
import { killProcesses, postmaster } from './processes.ts'
import { endInOrder } from './service-process.ts'

/** A PostgreSQL server at a URL. */
export interface PostgresServer {
  readonly url: string
  readonly password: string
  /** Kills all of it, as a crash of its machine would. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Stops all of it where it is, as a machine that hangs does. */
  freeze(): void
  /** Restarts it if it has ended by itself. */
  revive(): Promise<void>
  stop(): Promise<void>
  /** Kills it and removes its data, as this process ends. */
  discard(): void
}

interface FreshOptions {
  readonly schema: string
  /** its tables; none without them */
  readonly migrations?: URL
}

/** A handle on a database that goes when it is closed. */
interface FreshDatabase extends Database {
  readonly url: string
}

/** Beside a cluster, of its superuser. */
const PASSWORD_FILE = 'password'

/** A directory that servers begin with: an empty cluster, and the password of its superuser. */
let prepared: Promise<string> | undefined

/** The server of all test files of this process, and a session beside their databases. */
interface SharedServer {
  readonly server: PostgresServer
  readonly sql: Database['sql']
}

let sharedServer: Promise<SharedServer> | undefined

/** A database from which others are created: one that is copied must have no other session. */
const DESK = 'desk'

/** Names of databases that are copied, by the folder of their migrations and their schema. */
const templates = new Map<string, Promise<string>>()
let count = 0

function sharedPostgresServer(): Promise<SharedServer> {
  return (sharedServer ??= startPostgresServer().then(async (server) => {
    endInOrder()
    process.once('exit', () => server.discard())
    const first = await openDatabase({ url: server.url, directory: '', schema: 'public' })
    await first.sql.unsafe(`create database ${DESK} template orrery`)
    await first.close()
    const url = urlOf(server, DESK)
    // It stays open: a session of its own for each statement would cost more than the statement.
    return { server, ...(await openDatabase({ url, directory: '', schema: 'public' })) }
  }))
}

/**
 * Opens a new database on a server that the files of this process share; they leave it running.
 * Nothing of one is in another but roles and the server's settings.
 */
export async function openFreshDatabase(options: FreshOptions): Promise<FreshDatabase> {
  const shared = await sharedPostgresServer()
  const { schema, migrations } = options
  const key = `${schema} ${migrations?.href}`
  if (migrations && !templates.has(key)) templates.set(key, templateOf(shared, schema, migrations))
  const name = await created(shared, await templates.get(key))
  const url = urlOf(shared.server, name)
  const database = await openDatabase({ url, directory: '', schema })
  const close = async (): Promise<void> => {
    await database.close()
    await shared.sql.unsafe(`drop database ${name} with (force)`)
  }
  return { ...database, url, close }
}

async function templateOf(shared: SharedServer, schema: string, migrations: URL): Promise<string> {
  const name = await created(shared)
  const database = await openDatabase({ url: urlOf(shared.server, name), directory: '', schema })
  await migrate(database, migrations)
  await database.close()
  return name
}

/** Creates a database by copying files, a third of the work of a log; returns its name. */
async function created({ sql }: SharedServer, template = 'orrery'): Promise<string> {
  const name = `fresh_${(count += 1)}`
  await sql.unsafe(`create database ${name} template ${template} strategy file_copy`)
  return name
}

function urlOf({ url }: PostgresServer, name: string): string {
  return String(new URL(`/${name}`, url))
}

/** Gives the superuser of a directory a password; to set it, a server is started. */
export async function prepareCluster(directory: string): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  await setPassword(await partsOf(directory, () => {}), password)
  writeFileSync(join(directory, PASSWORD_FILE), password)
}

/**
 * Starts a server on a port of 127.0.0.1, with the settings of the embedded database.
 *
 * @param parent  where its data goes
 * @param begun  a directory of a prepared cluster, which is copied; an empty one when left out
 */
export async function startPostgresServer(
  parent: string = tmpdir(),
  begun?: string,
): Promise<PostgresServer> {
  const directory = await mkdtemp(join(parent, 'orrery-postgres-'))
  const from = begun ?? (await (prepared ??= madeOnce('prepared-postgres', prepareCluster)))
  copyDirectory(join(from, 'postgresql'), join(directory, 'postgresql'))
  const password = readFileSync(join(from, PASSWORD_FILE), 'utf8')
  const port = await freePort()
  const start = async (): Promise<Postgres> =>
    startPostgres({ ...(await partsOf(directory, () => {})), port })
  let server = await start()
  const hasEnded = (): Promise<boolean> =>
    Promise.race([server.ended.then(() => true), Promise.resolve(false)])
  const restart = async (): Promise<void> => {
    server = await start()
  }
  const kill = async (): Promise<void> => {
    killProcesses(postgresProcesses(directory))
    await server.ended
  }
  // A test run that is broken off leaves no server: it ends with its standard input.
  return {
    url: `postgres://orrery:${password}@127.0.0.1:${port}/orrery`,
    password,
    kill,
    restart,
    freeze: () => {
      for (const pid of postgresProcesses(directory)) process.kill(pid, 'SIGSTOP')
    },
    revive: async () => {
      if (await hasEnded()) await restart()
    },
    stop: async () => {
      if (!(await hasEnded())) await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
    discard: () => {
      killProcesses(postgresProcesses(directory))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The server's first process and its children. The guarding shell stays: it reaps them. */
export function postgresProcesses(directory: string): number[] {
  const pid = postmaster(directory)
  if (Number.isNaN(pid)) return []
  const list = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(list) ? readFileSync(list, 'utf8').match(/\d+/g) : null
  return [pid, ...(children ?? []).map(Number)]
}
