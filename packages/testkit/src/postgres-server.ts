import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@orrery/database'
import { freePort, partsOf } from '@orrery/database/embedded'
import { type Postgres, startPostgres } from '@orrery/database/postgres'
import { killProcesses, postmaster } from './processes.ts'

/** A PostgreSQL server at a URL, for one test file. */
export interface PostgresServer {
  readonly url: string
  readonly password: string
  /** Kills all of it, as a crash of its machine would. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Restarts it if it has ended by itself. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server on a port of 127.0.0.1, with the settings of the embedded database.
 *
 * @param parent  where its data goes
 */
export async function startPostgresServer(parent: string = tmpdir()): Promise<PostgresServer> {
  const directory = await mkdtemp(join(parent, 'orrery-postgres-'))
  const password = randomBytes(24).toString('base64url')
  const { sql, close } = await openDatabase({ directory, schema: 'public' })
  await sql.unsafe(`alter role orrery password '${password}'`)
  await close()
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
    revive: async () => {
      if (await hasEnded()) await restart()
    },
    stop: async () => {
      if (!(await hasEnded())) await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The server's first process and its children. The guarding shell stays: it reaps them. */
function postgresProcesses(directory: string): number[] {
  const pid = postmaster(directory)
  const list = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(list) ? readFileSync(list, 'utf8').match(/\d+/g) : null
  return [pid, ...(children ?? []).map(Number)]
}
