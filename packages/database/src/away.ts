import { codeOf } from './error.ts'

/** Classes of SQLSTATE, codes of postgres.js and of the system for an unreachable server. */
const AWAY = new RegExp(
  `^(?:${[
    '08...', // the connection failed
    '28...', // the server refuses this user
    '53...', // no memory, no disk, no connection left
    '25006', // read only: a standby, or a disk that filled up
    '25P03', // a transaction was idle for too long
    '3D000', // the server has no such database
    '42501', // the role lacks a right, which an operator may grant
    '57P0[1235]', // ended by an administrator or a crashed process, starting or ending, too idle
    '58030', // input or output failed
    'ERR_DATABASE_(?:NO_PRIMARY|UNREACHABLE|UNREPLICATED|WITHOUT_TLS)|CONNECT_TIMEOUT',
    'CONNECTION_(?:CLOSED|DESTROYED|ENDED)',
    'E(?:CONNABORTED|CONNREFUSED|CONNRESET|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH)',
    'E(?:AI_AGAIN|NOTFOUND|PIPE|TIMEDOUT)',
  ].join('|')})$`,
  'u',
)

/** Reasons by the same codes. */
const REASONS: Readonly<Record<string, string>> = {
  '08P01':
    'a pooler in front of it refuses the settings of a session, such as search_path: ' +
    'connect directly, or through a pooler in session mode that passes search_path',
  '25006': 'it is read-only: a standby, or a role that may only read',
  '25P03': 'a transaction was idle for too long',
  '28000': 'the server refuses this user, or a connection like this',
  '28P01': 'wrong user or password',
  '3D000': 'the server has no such database',
  '42501': 'the role lacks a right',
  '53100': 'its disk is full',
  '53200': 'the server has no memory left',
  '53300': 'the server has no connection left',
  '57P01': 'the server ended the connection',
  '57P02': 'a process of the server has crashed',
  '57P03': 'the server is starting up or shutting down',
  '58030': 'its disk fails',
  CONNECT_TIMEOUT: 'no answer in time',
  CONNECTION_CLOSED: 'the server closed the connection',
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the server cut the connection',
  ENOENT: 'the server does not run',
  ENOTFOUND: 'the host name is unknown',
  ERR_DATABASE_NO_PRIMARY: 'none of the servers is a primary',
  ERR_DATABASE_UNREPLICATED: 'its standby has not confirmed the commit',
  ERR_DATABASE_WITHOUT_TLS: 'the URL asks for TLS, which the server does not offer',
}

/**
 * Whether an error means that the database is unreachable, not that the statement is wrong.
 *
 * The statement may be repeated later; a commit may have succeeded. The causes of an error count.
 */
export function isAway(error: unknown): boolean {
  return awayCode(error) !== undefined
}

/**
 * Why the database failed, with the code, such as `its disk is full (53100)`. Nothing of the
 * error's own message is in it, since that may contain the URL. The causes of an error count.
 */
export function reasonOf(error: unknown): string {
  const code = awayCode(error) ?? codeOf(error)
  return `${REASONS[code] ?? 'it failed'} (${code})`
}

/** The code of an error, or of its cause, by which the database is away. */
function awayCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, syscall, cause }: { code?: unknown; syscall?: unknown; cause?: unknown } = error
  if (typeof code === 'string' && AWAY.test(code)) return code
  // The socket file does not exist.
  if (code === 'ENOENT' && syscall === 'connect') return code
  return cause === error ? undefined : awayCode(cause)
}
