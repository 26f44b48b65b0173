/** Data of a game server for its first start, where making them is not what is tested. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@orrery/database'
import { copyDirectory, madeOnce } from './made-once.ts'
import { type PostgresServer, prepareCluster, startPostgresServer } from './postgres-server.ts'
import { startService } from './service-process.ts'

let made: Promise<string> | undefined

/**
 * Stores into a data directory what a server leaves that has run for a moment and was stopped: a
 * world of the default seed without ships, and no account. Its game time is as far behind the
 * present as the test run is old. It halves the processor time of a start.
 *
 * @param directory  the server's `DATA_DIR`, without a game
 * @param main  URL of the server's module: `import.meta.resolve('@orrery/gateway/main')`
 */
export async function prepareData(directory: string, main: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  copyDirectory(await preparedGame(main), join(directory, 'game'))
}

/** Starts a PostgreSQL server whose schema `game` has the same, for servers that share it. */
export async function startGamePostgres(main: string): Promise<PostgresServer> {
  return startPostgresServer(tmpdir(), await preparedGame(main))
}

async function preparedGame(main: string): Promise<string> {
  made ??= madeOnce('prepared-game', (place) => make(place, main))
  return join(await made, 'game')
}

async function make(directory: string, main: string): Promise<void> {
  const server = startService({
    main,
    variables: {
      DATA_DIR: directory,
      PORT: '0',
      JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
      ADMIN_USERNAME: 'Preparer',
      ADMIN_PASSWORD: randomBytes(12).toString('base64url'),
      MAX_SHIPS: '1',
      WORKERS: '1',
    },
  })
  await server.ready
  await server.stop()
  const database = await openDatabase({ directory: join(directory, 'game'), schema: 'game' })
  await database.sql`delete from account`
  await database.sql`delete from audit`
  await database.close()
  await prepareCluster(join(directory, 'game'))
}
