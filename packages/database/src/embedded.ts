import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { postgresBinaries } from './binaries.ts'
import { prepareCluster, removeUnfinished } from './cluster.ts'
import { DatabaseError, type Notice, errorText } from './error.ts'
import {
  LOCK_FILES,
  OccupiedError,
  type Postgres,
  type PostgresOptions,
  SOCKET,
  startPostgres,
} from './postgres.ts'
import { type Address, type Server, type ServerOptions, openServer } from './server.ts'
import type { Owned } from './server-owner.ts'
import { SERVICE_ROLE, SUPERUSER, prepareServiceRole } from './service-role.ts'

export interface EmbeddedOptions extends Omit<ServerOptions, 'address' | 'owned' | 'readOnly'> {
  readonly directory: string
  readonly readOnly: boolean | 'joined'
}

/** One key for all schemas: services cannot share a server that is a child of one of them. */
function ownedBy(place: Place): Owned {
  return { key: 'directory', name: `directory ${dirname(place.cluster.path)}` }
}

/** A server to be started, and its address. */
interface Place extends PostgresOptions {
  readonly schema: string
  /** for services */
  readonly address: Exclude<Address, string>
}

/** The same server for its superuser, whose session finds nothing of a service by its name. */
function asSuperuser(place: Place): Pick<ServerOptions, 'address' | 'schema' | 'onNotice'> {
  return {
    address: { ...place.address, user: SUPERUSER },
    schema: 'pg_catalog',
    onNotice: place.onNotice,
  }
}

// Linux 107 bytes; macOS 103.
const SOCKET_PATH_BYTES_MAX = 103
const LOOK_MS = 100
// A start listens some milliseconds after it has taken the directory.
const SILENT_LOOKS_MAX = 10
// The server of a killed service ends by itself; that of another start gets an owner soon.
const OWNERLESS_LOOKS_MAX = 10
const LOOKS_MAX = 600
const REVIVAL_MS = 1000

/** A port of 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => void server.close(done))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** The socket's path, short enough for the system. */
function socketPath(cluster: string): string {
  const path = join(cluster, SOCKET)
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path
  // By the descriptor of a directory that stays open.
  if (process.platform === 'linux') return `/proc/self/fd/${openSync(cluster, 'r')}/${SOCKET}`
  const message = `${path} is longer than ${SOCKET_PATH_BYTES_MAX} bytes: choose another DATA_DIR.`
  throw new DatabaseError('ERR_DATABASE_DIRECTORY', message)
}

/** The password of a directory; the first call makes one and sets it in the cluster. */
function keptPassword(directory: string, { cluster, binaries }: PostgresOptions): string {
  const file = join(directory, 'password')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  const password = randomBytes(24).toString('base64url')
  const { path, runner } = cluster
  execFileSync(join(binaries, 'bin', 'postgres'), ['--single', '-D', '.', SUPERUSER], {
    ...runner,
    cwd: path,
    input: `alter role ${SUPERUSER} password '${password}'\n`,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  writeFileSync(file, password, { mode: 0o600 })
  return password
}

const LOGIN = { user: SERVICE_ROLE, database: SUPERUSER }

/** Options to start a server of a directory. @throws DatabaseError `ERR_DATABASE_DIRECTORY` */
export async function partsOf(directory: string, onNotice: Notice): Promise<PostgresOptions> {
  const cluster = await prepareCluster(directory)
  return { cluster, binaries: postgresBinaries(cluster.runner), onNotice }
}

/** Gives the superuser a password, with which it may connect to a server on a port. */
export async function setPassword(parts: PostgresOptions, password: string): Promise<void> {
  const running = await startPostgres(parts)
  const address = { user: SUPERUSER, database: SUPERUSER, path: socketPath(parts.cluster.path) }
  const { onNotice } = parts
  const server = await openServer({ address, schema: 'pg_catalog', onNotice, onLost: () => {} })
  await server.sql.unsafe(`alter role ${SUPERUSER} password '${password}'`)
  await server.close()
  await running.stop()
}

async function placeOf({ directory, schema, onNotice }: EmbeddedOptions): Promise<Place> {
  const parts = await partsOf(directory, onNotice)
  if (process.platform !== 'win32') {
    return { ...parts, schema, address: { ...LOGIN, path: socketPath(parts.cluster.path) } }
  }
  const [port, password] = [await freePort(), keptPassword(directory, parts)]
  return { ...parts, schema, port, address: { ...LOGIN, host: '127.0.0.1', port, password } }
}

/** State of the server of an occupied directory. @throws DatabaseError `ERR_DATABASE_OWNED` */
async function occupant(
  place: Place,
  isToEnd: boolean,
): Promise<'silent' | 'starting or ending' | 'ownerless'> {
  try {
    const superuser = asSuperuser(place)
    const server = await openServer({ ...superuser, owned: ownedBy(place), onLost: () => {} })
    // By the server itself: in another container its pid is another process.
    const end = "copy (select) to program 'read pid < postmaster.pid; kill -INT $pid'"
    if (isToEnd) await server.sql.unsafe(end).catch(() => {})
    await server.close()
    return 'ownerless'
  } catch (error) {
    if (Object(error).code === 'ERR_DATABASE_OWNED') throw error
    return errorText(error).includes('57P03') ? 'starting or ending' : 'silent'
  }
}

/** Starts the server after the end of one that a killed service left. */
async function startAlone(place: Place): Promise<Postgres> {
  const looks = { silent: 0, 'starting or ending': 0, ownerless: 0 }
  for (let total = 0; total < LOOKS_MAX; total += 1) {
    try {
      return await startPostgres(place)
    } catch (error) {
      if (!(error instanceof OccupiedError)) throw error
    }
    looks[await occupant(place, looks.ownerless >= OWNERLESS_LOOKS_MAX)] += 1
    // The pid in the file belongs to another process now. A second server is still refused, by the
    // shared memory of the first.
    if (looks.silent > SILENT_LOOKS_MAX) {
      for (const file of LOCK_FILES) rmSync(join(place.cluster.path, file), { force: true })
    }
    await pause(LOOK_MS)
  }
  const message = `Another PostgreSQL server in ${place.cluster.path} does not end.`
  throw new DatabaseError('ERR_DATABASE_DIRECTORY', message)
}

/** Repeats starting the server until that succeeds; undefined after an abort. */
async function revived(place: Place, signal: AbortSignal): Promise<Postgres | undefined> {
  let reported = ''
  while (!signal.aborted) {
    try {
      const server = await startAlone(place)
      place.onNotice('PostgreSQL runs again.', 'warn')
      return server
    } catch (error) {
      if (Object(error).code === 'ERR_DATABASE_OWNED') throw error
      // A full disk stays full for a long time: reported once.
      if (reported !== errorText(error)) place.onNotice((reported = errorText(error)), 'warn')
      await pause(REVIVAL_MS, undefined, { ref: false, signal }).catch(() => {})
    }
  }
  return undefined
}

/** Keeps a server running until it is stopped. */
async function keepRunning(
  place: Place,
  onLost: (error: DatabaseError) => void,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  let server: Postgres | undefined = await startAlone(place)
  const aborted = new Promise((done) => signal.addEventListener('abort', done))
  const keep = async (): Promise<void> => {
    while (server) {
      const reason = await Promise.race([server.ended, aborted])
      if (signal.aborted) return server.stop()
      place.onNotice(`PostgreSQL has ended: ${String(reason)}`, 'warn')
      server = await revived(place, signal)
    }
  }
  const kept = keep().catch(onLost)
  return {
    stop() {
      stopping.abort()
      return kept
    },
  }
}

async function prepareRole(place: Place): Promise<void> {
  const { sql, close } = await openServer({ ...asSuperuser(place), onLost: () => {} })
  const password = 'password' in place.address ? place.address.password : undefined
  try {
    await prepareServiceRole(sql, password)
  } finally {
    await close()
  }
}

/**
 * Opens the database of a directory: PostgreSQL's own server, which runs as long as it is open. One
 * that only reads joins the server of another process.
 *
 * @throws DatabaseError `ERR_DATABASE_DIRECTORY`, `ERR_DATABASE_OWNED`
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Server> {
  if (options.readOnly === 'joined') {
    // The binaries are its owner's: this program may have none.
    const { path } = await prepareCluster(options.directory)
    return openServer({ ...options, address: { ...LOGIN, path: socketPath(path) }, readOnly: true })
  }
  const place = await placeOf(options)
  const { address } = place
  const readOnly = options.readOnly
  let running: Awaited<ReturnType<typeof keepRunning>>
  try {
    running = await keepRunning(place, options.onLost)
  } catch (error) {
    const isOwned = Object(error).code === 'ERR_DATABASE_OWNED'
    // There the server listens on a port that only its owner knows.
    if (!isOwned || !readOnly || process.platform === 'win32') throw error
    return openServer({ ...options, address, readOnly })
  }
  try {
    await prepareRole(place)
    const server = await openServer({ ...options, address, readOnly, owned: ownedBy(place) })
    await removeUnfinished(options.directory)
    const close = async (): Promise<void> => {
      await server.close()
      await running.stop()
    }
    return { ...server, close }
  } catch (error) {
    await running.stop()
    throw error
  }
}
