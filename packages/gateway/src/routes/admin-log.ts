import type { Logger } from '@orrery/http'
import type { MiddlewareHandler } from 'hono'
import type { AdminEnv } from './admin-only.ts'

/** Writes one line for each thing an admin changed; what is only read or refused is not told. */
export function adminLog(logger: Logger): MiddlewareHandler<AdminEnv> {
  return async (context, next) => {
    await next()
    const { method, path } = context.req
    if (method === 'GET' || method === 'HEAD' || !context.res.ok) return
    logger.info({ admin: context.get('adminId'), method, path }, 'admin action')
  }
}
