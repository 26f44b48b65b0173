import { migrate, openDatabase } from '@orrery/database'
import {
  type Logger,
  closeServer,
  createServer,
  errorText,
  healthRoutes,
  listen,
} from '@orrery/http'
import { Hono } from 'hono'
import { join } from 'node:path'
import { isOpenToAll } from './access.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createDocuments } from './documents/documents.ts'
import { errorShape } from './errors.ts'
import { type KnowledgeOptions, createKnowledge } from './indexing/knowledge.ts'
import { openUploads, sweepUploads, uploadDirectory } from './records/upload-files.ts'
import { createRenderQueue } from './rendering/render-queue.ts'
import { freeDeadClaims } from './rendering/render-requests.ts'
import { createRenderer } from './rendering/renderer.ts'

/** Requests that still run at a stop are cut after this time. */
const GRACE_MS = 2000

/** An upload of 100 MiB may take its time; headers may not. */
const PATIENCE = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 300_000,
  keepAliveMs: 5000,
  checkMs: 5000,
}

/** A connection on which nothing moves is cut: who never reads his answer keeps nothing open. */
const STILL_MS_MAX = 300_000

/** Names of ours below `DATA_DIR`. */
const DATABASE = 'design-sessions'
const FILES = 'design-sessions-files'

const SCHEMA = 'design_sessions'
const MIGRATIONS = new URL('../migrations/', import.meta.url)

/** A service that listens. */
export interface Service {
  /** where clients find it */
  readonly address: URL
  /** lets requests end, then closes everything */
  stop(): Promise<void>
}

/** The environment asks for an address that is not to be had. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  readonly code = 'ERR_ADDRESS'
}

/**
 * Listens, answering 503 until the database is open and up to date; then serves.
 *
 * @throws {AddressError | DatabaseError} with a reason in one line
 */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  if (isOpenToAll(config)) {
    const warning = 'no token is set: whoever reaches this address may read and change everything'
    logger.warn({ host: config.host, variable: 'DESIGN_SESSIONS_TOKEN' }, warning)
  }
  let app = starting(logger)
  const server = createServer({
    fetch: (request, bindings) => app.fetch(request, bindings),
    shape: errorShape,
    logger,
    patience: PATIENCE,
  })
  server.setTimeout(STILL_MS_MAX)
  const { host, port: wanted } = config
  const port = await listen(server, config).catch((error: unknown) => {
    const message = `DESIGN_SESSIONS_HOST, DESIGN_SESSIONS_PORT: cannot listen on ${host}:${wanted}`
    throw new AddressError(`${message}: ${errorText(error)}`)
  })
  const opened = new AsyncDisposableStack()
  const stop = async (): Promise<void> => {
    try {
      await closeServer(server, GRACE_MS)
    } finally {
      await opened.disposeAsync()
    }
  }
  try {
    app = await openApp(config, logger, opened)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    address: new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`),
    stop,
  }
}

/** All that is behind the server; what it opens is closed with `opened`, the last first. */
async function openApp(
  config: Config,
  logger: Logger,
  opened: AsyncDisposableStack,
): Promise<Hono> {
  const database = await openDatabase({
    directory: join(config.dataDirectory, DATABASE),
    schema: SCHEMA,
    ...(config.databaseUrl && { url: config.databaseUrl.reveal() }),
    onNotice: (notice, level) => logger[level]({ notice }, 'database'),
  })
  opened.defer(() => database.close())
  await migrate(database, MIGRATIONS)
  logger.info({ kind: database.kind }, 'database open')
  const { sql } = database
  const directory = await uploadDirectory(sql, join(config.dataDirectory, FILES))
  const uploads = await openUploads(directory)
  await sweepUploads(sql, directory, { exclusive: database.kind === 'embedded' })
  const knowledge = await createKnowledge({
    sql,
    directory: config.knowledgeDirectory,
    uploads,
    remote: embeddingOf(config),
    exclusive: database.kind === 'embedded',
    automatic: true,
    logger,
  })
  opened.defer(() => knowledge.close())
  const renderer = createRenderer({ timeoutMs: config.renderSecondsMax * 1000 })
  const documents = createDocuments({ sql, renderer })
  if (database.kind === 'embedded') await freeDeadClaims(sql)
  const renderQueue = createRenderQueue({ sql, logger, renderer, documents })
  opened.defer(() => renderQueue.close())
  return createApp({ sql, config, logger, uploads, renderer, renderQueue, documents, knowledge })
}

function embeddingOf({ embedding }: Config): KnowledgeOptions['remote'] {
  if (!embedding) return undefined
  const { base, model, key } = embedding
  return { base, model, ...(key && { key: key.reveal() }) }
}

/** What is served until the records are open: alive, not ready. */
function starting(logger: Logger): Hono {
  return new Hono()
    .route('/health', healthRoutes({ ready: () => false, logger }))
    .all('*', () =>
      Response.json(
        { detail: 'The service is starting' },
        { status: 503, headers: { 'Retry-After': '1' } },
      ),
    )
}
