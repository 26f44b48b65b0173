import { HttpError, type Secret } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Lets only those pass who bear the token, compared in constant time; without one, everybody.
 *
 * @throws {HttpError} 401 `Not authenticated`
 */
export function tokenNeeded(token: Secret | undefined): MiddlewareHandler {
  if (token === undefined) return (_, next) => next()
  const wanted = digest(token.reveal())
  return (context, next) => {
    const [, given] = /^bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
    if (given !== undefined && timingSafeEqual(digest(given), wanted)) return next()
    throw new HttpError(401, 'not_authenticated', 'Not authenticated', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    })
  }
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}
