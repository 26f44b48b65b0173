/**
 * The small kit both services share: config, errors, bodies, limits, logging, health, shutdown,
 * the API's document.
 *
 * ```ts
 * const app = new Hono()
 * installErrors(app, { shape: ({ code, message }) => ({ error: { code, message } }), logger })
 * app.use(requestIds(), requestLog({ logger }), securityHeaders({ tls: false }))
 * app.post('/echo', async (c) => c.json(await jsonBody(c, v.object({ text: v.string() }))))
 * await listen(createServer({ fetch: app.fetch, shape, logger }), { host: '127.0.0.1', port: 0 })
 * ```
 *
 * @module
 */
export { breakOff } from './service/break-off.ts'
export { drainBody } from './errors/body-drain.ts'
export { clientAddress, incomingAddress, vouchForClient } from './limits/client-address.ts'
export {
  ConfigError,
  type Environment,
  described,
  helpText,
  isUnset,
  parseConfig,
} from './config/config.ts'
export {
  type ConfigValue,
  boolean,
  integer,
  hostNames,
  list,
  oneOf,
  origins,
  port,
  secret,
  secretUrl,
  text,
  url,
} from './config/config-values.ts'
export {
  type ErrorOptions,
  type InstalledErrorOptions,
  installErrors,
} from './errors/error-responses.ts'
export { hostHeaderFault, isHostAllowed, isLoopbackName } from './limits/host-header.ts'
export { HEALTH, type ReadinessProbe, healthRoutes, unavailable } from './service/health.ts'
export { errorText } from './errors/error-text.ts'
export {
  type BodyIssue,
  type ErrorShape,
  type Fault,
  HttpError,
  type KitErrorCode,
} from './errors/http-error.ts'
export { MISSING, issueReason, issueSentence } from './errors/issue-text.ts'
export {
  BODY_BYTES_MAX,
  BODY_DEPTH_MAX,
  type JsonBodyOptions,
  jsonBody,
  textBody,
} from './errors/json-body.ts'
export { closingQuote } from './errors/json-depth.ts'
export {
  LOG_LEVELS,
  type LogLevel,
  type Logger,
  type LoggerOptions,
  createLogger,
} from './logs/logger.ts'
export {
  type Json,
  type JsonObject,
  NamedSchemas,
  schemaReference,
} from './documents/named-schemas.ts'
export {
  type ApiContent,
  ApiDescription,
  type ApiDialect,
  type ApiDocument,
  type ApiOperation,
  RIGHTS,
  type RouteDescription,
  type RouteError,
} from './documents/openapi.ts'
export { rateLimit, rateLimited } from './limits/rate-limit.ts'
export { type RequestLogOptions, requestIds, requestLog } from './logs/request-log.ts'
export { runService } from './service/run-service.ts'
export { Secret } from './logs/secret.ts'
export { PAGE_POLICY, securityHeaders } from './limits/security-headers.ts'
export {
  type Patience,
  type ServerOptions,
  closeServer,
  createServer,
  listen,
} from './service/server.ts'
export {
  type Listener,
  type ListenerOptions,
  type Served,
  type Service,
  StartError,
  openListener,
  serve,
  waitingApp,
} from './service/service.ts'
export { Shutdown, type ShutdownOptions, type ShutdownStep } from './service/shutdown.ts'
export { COMMIT, VERSION } from './config/version.ts'
export { type Attempt, SlidingWindow, type SlidingWindowOptions } from './limits/sliding-window.ts'
export { WrongTokens } from './limits/wrong-tokens.ts'
