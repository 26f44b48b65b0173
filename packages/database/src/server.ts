import postgres from 'postgres'
import { DatabaseError, codeOf } from './error.ts'

export interface ServerOptions {
  readonly url: string
  readonly schema: string
  readonly onNotice: (message: string) => void
}

const CONNECTIONS_MAX = 10
const CONNECT_SECONDS_MAX = 10

/** What went wrong, from error codes alone: messages of the layers below may quote the URL. */
const REASONS: Readonly<Record<string, string>> = {
  '28000': 'the server refuses this user',
  '28P01': 'wrong user or password',
  '3D000': 'the server has no such database',
  '53300': 'the server has no connection left',
  '57P03': 'the server is starting up or shutting down',
  CONNECT_TIMEOUT: `no answer within ${CONNECT_SECONDS_MAX} s`,
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'the host name is unknown',
}

function unreachable(error: unknown): DatabaseError {
  const code = codeOf(error)
  const reason = REASONS[code] ?? 'the connection failed'
  const message = `The PostgreSQL server cannot be used: ${reason} (${code}).`
  // No cause: loggers print causes, and this one may hold host and user.
  return new DatabaseError('ERR_DATABASE_UNREACHABLE', message)
}

function connection({ url, schema, onNotice }: ServerOptions): postgres.Sql {
  const malformed = 'The database URL is not of the form postgres://user:password@host:port/name.'
  if (!/^postgres(ql)?:\/\/./u.test(url)) throw new DatabaseError('ERR_DATABASE_URL', malformed)
  try {
    // Parsed by a first handle, which never connects: printing the one in use, or any error that
    // carries its options, then shows a function in the password's place.
    const { pass } = postgres(url).options
    return postgres(url, {
      password: () => pass ?? '',
      max: CONNECTIONS_MAX,
      connect_timeout: CONNECT_SECONDS_MAX,
      connection: { search_path: schema },
      onnotice: (notice) => onNotice(notice['message']),
    })
  } catch {
    // Node's error would carry the URL along.
    throw new DatabaseError('ERR_DATABASE_URL', malformed)
  }
}

/**
 * Connects to a PostgreSQL server.
 *
 * @throws DatabaseError `ERR_DATABASE_URL`, `ERR_DATABASE_UNREACHABLE`
 */
export async function openServer(options: ServerOptions): Promise<postgres.Sql> {
  const sql = connection(options)
  try {
    await sql`select 1`
  } catch (error) {
    await sql.end({ timeout: 0 })
    throw unreachable(error)
  }
  return sql
}
