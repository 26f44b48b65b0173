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

/**
 * Writes one line per request: method, path without query, status, duration, id. Success is
 * `debug`, a client's error `info`, a server's `warn`.
 */
export function requestLog({
  logger,
  now = () => performance.now(),
}: {
  readonly logger: Logger
  /** A monotonic clock [ms]. */
  readonly now?: () => number
}): MiddlewareHandler {
  return async (context: Context, next) => {
    const startMs = now()
    await next()
    const { status } = context.res
    const level = status < 400 ? 'debug' : status < 500 ? 'info' : 'warn'
    if (!logger.isLevelEnabled(level)) return
    logger[level](
      {
        id: context.get('requestId'),
        method: context.req.method,
        path: context.req.path.slice(0, PATH_MAX),
        status,
        duration_ms: Math.round((now() - startMs) * 1000) / 1000,
      },
      'request',
    )
  }
}
