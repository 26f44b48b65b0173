import postgres from 'postgres'
import { reasonOf } from './away.ts'
import { DatabaseError, type Notice } from './error.ts'
import { type Owned, type ServerOwnership, takeServer } from './server-owner.ts'
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
  /** Transactions change nothing. */
  readonly readOnly?: boolean
  readonly onLost: (error: DatabaseError) => void
  readonly onNotice: Notice
}

/** An open handle on a server. */
export interface Server {
  readonly sql: postgres.Sql
  close(this: void): Promise<void>
}

const CONNECTIONS_MAX = 10
// Longest wait of a query while the server is unreachable.
const CONNECT_SECONDS_MAX = 2
// The system then probes ten times, a second apart: a lost server is noticed in 15 s.
const SILENCE_SECONDS_BEFORE_ASKING = 5
const QUERIES_END_SECONDS_MAX = 10

function unreachable(error: unknown): DatabaseError {
  const message = `The PostgreSQL server cannot be used: ${reasonOf(error)}.`
  // No cause: loggers print causes, and this one may contain host and user.
  return new DatabaseError('ERR_DATABASE_UNREACHABLE', message)
}

interface ConnectionOptions extends Pick<ServerOptions, 'schema' | 'onNotice' | 'readOnly'> {
  readonly connections: number
  readonly name: string
  readonly onClose?: () => void
}

function connection(
  address: Address,
  sockets: ServerSockets,
  { schema, onNotice, readOnly = false, connections, name, onClose = () => {} }: ConnectionOptions,
): postgres.Sql {
  const malformed = 'The database URL is not of the form postgres://user:password@host:port/name.'
  const isUrl = typeof address === 'string'
  if (isUrl && !/^postgres(ql)?:\/\/./u.test(address))
    throw new DatabaseError('ERR_DATABASE_URL', malformed)
  try {
    // Parsed by a first handle, which never connects. Printing the one in use, or an error with its
    // options, then shows a function instead of the password.
    const { pass } = (isUrl ? postgres(address) : postgres(address)).options
    const options: postgres.Options<Record<string, never>> & { socket: ServerSockets['open'] } = {
      socket: sockets.open,
      password: () => pass ?? '',
      max: connections,
      connect_timeout: CONNECT_SECONDS_MAX,
      keep_alive: SILENCE_SECONDS_BEFORE_ASKING,
      // An absent server refuses at once; a restarted one is found at once.
      backoff: false,
      connection: {
        search_path: schema,
        application_name: name,
        ...(readOnly && { default_transaction_read_only: true }),
      },
      onnotice: (notice) => onNotice(notice['message'], 'debug'),
      onclose: onClose,
    }
    return isUrl ? postgres(address, options) : postgres({ ...address, ...options })
  } catch {
    // Node's error would contain the URL.
    throw new DatabaseError('ERR_DATABASE_URL', malformed)
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
  const { address, schema, owned, readOnly = false, onLost, onNotice } = options
  const sockets = serverSockets()
  const connect = (connections: number, name: string, onClose?: () => void): postgres.Sql =>
    connection(address, sockets, {
      schema,
      onNotice,
      readOnly,
      connections,
      name,
      ...(onClose && { onClose }),
    })
  const sql = connect(CONNECTIONS_MAX, `orrery ${schema}`)
  let ownership: ServerOwnership | undefined
  try {
    if (owned !== undefined) {
      ownership = await takeServer({
        owned,
        schema,
        connect: (name, onClose) => connect(1, name, onClose),
        onSilence: sockets.cut,
        onLost,
        onNotice,
      })
    }
    await requireSession(sql, schema)
  } catch (error) {
    await ownership?.release()
    await sql.end({ timeout: 0 })
    throw error instanceof DatabaseError ? error : unreachable(error)
  }
  const shut = async (): Promise<void> => {
    await sql.end({ timeout: QUERIES_END_SECONDS_MAX })
    await ownership?.release()
  }
  let closing: Promise<void> | undefined
  return { sql, close: () => (closing ??= shut()) }
}
