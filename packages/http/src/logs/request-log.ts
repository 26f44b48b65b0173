import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import type { Logger } from './logger.ts'

/** Characters of a path that are logged. */
const PATH_MAX = 200

/** Longest id taken over from a client. */
const ID_LENGTH_MAX = 64

/**
 * Gives each request an id, the client's own `X-Request-Id` if it is short and plain, and sends it
 * back under that name.
 */
export function requestIds(): MiddlewareHandler {
  return requestId({ limitLength: ID_LENGTH_MAX })
}

/** Lines per second of refused and failed requests, so that refused clients cannot fill a disk. */
const FAILURES_PER_SECOND = 20

/** How requests are logged. */
export interface RequestLogOptions {
  readonly logger: Logger
  /** the source of a refused request, such as its client address */
  readonly addressOf?: (context: Context) => string
  /** A monotonic clock [ms]. */
  readonly now?: () => number
}

/**
 * Writes one line per request: method, path without query, status, duration, id. Success is
 * `debug`, a client's error `info`, a server's `warn`. Errors also name their code, the address,
 * and the `account` that the service has set on the context; of each of the two at most 20 lines
 * are written per second, and the next has the number left out.
 */
export function requestLog({
  logger,
  addressOf,
  now = () => performance.now(),
}: RequestLogOptions): MiddlewareHandler {
  const refusals = lineBudget(FAILURES_PER_SECOND)
  const faults = lineBudget(FAILURES_PER_SECOND)
  return async (context: Context, next) => {
    const startMs = now()
    await next()
    const { status } = context.res
    const level = status < 400 ? 'debug' : status < 500 ? 'info' : 'warn'
    if (!logger.isLevelEnabled(level)) return
    const endMs = now()
    const leftOut = level === 'debug' ? 0 : (level === 'info' ? refusals : faults)(endMs)
    if (leftOut === undefined) return
    const { code, account } = context.var
    logger[level](
      {
        id: context.get('requestId'),
        method: context.req.method,
        path: context.req.path.slice(0, PATH_MAX),
        status,
        duration_ms: Math.round((endMs - startMs) * 1000) / 1000,
        ...(level !== 'debug' && { code, account, address: addressOf?.(context) }),
        ...(leftOut > 0 && { left_out: leftOut }),
      },
      'request',
    )
  }
}

/** Returns for each line how many were left out before it; undefined if it is left out itself. */
function lineBudget(perSecond: number): (nowMs: number) => number | undefined {
  let secondMs = -Infinity
  let written = 0
  let leftOut = 0
  return (nowMs) => {
    if (nowMs - secondMs >= 1000) {
      secondMs = nowMs
      written = 0
    }
    if (written >= perSecond) {
      leftOut++
      return undefined
    }
    written++
    const before = leftOut
    leftOut = 0
    return before
  }
}
