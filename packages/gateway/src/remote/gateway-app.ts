import { type ReadinessProbe, type WrongTokens, clientAddress, healthRoutes } from '@orrery/http'
import { refusal } from '@orrery/game'
import { bearerToken } from '@orrery/protocol'
import { type Handler, Hono } from 'hono'
import type { ReadingParts } from '../app-parts.ts'
import { asyncApiRoutes } from '../documents/asyncapi.ts'
import type { BuiltPage } from '../page-files.ts'
import { metricsReaders } from '../routes/operations.ts'
import { pageRoutes } from '../routes/page.ts'
import { pilotRoutes } from '../routes/pilots.ts'
import { ownShipRoutes } from '../routes/player.ts'
import { statusRoutes } from '../routes/public.ts'
import { ownRuleRoutes } from '../routes/rules.ts'
import { starSystemRoutes } from '../routes/star-systems.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { Logger } from '@orrery/http'

export interface GatewayAppParts extends ReadingParts {
  readonly wrongTokens: Pick<WrongTokens, 'count'>
  readonly page: BuiltPage
  readonly gatewayMetrics: Pick<GatewayMetrics, 'text' | 'contentType'>
  /** why it is not ready */
  readonly ready: ReadinessProbe
  /** hands on to the owner of the world */
  readonly proxy: Handler
  readonly logger: Logger
}

/**
 * What a gateway answers by itself, from its mirror and the database. The owner of the world
 * answers the rest.
 *
 * @param app  with what comes before all routes
 */
export function addGatewayRoutes(app: Hono, parts: GatewayAppParts): void {
  const { page, ready, logger, proxy } = parts
  app.route('/', pageRoutes(page))
  app.route('/health', healthRoutes({ ready, logger }))
  app.route('/', metricsRoute(parts))
  app.route('/', statusRoutes(parts))
  app.route('/', starSystemRoutes(parts))
  app.route('/', pilotRoutes(parts))
  app.route('/', ownShipRoutes(parts))
  app.route('/', ownRuleRoutes(parts))
  app.route('/', asyncApiRoutes(parts.engine))
  app.all('/api/*', proxy)
}

function metricsRoute(parts: GatewayAppParts): Hono {
  const { config, gatewayMetrics, wrongTokens } = parts
  const mayRead = metricsReaders(parts)
  return new Hono().get('/metrics', async (context) => {
    const token = bearerToken(context.req.header('authorization')) ?? ''
    if (!(await mayRead(token))) {
      if (token !== '') wrongTokens.count(clientAddress(context, config.trustProxy))
      throw refusal('E005')
    }
    const { contentType } = gatewayMetrics
    return context.body(await gatewayMetrics.text(), 200, { 'content-type': contentType })
  })
}
