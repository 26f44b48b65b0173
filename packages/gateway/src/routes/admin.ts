import { type Players, refusal } from '@orrery/game'
import { bearerToken } from '@orrery/protocol'
import type { Logger } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'

/** The variables of every admin route. */
export interface AdminEnv {
  Variables: { adminId: string }
}

/** Refuses requests without an admin's token: 401 E005. */
export function adminOnly(players: Players): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    const bearer = await players.bearer(token, 'admin')
    if (typeof bearer === 'string') throw refusal('E005')
    context.set('adminId', bearer.account.playerId)
    await next()
  }
}

/** Logs each change an admin makes; reads and refusals are not logged. */
export function adminLog(logger: Logger): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    await next()
    const { method, path } = context.req
    if (method === 'GET' || method === 'HEAD' || !context.res.ok) return
    logger.info({ admin: context.get('adminId'), method, path }, 'admin action')
  }
}
