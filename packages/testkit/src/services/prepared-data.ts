/** Data of a game server for its first start, where making them is not what is tested. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@orrery/database'
import { startService } from './service-process.ts'

const NAME = 'prepared-game'
const POLL_MS = 20
/** After it, whoever makes them has been killed. */
const WAIT_MS_MAX = 60_000

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
  made ??= madeOnce(main)
  const from = await made
  const to = join(directory, 'game')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // PostgreSQL's files belong to another user when this one is root: `cp` keeps that.
  if (process.platform === 'win32') cpSync(from, to, { recursive: true })
  else execFileSync('cp', ['-a', from, to])
}

/** Made by the first process of a run that needs them, where all find them. */
async function madeOnce(main: string): Promise<string> {
  // Only a directory of the run itself has none of another release.
  if (process.env['TMPDIR_OF_RUN'] === undefined) return ownData(main)
  const path = join(tmpdir(), NAME)
  if (!isFirst(`${path}.lock`)) {
    const endMs = performance.now() + WAIT_MS_MAX
    while (!existsSync(path) && performance.now() < endMs) await sleep(POLL_MS)
    return existsSync(path) ? path : ownData(main)
  }
  await make(`${path}.new`, main)
  renameSync(join(`${path}.new`, 'game'), path)
  return path
}

async function ownData(main: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), `orrery-${NAME}-`))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await make(directory, main)
  return join(directory, 'game')
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
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
}
