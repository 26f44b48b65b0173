import { migrate, openDatabase } from '@orrery/database'
import {
  type Logger,
  type Patience,
  type Service,
  isLoopbackName,
  openListener,
  serve,
} from '@orrery/http'
import type { Hono } from 'hono'
import { join } from 'node:path'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { Documents } from './documents/documents.ts'
import { errorShape } from './errors.ts'
import { openKnowledge } from './indexing/knowledge.ts'
import type { Embedder } from './sentences/embedder.ts'
import { EmbeddingService } from './sentences/embedding-service.ts'
import { SentenceModel } from './sentences/sentence-model.ts'
import { openUploads, sweepUploads, uploadDirectory } from './records/upload-files.ts'
import { createNamedFiles } from './pictures/named-files.ts'
import { networkNamespace } from './rendering/network-namespace.ts'
import { RenderQueue } from './rendering/render-queue.ts'
import { Renderer } from './rendering/renderer.ts'

/** An upload of 100 MiB may take minutes, headers may not; a client that never reads is cut off. */
const PATIENCE: Patience = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 300_000,
  keepAliveMs: 5000,
  checkMs: 5000,
  idleMs: 300_000,
}

/** Names of ours below `DATA_DIR`. */
const DATABASE = 'design-sessions'
const FILES = 'design-sessions-files'

const SCHEMA = 'design_sessions'
const MIGRATIONS = new URL('../migrations/', import.meta.url)

/**
 * Listens, answering 503 until the database is open and up to date; then serves.
 *
 * @throws {StartError | DatabaseError} with a reason in one line
 */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  if (config.token === undefined && !isLoopbackName(config.host)) {
    const warning = 'no token is set: whoever reaches this address may read and change everything'
    logger.warn({ host: config.host, variable: 'DESIGN_SESSIONS_TOKEN' }, warning)
  }
  const listener = await openListener({
    host: config.host,
    port: config.port,
    variables: 'DESIGN_SESSIONS_HOST, DESIGN_SESSIONS_PORT',
    startingMessage: 'The service is starting',
    shape: errorShape,
    logger,
    patience: PATIENCE,
  })
  const lost = Promise.withResolvers<string>()
  const service = await serve(listener, async (opened) => ({
    app: await openApp({ config, logger, onLost: lost.resolve }, opened),
  }))
  return { ...service, ownershipLost: lost.promise }
}

function embedderOf({ hasVectors, embeddings }: Config): Embedder | undefined {
  if (!hasVectors) return undefined
  return embeddings ? new EmbeddingService(embeddings) : new SentenceModel()
}

interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** another process has taken the database */
  readonly onLost: (reason: string) => void
}

/** The app, on an open database; what this opens is closed with `opened`. */
async function openApp(
  { config, logger, onLost }: AppOptions,
  opened: AsyncDisposableStack,
): Promise<Hono> {
  const database = await openDatabase({
    directory: join(config.dataDirectory, DATABASE),
    schema: SCHEMA,
    ...(config.databaseUrl && { url: config.databaseUrl.reveal() }),
    exclusive: true,
    onLost: (error) => onLost(error.message),
    onNotice: (notice, level) => logger[level]({ notice }, 'database'),
  })
  opened.defer(() => database.close())
  await migrate(database, MIGRATIONS)
  logger.info({ kind: database.kind }, 'database open')
  const { sql } = database
  const directory = await uploadDirectory(sql, join(config.dataDirectory, FILES))
  const uploads = await openUploads(directory)
  await sweepUploads(sql, directory)
  const knowledge = await openKnowledge({
    sql,
    directory: config.knowledgeDirectory,
    uploads,
    automatic: true,
    logger,
    model: embedderOf(config),
  })
  opened.defer(() => knowledge.close())
  if (networkNamespace() === undefined) {
    logger.info('render processes have no network namespace: only Node keeps them off the network')
  }
  const renderer = new Renderer({
    timeoutMs: config.renderSecondsMax * 1000,
    isWarm: config.isRenderWarm,
    niceness: config.renderNiceness,
  })
  const namedFiles = createNamedFiles(sql, uploads)
  const documents = new Documents({ sql, renderer, namedFiles, knowledge })
  const renderQueue = new RenderQueue({ sql, logger, renderer, documents, namedFiles })
  opened.defer(() => renderQueue.close())
  await renderQueue.resume()
  return createApp({ sql, config, logger, uploads, renderer, renderQueue, documents, knowledge })
}
