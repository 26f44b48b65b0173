import { Hono } from 'hono'
import * as v from 'valibot'
import type { Logger } from '../logs/logger.ts'
import type { RouteDescription } from '../documents/openapi.ts'

/** A probe that has not answered by then counts as failed [ms]. */
const PROBE_MS_MAX = 2000

/** Why the service cannot do its work now; undefined when it can. */
export type ReadinessProbe = () => string | undefined | Promise<string | undefined>

/**
 * Routes `/live` (200 while the process answers) and `/ready` (200, or 503 with the reason when the
 * probe returns one, throws, or takes more than 2 s), to be mounted under `/health`. A reason is
 * logged when it is new.
 *
 * @param warning  what 200 has beside: an operator should know it, and the service does its work
 */
export function healthRoutes({
  ready,
  warning = () => undefined,
  logger,
}: {
  readonly ready: ReadinessProbe
  readonly warning?: () => string | undefined
  readonly logger: Logger
}): Hono {
  const routes = new Hono()
  let logged: string | undefined
  routes.get('/live', (context) => {
    // Any page may see that the service is there, and so knows a refused origin from an outage.
    context.header('Cross-Origin-Resource-Policy', 'cross-origin')
    return context.json({ status: 'ok' })
  })
  routes.get('/ready', async (context) => {
    const reason = await inTime(ready).catch((error: unknown) => {
      if (logged !== CHECK_FAILED) logger.warn({ err: error }, 'readiness probe failed')
      return CHECK_FAILED
    })
    if (reason !== logged && reason !== undefined) logger.warn({ reason }, 'not ready')
    logged = reason
    if (reason === undefined) return context.json({ status: 'ok', warning: warning() })
    return context.json({ status: 'unavailable', reason }, 503, { 'Retry-After': '1' })
  })
  return routes
}

/** What a failed check threw may have an address in it: only the log has that. */
const CHECK_FAILED = 'a check failed'

type Probe = Omit<RouteDescription, 'tag'>

const ok = { status: v.literal('ok') }

/** The routes under `/health`, for the API's document. */
export const HEALTH: Readonly<Record<'live' | 'ready', Probe>> = {
  live: {
    id: 'readLiveness',
    summary: 'Liveness',
    description: 'Answers 200 while the process answers at all.',
    success: { status: 200, schema: v.object(ok) },
  },
  ready: {
    id: 'readReadiness',
    summary: 'Readiness',
    description:
      'Answers 200 while the service can do its work, with a warning of what an operator should ' +
      'know, and 503 with a reason otherwise.',
    success: { status: 200, schema: v.object({ ...ok, warning: v.optional(v.string()) }) },
  },
}

/** Schema of a 503 of readiness. */
export const unavailable: v.GenericSchema<{ status: 'unavailable'; reason: string }> = v.object({
  status: v.literal('unavailable'),
  reason: v.string(),
})

async function inTime(probe: ReadinessProbe): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => {
    resolve('no answer to the check in time')
  }, PROBE_MS_MAX)
  try {
    return await Promise.race([probe(), late])
  } finally {
    clearTimeout(timer)
  }
}
