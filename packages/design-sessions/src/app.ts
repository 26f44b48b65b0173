import { reasonOf } from '@orrery/database'
import {
  clientAddress,
  healthRoutes,
  installErrors,
  requestIds,
  requestLog,
  securityHeaders,
} from '@orrery/http'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { type AppParts, PREFIX } from './app-parts.ts'
import { namedAuthor, refuseForeignPages, requireToken } from './access.ts'
import { forClient } from './client.ts'
import { errorShape } from './errors.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { databaseFault } from './records/faults.ts'
import { bundleRoutes } from './routes/bundle.ts'
import { adrFileRoutes } from './routes/adrs.ts'
import { changeRoutes } from './routes/changes.ts'
import { factRoutes } from './routes/facts.ts'
import { exportRoutes, renderFault, renderRoutes } from './routes/renders.ts'
import { addHealthDescriptions, openApiRoutes } from './routes/openapi.ts'
import { iconRoutes } from './routes/icons.ts'
import { knowledgeRoutes } from './routes/knowledge.ts'
import { pageRoutes } from './routes/page.ts'
import { previewRoutes } from './routes/previews.ts'
import { recordRoutes } from './routes/records.ts'
import { templateRoutes } from './routes/templates.ts'
import { workflowRoutes } from './routes/workflow.ts'

/** The HTTP application, for a server or for direct requests in a test. */
export function createApp(parts: AppParts): Hono {
  const { config, documents, logger, sql, uploads } = parts
  const app = new Hono()
  installErrors(app, {
    shape: errorShape,
    logger,
    known: (error) => databaseFault(error) ?? renderFault(error),
  })
  const addressOf = (context: Parameters<typeof clientAddress>[0]): string =>
    clientAddress(context, config.trustProxy)
  app.use((context, next) => forClient(addressOf(context), next))
  app.use(namedAuthor)
  app.use(requestIds(), requestLog({ logger, addressOf }), securityHeaders({ tls: false }))
  if (config.allowedOrigins.length > 0) {
    app.use('*', cors({ origin: [...config.allowedOrigins], exposeHeaders: ['Link', 'ETag'] }))
  }
  const ready = async (): Promise<string | undefined> => {
    try {
      await sql`select 1`
      return undefined
    } catch (error) {
      return `the database is away: ${reasonOf(error)}`
    }
  }
  addHealthDescriptions(app)
  app.route('/health', healthRoutes({ ready, logger }))
  app.use(refuseForeignPages(config))
  // A browser opens these without a token: they hold no records.
  app.route('/', pageRoutes({ needsToken: config.token !== undefined }))
  app.route('/', openApiRoutes(app))
  app.use(requireToken(config.token, addressOf))
  // Before the records: `coverage/gate` is not the id of a coverage item.
  app.route(PREFIX, workflowRoutes(parts))
  app.route(PREFIX, factRoutes(parts))
  app.route(PREFIX, changeRoutes(parts))
  app.route(PREFIX, adrFileRoutes(parts))
  app.route(PREFIX, recordRoutes(parts))
  app.route(PREFIX, bundleRoutes(parts))
  const { renderer, renderQueue, knowledge } = parts
  if (renderer) app.route(PREFIX, previewRoutes({ sql, uploads, renderer }))
  if (renderer && renderQueue) app.route(PREFIX, renderRoutes({ sql, renderer, renderQueue }))
  if (knowledge) app.route(PREFIX, knowledgeRoutes({ knowledge }))
  app.route(PREFIX, iconRoutes())
  if (documents) app.route(PREFIX, templateRoutes({ documents }))
  if (documents && renderQueue) app.route(PREFIX, exportRoutes({ sql, renderQueue, documents }))
  app.route('/', mcpRoutes(app))
  return app
}
