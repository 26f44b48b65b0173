import { HttpError, type Logger } from '@orrery/http'
import { EventEmitter } from 'node:events'
import type postgres from 'postgres'
import { clientNow, forClient } from '../client.ts'
import type { Documents } from '../documents/documents.ts'
import { LEASE_SECONDS } from '../lease.ts'
import { plainText } from '../plain-text.ts'
import { type Artifact, artifacts, isReport } from '../records/artifacts.ts'
import { type Stored, one } from '../records/table.ts'
import { Claims } from './claims.ts'
import type { Drawing, RenderRequest } from './jobs.ts'
import type { NamedFiles } from './named-files.ts'
import { RenderError } from './render-error.ts'
import {
  type Claim,
  type Outcome,
  addRequest,
  endClaim,
  isRequested,
  returnClaim,
} from './render-requests.ts'
import type { Renderer } from './renderer.ts'

/** Queue of artifacts to be rendered, stored in the database to survive restarts. */
export interface RenderQueue {
  /**
   * Sets an artifact to `rendering` and waits for its final status.
   *
   * @param waitMs  20 s by default; afterwards it is returned in its present state
   * @throws {HttpError} 404; 400 `No source code to render`; 503 when the queue is full
   */
  request(artifactId: string, options?: { readonly waitMs?: number }): Promise<Stored<Artifact>>
  /** Returns claimed requests to the queue. */
  close(): Promise<void>
}

export interface QueueParts {
  readonly sql: postgres.Sql
  readonly logger: Logger
  readonly renderer: Renderer
  readonly documents?: Documents
  readonly namedFiles?: NamedFiles
}

const WAIT_MS = 20_000

/** One per render process. */
const SLOTS = 3

/** Interval of checks for results and abandoned claims of other processes. */
const WAITER_MS = 1000
const IDLE_MS = 5000

/** Mean time between two checks of all waiting requests. */
const WAITER_SHARE_MS = 20

/** Requests added at a time; hundreds would slow down everything else. */
const ADDED_AT_ONCE = 4

const RENEWAL_MS = (LEASE_SECONDS * 1000) / 5

/** Delay of the next attempt when the renderer is full. */
const PAUSE_SECONDS = 2

/** Starts rendering queued and abandoned requests. */
export function createRenderQueue(parts: QueueParts): RenderQueue {
  const { sql, logger } = parts
  const claims = new Claims(sql)
  // Each waiting request is a listener.
  const events = new EventEmitter().setMaxListeners(0)
  const closing = new AbortController()
  const limited = concurrencyLimit(ADDED_AT_ONCE)
  // Counts events that may occur during a query, so that none is missed.
  let eventCount = 0

  const serve = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const before = eventCount
      const next = await claims.next()
      if (!next) {
        if (eventCount === before) await eventOrTimeout(events, 'request', IDLE_MS)
        continue
      }
      const { claim, signal } = next
      try {
        await forClient(claim.client, () => renderClaim(parts, claim, signal))
      } finally {
        claims.remove(claim)
        events.emit(claim.artifact.id)
      }
    }
  }
  const serveAlways = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await serve()
      } catch (error) {
        logger.error({ err: error }, 'render queue')
        if (!closing.signal.aborted) await eventOrTimeout(events, 'close', IDLE_MS)
      }
    }
  }
  const served = Array.from({ length: SLOTS }, serveAlways)
  const renewal = setInterval(() => {
    claims.renew().catch((error: unknown) => logger.warn({ err: error }, 'claims not renewed'))
  }, RENEWAL_MS)

  return {
    request: async (artifactId, { waitMs = WAIT_MS } = {}) => {
      const end = performance.now() + waitMs
      const client = clientNow()
      await limited(() => addRequest(sql, artifactId, client))
      eventCount++
      events.emit('request')
      const leftMs = (): number => (closing.signal.aborted ? 0 : end - performance.now())
      return settledArtifact(sql, artifactId, events, leftMs)
    },
    close: async () => {
      closing.abort()
      clearInterval(renewal)
      eventCount++
      events.emit('request')
      events.emit('close')
      await parts.renderer.close()
      await Promise.all(served)
    },
  }
}

/** An artifact once no request of it is left, or when no time is left [ms]. */
async function settledArtifact(
  sql: postgres.Sql,
  id: string,
  events: EventEmitter,
  leftMs: () => number,
): Promise<Stored<Artifact>> {
  while (leftMs() > 0 && (await isRequested(sql, id))) {
    const pause = Math.max(WAITER_MS, events.eventNames().length * WAITER_SHARE_MS)
    await eventOrTimeout(events, id, Math.max(0, Math.min(pause, leftMs())))
  }
  const artifact = await one<Artifact>(sql, artifacts, { id })
  // Another request may have begun the next render between these two queries.
  const isSettled = leftMs() <= 0 || artifact.render_status !== 'rendering'
  return isSettled ? artifact : settledArtifact(sql, id, events, leftMs)
}

/** Resolves at an event or after a time. */
function eventOrTimeout(events: EventEmitter, name: string, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  events.once(name, resolve)
  return promise.finally(() => {
    clearTimeout(timer)
    events.off(name, resolve)
  })
}

/** Renders a claimed artifact and stores the result. */
async function renderClaim(parts: QueueParts, claim: Claim, signal: AbortSignal): Promise<void> {
  const { sql, logger } = parts
  let outcome: Outcome
  try {
    outcome = claim.isHopeless
      ? { error: 'Render was broken off several times' }
      : await drawingOf(parts, claim.artifact, signal)
  } catch (error) {
    const code = error instanceof RenderError ? error.code : undefined
    if (code === 'ERR_RENDER_CLOSED' || code === 'ERR_RENDER_BUSY') {
      await returnClaim(sql, claim, code === 'ERR_RENDER_BUSY' ? PAUSE_SECONDS : 0)
      return
    }
    const isKnown = code !== undefined || error instanceof HttpError
    if (!isKnown) logger.error({ err: error, artifact: claim.artifact.id }, 'render failed')
    const text = isKnown ? (error as Error).message : 'Render failed'
    outcome = { error: plainText(text.replaceAll('\0', '').toWellFormed()) }
  }
  await endClaim(sql, claim, outcome)
}

async function drawingOf(
  { renderer, documents, namedFiles }: QueueParts,
  artifact: Artifact,
  signal: AbortSignal,
): Promise<Drawing> {
  const { engine, source_code: source } = artifact
  if (engine === 'markdown' || engine === 'weasyprint' || isReport(artifact)) {
    if (documents) return { outputs: await documents.outputs(artifact, signal), notes: [] }
    throw new RenderError('ERR_RENDER_CRASH', 'Documents are not rendered here')
  }
  const input = async (): Promise<RenderRequest> => ({
    engine,
    source: source ?? '',
    files: (await namedFiles?.ofVersion(artifact.version_id, source ?? '')) ?? {},
  })
  return renderer.run('diagram', input, signal)
}

/** Limits the number of concurrent calls; the others wait in order. */
export function concurrencyLimit(places: number): (work: () => Promise<void>) => Promise<void> {
  const line: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else free++
    }
  }
}
