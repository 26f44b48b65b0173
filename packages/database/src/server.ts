import postgres from 'postgres'
import { reasonOf } from './away.ts'
import { DatabaseError, type Notice } from './error.ts'
import { type HostAddress, type Probe, primaryOf } from './primary.ts'
import { type Owned, type ServerOwnership, holderOf, takeServer } from './server-owner.ts'
import { type ServerSockets, serverSockets } from './server-socket.ts'

/** A server: its URL, or the address of an embedded one. */
export type Address =
  | string
  | ({ readonly user: string; readonly database: string } & (
      | { readonly path: string }
      | { readonly host: string; readonly port: number; readonly password: string }
    ))

export interface ServerOptions {
  readonly address: Address
  readonly schema: string
  /** A resource to own, if any. */
  readonly owned?: Owned | undefined
  /** It is owned once `reserve` is called. */
  readonly isOwnedLater?: boolean
  /** Transactions change nothing. */
  readonly readOnly?: boolean
  /** After so long without a statement the server ends a transaction, and frees what it locked. */
  readonly transactionIdleMs?: number | undefined
  readonly onLost: (error: DatabaseError) => void
  readonly onNotice: Notice
}

/** An open handle on a server. */
export interface Server {
  readonly sql: postgres.Sql
  session(this: void, name: string, settings: SessionSettings): postgres.Sql
  reserve(this: void): Promise<void>
  isReserved(this: void): Promise<boolean>
  close(this: void): Promise<void>
}

/** Settings of PostgreSQL by name. */
export type SessionSettings = Readonly<Record<string, string>>

const CONNECTIONS_MAX = 10
// Longest wait of a query while the server is unreachable.
const CONNECT_SECONDS_MAX = 2
// The system then probes ten times, a second apart: a lost server is noticed in 15 s.
const SILENCE_SECONDS_BEFORE_ASKING = 5
const QUERIES_END_SECONDS_MAX = 10
const PROBE_MS_MAX = 1000
/** How soon the server notices the loss of this machine. */
const KEEPALIVES = { tcp_keepalives_idle: 5, tcp_keepalives_interval: 1, tcp_keepalives_count: 5 }

function unreachable(error: unknown): DatabaseError {
  const message = `The PostgreSQL server cannot be used: ${reasonOf(error)}.`
  // No cause: loggers print causes, and this one may contain host and user.
  return new DatabaseError('ERR_DATABASE_UNREACHABLE', message)
}

interface ConnectionOptions extends Pick<
  ServerOptions,
  'schema' | 'onNotice' | 'readOnly' | 'transactionIdleMs'
> {
  readonly connections: number
  readonly name: string
  readonly settings?: SessionSettings
  readonly onClose?: () => void
}

/** An address and what postgres.js reads in it. */
interface Parsed {
  readonly address: Address
  readonly hosts: readonly HostAddress[]
  readonly password: string
}

/**
 * Parses an address with a handle that never connects. Printing the one in use, or an error with
 * its options, then shows a function instead of the password.
 */
function parsed(address: Address): Parsed {
  const isUrl = typeof address === 'string'
  if (isUrl && !/^postgres(ql)?:\/\/./u.test(address)) throw malformed()
  try {
    const { host, port, pass } = (isUrl ? postgres(address) : postgres(address)).options
    const hosts = host.map((name, i) => ({ host: name, port: port[i] ?? 0 }))
    return { address, hosts, password: pass ?? '' }
  } catch {
    // Node's error would contain the URL.
    throw malformed()
  }
}

function malformed(): DatabaseError {
  const message = 'The database URL is not of the form postgres://user:password@host:port/name.'
  return new DatabaseError('ERR_DATABASE_URL', message)
}

function connection(
  { address, hosts, password }: Parsed,
  sockets: ServerSockets,
  options: ConnectionOptions,
): postgres.Sql {
  const { schema, onNotice, readOnly = false, connections, name, transactionIdleMs } = options
  const given: postgres.Options<Record<string, never>> & { socket: ServerSockets['open'] } = {
    // With several hosts postgres.js would leave a query waiting when all are away.
    ...(typeof address === 'string' && { host: hosts[0].host, port: hosts[0].port }),
    socket: sockets.open,
    password: () => password,
    max: connections,
    connect_timeout: CONNECT_SECONDS_MAX,
    keep_alive: SILENCE_SECONDS_BEFORE_ASKING,
    // An absent server refuses at once; a restarted one is found at once.
    backoff: false,
    connection: {
      search_path: schema,
      application_name: name,
      ...options.settings,
      ...(readOnly && { default_transaction_read_only: true }),
      ...(transactionIdleMs !== undefined && {
        idle_in_transaction_session_timeout: transactionIdleMs,
        ...KEEPALIVES,
      }),
    },
    onnotice: (notice) => {
      onNotice(notice['message'], 'debug')
      if (notice['routine'] === UNREPLICATED) throw unreplicated(sockets)
    },
    onclose: options.onClose ?? (() => {}),
  }
  return typeof address === 'string' ? postgres(address, given) : postgres({ ...address, ...given })
}

/** What in PostgreSQL warns that a commit's wait for a standby was cancelled. */
const UNREPLICATED = 'SyncRepWaitForLSN'

/**
 * The server goes on as if the commit had succeeded. Thrown while the warning is read, this fails
 * the query that it belongs to; its connection may not be used again.
 */
function unreplicated({ cut }: ServerSockets): Error {
  cut()
  const message = 'the standby has not confirmed the commit'
  return Object.assign(new Error(message), { code: 'ERR_DATABASE_UNREPLICATED' })
}

/** The timeline that a server writes; undefined for a standby. */
function probing(address: string): Probe {
  return async ({ host, port }) => {
    const sockets = serverSockets()
    const sql = connection({ ...parsed(address), hosts: [{ host, port }] }, sockets, {
      schema: 'pg_catalog',
      connections: 1,
      name: 'orrery primary',
      onNotice: () => {},
    })
    const late = setTimeout(sockets.cut, PROBE_MS_MAX)
    try {
      const [{ timeline }] = await sql<[{ timeline: string | null }]>`
        select case when not pg_is_in_recovery()
          then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`
      return timeline === null ? undefined : Number.parseInt(timeline, 16)
    } finally {
      clearTimeout(late)
      await sql.end({ timeout: 0 })
    }
  }
}

/** A pooler that shares sessions drops their settings, and gives the owner's lock to others. */
async function requireSession(sql: postgres.Sql, schema: string): Promise<void> {
  const [{ path }] = await sql<[{ path: string }]>`select current_setting('search_path') as path`
  if (path === schema) return
  const message =
    'The PostgreSQL server cannot be used: a pooler in front of it drops search_path: ' +
    'connect directly, or through a pooler in session mode that passes search_path.'
  throw new DatabaseError('ERR_DATABASE_UNREACHABLE', message)
}

/**
 * Connects to a PostgreSQL server.
 *
 * @throws DatabaseError `ERR_DATABASE_URL`, `ERR_DATABASE_UNREACHABLE`, `ERR_DATABASE_OWNED`
 */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { address, schema, owned, isOwnedLater = false, onLost, onNotice } = options
  const one = parsed(address)
  const isOne = typeof address !== 'string' || one.hosts.length === 1
  const sockets = serverSockets(isOne ? undefined : primaryOf(one.hosts, probing(address)))
  const connect = (
    more: Pick<ConnectionOptions, 'connections' | 'name' | 'settings' | 'onClose'>,
  ): postgres.Sql => connection(one, sockets, { ...options, ...more })
  const sql = connect({ connections: CONNECTIONS_MAX, name: `orrery ${schema}` })
  const sessions: postgres.Sql[] = []
  let ownership: ServerOwnership | undefined
  const own = async (isTaken: boolean): Promise<void> => {
    if (owned === undefined || ownership) return
    ownership = await takeServer({
      owned,
      isTaken,
      schema,
      connect: (name, onClose) => connect({ connections: 1, name, onClose }),
      onSilence: sockets.cut,
      onLost,
      onNotice,
    })
  }
  try {
    if (!isOwnedLater) await own(false)
    await requireSession(sql, schema)
  } catch (error) {
    await ownership?.release()
    await sql.end({ timeout: 0 })
    throw error instanceof DatabaseError ? error : unreachable(error)
  }
  const shut = async (): Promise<void> => {
    await Promise.all(sessions.map((session) => session.end({ timeout: 0 })))
    await sql.end({ timeout: QUERIES_END_SECONDS_MAX })
    await ownership?.release()
  }
  let closing: Promise<void> | undefined
  return {
    sql,
    session: (name, settings) => {
      const session = connect({ connections: 1, name: `orrery ${schema} ${name}`, settings })
      sessions.push(session)
      return session
    },
    reserve: () => own(true),
    isReserved: async () => owned !== undefined && (await holderOf(sql, owned)) !== undefined,
    close: () => (closing ??= shut()),
  }
}
