import { type Players, refusal } from '@orrery/game'
import { bearerToken } from '@orrery/protocol'
import type { MiddlewareHandler } from 'hono'

/** What every admin route knows of its request: who asks. */
export interface AdminEnv {
  Variables: { adminId: string }
}

/** Lets admins pass, and nobody else: 401 E005. */
export function adminOnly(players: Players): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    const bearer = await players.bearer(token, 'admin')
    if (typeof bearer === 'string') throw refusal('E005')
    context.set('adminId', bearer.account.playerId)
    await next()
  }
}
