/** SQLSTATE classes that speak of the server, its resources or the way to it. */
const CLASSES = new Set([
  '08', // connection
  '28', // the server refuses this user
  '53', // no room, no memory, no connection left
])

const CODES = new Set([
  '25006', // read only: a standby, or a disk that filled up
  '3D000', // the server has no such database
  '57P01', // ended by an administrator
  '57P02', // ended with a crashed neighbour
  '57P03', // starting up or shutting down
  '57P05', // idle for too long
  '58030', // input or output failed
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_DATABASE_LOST',
  'ERR_DATABASE_UNREACHABLE',
  'ETIMEDOUT',
])

/**
 * Whether an error says that the database is not there, rather than that the statement was wrong.
 *
 * The statement may be repeated later; if it was a commit, it may have been made all the same.
 * The causes of an error are asked too.
 */
export function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, syscall, cause }: { code?: unknown; syscall?: unknown; cause?: unknown } = error
  if (typeof code === 'string') {
    if (CODES.has(code)) return true
    if (code.length === 5 && CLASSES.has(code.slice(0, 2))) return true
    // A socket file that is not there.
    if (code === 'ENOENT' && syscall === 'connect') return true
  }
  return cause !== error && isAway(cause)
}
