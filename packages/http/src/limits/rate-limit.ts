import type { Context, MiddlewareHandler } from 'hono'
import { HttpError } from '../errors/http-error.ts'
import type { SlidingWindow } from './sliding-window.ts'

/**
 * Counts each request against a window and refuses it with 429 `rate_limited` and `Retry-After`.
 * Routes that share a window are counted together.
 *
 * @param keyOf  the key that a request is counted under, such as its client address
 */
export function rateLimit(
  window: SlidingWindow,
  keyOf: (context: Context) => string,
): MiddlewareHandler {
  return async (context, next) => {
    const attempt = window.attempt(keyOf(context))
    if (!attempt.allowed) throw rateLimited(attempt.retryAfterSeconds)
    await next()
  }
}

/** The error of an attempt that was not allowed. */
export function rateLimited(retryAfterSeconds: number): HttpError {
  return new HttpError(429, 'rate_limited', 'Too many requests', {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })
}
