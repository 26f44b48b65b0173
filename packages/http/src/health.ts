import { Hono } from 'hono'
import * as v from 'valibot'
import type { Logger } from './logger.ts'
import type { RouteDescription } from './openapi.ts'

/** A probe that has not answered by then counts as failed [ms]. */
const PROBE_MS_MAX = 2000

/** Whether the service can do its work now. */
export type ReadinessProbe = () => boolean | Promise<boolean>

/**
 * Routes `/live` (200 while the process answers) and `/ready` (200, or 503 when the probe is false,
 * throws, or takes more than 2 s), to be mounted under `/health`.
 */
export function healthRoutes({
  ready,
  logger,
}: {
  readonly ready: ReadinessProbe
  readonly logger: Logger
}): Hono {
  const routes = new Hono()
  routes.get('/live', (context) => {
    // Any page may see that the service is there, and so knows a refused origin from an outage.
    context.header('Cross-Origin-Resource-Policy', 'cross-origin')
    return context.json({ status: 'ok' })
  })
  routes.get('/ready', async (context) => {
    const isReady = await inTime(ready).catch((error: unknown) => {
      logger.warn({ err: error }, 'readiness probe failed')
      return false
    })
    return isReady ? context.json({ status: 'ok' }) : context.json({ status: 'unavailable' }, 503)
  })
  return routes
}

type Probe = Omit<RouteDescription, 'tag'>

const success = { status: 200, schema: v.object({ status: v.literal('ok') }) } as const

/** The routes under `/health`, for the API's document. */
export const HEALTH: Readonly<Record<'live' | 'ready', Probe>> = {
  live: {
    id: 'readLiveness',
    summary: 'Liveness',
    description: 'Answers 200 while the process answers at all.',
    success,
  },
  ready: {
    id: 'readReadiness',
    summary: 'Readiness',
    description: 'Answers 200 while the service can do its work, and 503 otherwise.',
    success,
  },
}

async function inTime(probe: ReadinessProbe): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`No answer within ${PROBE_MS_MAX} ms`))
  }, PROBE_MS_MAX)
  try {
    return await Promise.race([probe(), late])
  } finally {
    clearTimeout(timer)
  }
}
