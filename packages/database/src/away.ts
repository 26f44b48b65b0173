/** Classes of SQLSTATE, codes of postgres.js and of the system for an unreachable server. */
const AWAY = new RegExp(
  `^(?:${[
    '08...', // the connection failed
    '28...', // the server refuses this user
    '53...', // no memory, no disk, no connection left
    '25006', // read only: a standby, or a disk that filled up
    '3D000', // the server has no such database
    '57P0[1235]', // ended by an administrator or a crashed process, starting or ending, too idle
    '58030', // input or output failed
    'CONNECTION_(?:CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|ERR_DATABASE_UNREACHABLE',
    'E(?:CONNABORTED|CONNREFUSED|CONNRESET|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH)',
    'E(?:AI_AGAIN|NOTFOUND|PIPE|TIMEDOUT)',
  ].join('|')})$`,
  'u',
)

/**
 * Whether an error means that the database is unreachable, not that the statement is wrong.
 *
 * The statement may be repeated later; a commit may have succeeded. The causes of an error count.
 */
export function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, syscall, cause }: { code?: unknown; syscall?: unknown; cause?: unknown } = error
  if (typeof code === 'string' && AWAY.test(code)) return true
  // The socket file does not exist.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return cause !== error && isAway(cause)
}
