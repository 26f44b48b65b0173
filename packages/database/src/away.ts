/** Classes of SQLSTATE, names of postgres.js, and errors of the system: the server is not there. */
const AWAY = new RegExp(
  `^(?:${[
    '08...', // the connection failed
    '28...', // the server refuses this user
    '53...', // no memory, no disk, no connection left
    '25006', // read only: a standby, or a disk that filled up
    '3D000', // the server has no such database
    '57P0[1235]', // ended by an administrator or a crashed neighbour, starting or ending, too idle
    '58030', // input or output failed
    'CONNECTION_(?:CLOSED|DESTROYED|ENDED)|CONNECT_TIMEOUT|ERR_DATABASE_UNREACHABLE',
    'E(?:CONNABORTED|CONNREFUSED|CONNRESET|HOSTDOWN|HOSTUNREACH|NETDOWN|NETUNREACH)',
    'E(?:AI_AGAIN|NOTFOUND|PIPE|TIMEDOUT)',
  ].join('|')})$`,
  'u',
)

/**
 * Whether an error says that the database is not there, rather than that the statement was wrong.
 *
 * The statement may be repeated later; if it was a commit, it may have been made all the same.
 * The causes of an error are asked too.
 */
export function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, syscall, cause }: { code?: unknown; syscall?: unknown; cause?: unknown } = error
  if (typeof code === 'string' && AWAY.test(code)) return true
  // A socket file that is not there.
  if (code === 'ENOENT' && syscall === 'connect') return true
  return cause !== error && isAway(cause)
}
