import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  rmdirSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import postgres from 'postgres'
import type { FallBack } from './cluster.ts'
import { DatabaseError, reasonOf } from './error.ts'
import { keepHouse } from './housekeeping.ts'
import { takeOwnership } from './ownership.ts'
import { type DatabaseThread, type ThreadOptions, ThreadSocket, startThread } from './thread.ts'

export interface EmbeddedOptions {
  readonly directory: string
  readonly schema: string
  readonly onNotice: (message: string) => void
}

export interface EmbeddedDatabase {
  readonly sql: postgres.Sql
  readonly fellBack: FallBack | undefined
  close(this: void): Promise<void>
}

const SOCKET_DIRECTORY_PREFIX = 'orrery-'
// Shortest limit of the supported systems (macOS: 104 bytes with the closing zero).
const SOCKET_PATH_BYTES_MAX = 103
const QUERIES_END_SECONDS_MAX = 10

function ownDirectory(directory: string): void {
  try {
    // Asked first: making a directory in a read-only file system says that one is missing.
    let existing = directory
    while (!existsSync(existing)) existing = dirname(existing)
    accessSync(existing, constants.W_OK)
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new DatabaseError(
      'ERR_DATABASE_DIRECTORY',
      `${directory} cannot be used: ${reasonOf(error)}`,
    )
  }
}

/** A new directory only this user can enter; undefined where unix sockets are of no use. */
function privateSocketDirectory(): string | undefined {
  if (process.platform === 'win32') return undefined
  const directory = mkdtempSync(join(tmpdir(), SOCKET_DIRECTORY_PREFIX))
  chmodSync(directory, 0o700)
  if (Buffer.byteLength(join(directory, 's')) <= SOCKET_PATH_BYTES_MAX) return directory
  rmdirSync(directory)
  return undefined
}

function removeSocketDirectory(directory: string | undefined): void {
  // The name may come from a file: remove nothing but what this program can have made.
  if (directory === undefined || dirname(directory) !== tmpdir()) return
  if (!basename(directory).startsWith(SOCKET_DIRECTORY_PREFIX)) return
  rmSync(join(directory, 's'), { force: true })
  rmSync(directory, { recursive: true, force: true })
}

function connection(socket: () => Socket, onNotice: (message: string) => void): postgres.Sql {
  const options: postgres.Options<Record<string, never>> & { socket: () => Socket } = {
    socket,
    // Names the connection in messages only.
    path: 'embedded database',
    database: 'postgres',
    user: 'postgres',
    password: '',
    ssl: false,
    // Connections would share PGlite's one session, and disturb each other between two messages.
    max: 1,
    // A renewed connection would leave its prepared statements behind in that one session.
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 30,
    backoff: false,
    connection: { application_name: 'orrery' },
    onnotice: (notice) => onNotice(notice['message']),
  }
  return postgres(options)
}

/** A thread, and after its death another: the state is on the disk. */
interface Threads {
  current(): DatabaseThread
  stop(): Promise<void>
}

const REVIVAL_PAUSE_MS = 1000

async function startThreads(
  options: Omit<ThreadOptions, 'isRevival'>,
  onNotice: (message: string) => void,
): Promise<Threads> {
  let thread = await startThread({ ...options, isRevival: false }, onNotice)
  const stopping = new AbortController()
  const { signal } = stopping
  const revive = async (): Promise<void> => {
    let said: string | undefined
    while (thread.gone() && !signal.aborted) {
      try {
        if (options.socketPath !== undefined) rmSync(options.socketPath, { force: true })
        thread = await startThread({ ...options, isRevival: true }, () => {})
        onNotice('The embedded database is back.')
      } catch (error) {
        // A full disk stays full for long: said once.
        if (said !== reasonOf(error)) onNotice((said = reasonOf(error)))
        await setTimeout(REVIVAL_PAUSE_MS, undefined, { ref: false, signal }).catch(() => {})
      }
    }
  }
  const keep = async (): Promise<void> => {
    while (!signal.aborted) {
      await thread.exit
      await revive()
    }
  }
  const kept = keep()
  return {
    current: () => thread,
    async stop() {
      stopping.abort()
      await thread.stop()
      await kept
      // One that was just being started.
      if (!thread.gone()) await thread.stop()
    },
  }
}

/**
 * Opens the embedded database of a directory: PGlite in a thread of its own.
 *
 * @throws DatabaseError `ERR_DATABASE_LOCKED`, `ERR_DATABASE_DIRECTORY`
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { schema, onNotice } = options
  const directory = resolve(options.directory)
  ownDirectory(directory)
  const ownership = takeOwnership(directory)
  removeSocketDirectory(ownership.previous?.socketDirectory)
  const socketDirectory = privateSocketDirectory()
  const release = (): void => {
    removeSocketDirectory(socketDirectory)
    ownership.release()
  }
  try {
    ownership.declare(socketDirectory)
    const socketPath =
      socketDirectory === undefined ? {} : { socketPath: join(socketDirectory, 's') }
    const threads = await startThreads({ directory, schema, ...socketPath }, onNotice)
    const { fellBack } = threads.current()
    const sql = connection(() => {
      const thread = threads.current()
      return new ThreadSocket(thread).connect(thread.address)
    }, onNotice)
    const house = keepHouse(sql, onNotice)
    const shut = async (): Promise<void> => {
      house.stop()
      await sql.end({ timeout: threads.current().gone() ? 0 : QUERIES_END_SECONDS_MAX })
      await threads.stop()
      release()
    }
    let closing: Promise<void> | undefined
    return { sql, fellBack, close: () => (closing ??= shut()) }
  } catch (error) {
    release()
    throw error
  }
}
