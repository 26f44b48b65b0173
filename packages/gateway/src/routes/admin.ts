import { refusal } from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import { type Caller, type CallerParts, callerOf } from '../requests/caller.ts'

/** The variables of every admin route. */
export interface AdminEnv {
  Variables: { admin: Caller; requestId: string; body?: object }
}

/** Refuses requests without an admin's token: 401 E005. */
export function adminOnly(parts: CallerParts): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    const admin = await callerOf(context, parts, 'admin')
    if (typeof admin === 'string') throw refusal('E005')
    context.set('admin', admin)
    await next()
  }
}

/** Logs each change an admin makes, with its values; reads and refusals are not logged. */
export function adminLog(logger: Logger): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    await next()
    const { method, path } = context.req
    if (method === 'GET' || method === 'HEAD' || !context.res.ok) return
    const { playerId: admin, username, address } = context.get('admin')
    const id = context.get('requestId')
    const body = context.get('body')
    const fields = { id, admin, username, address, method, path, ...(body && { body }) }
    logger.info(fields, 'admin action')
  }
}
