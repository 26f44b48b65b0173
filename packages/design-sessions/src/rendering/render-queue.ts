import { HttpError, type Logger } from '@orrery/http'
import type postgres from 'postgres'
import { clientNow, forClient } from '../client.ts'
import { type Artifact, artifacts, isReport } from '../records/artifacts.ts'
import { type Stored, one } from '../tables/table.ts'
import { WaitingLine } from '../waiting-line.ts'
import type { RenderRequest } from '../engines/drawing.ts'
import type { NamedFiles } from '../pictures/named-files.ts'
import { RenderError } from '../render-error.ts'
import { type QueuedRender, RenderLine } from './render-line.ts'
import {
  type Outcome,
  beginRequest,
  endRequest,
  forgetAttempt,
  leftRequests,
  presentArtifacts,
  storeRequest,
} from './render-requests.ts'
import type { Renderer } from './renderer.ts'

/** Renders artifacts that are documents; its jobs run in the same renderer. */
export interface DocumentOutputs {
  /** @throws {HttpError} 409 when the version is too large */
  outputs(artifact: Artifact, signal: AbortSignal): Promise<Outcome>
}

export interface QueueParts {
  readonly sql: postgres.Sql
  readonly logger: Logger
  readonly renderer: Pick<Renderer, 'run' | 'close'>
  readonly documents?: DocumentOutputs
  readonly namedFiles?: NamedFiles
}

const WAIT_MS = 20_000

/** Requests stored at a time; hundreds would slow down everything else. */
const STORED_AT_ONCE = 4
const STORED_WAITING_MAX = 2500

/** Delay of the next attempt when the renderer is full, or the database fails. */
const PAUSE_MS = 2000

/** Interval at which renders of removed artifacts are ended. */
const CHECK_MS = 2000

/** Renders artifacts; the database holds which, so that a restart goes on with them. */
export class RenderQueue {
  readonly #parts: QueueParts
  readonly #line = new RenderLine()
  readonly #storing = new WaitingLine('renders', {
    at: STORED_AT_ONCE,
    waitingMax: STORED_WAITING_MAX,
  })
  readonly #check: NodeJS.Timeout
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#check = setInterval(() => void this.#endRemoved(), CHECK_MS)
  }

  /** Goes on with what an earlier process has left. */
  async resume(): Promise<void> {
    for (const left of await leftRequests(this.#parts.sql)) this.#line.add(left)
    this.#startNext()
  }

  /**
   * Sets an artifact to `rendering` and waits for its final status.
   *
   * @param waitMs  20 s by default; afterwards it is returned in its present state
   * @throws {HttpError} 404; 400 `No source code to render`; 503 when the queue is full
   */
  async request(
    artifactId: string,
    { waitMs = WAIT_MS }: { readonly waitMs?: number } = {},
  ): Promise<Stored<Artifact>> {
    const { sql } = this.#parts
    const late = AbortSignal.any([AbortSignal.timeout(waitMs), this.#closing.signal])
    const client = clientNow()
    const stored = await this.#storing.run(() =>
      storeRequest(sql, artifactId, client, (render) => this.#line.add(render)),
    )
    this.#startNext()
    if (waitMs === 0) return stored
    const isLate = once(late)
    for (;;) {
      const wanted = this.#line.wanted(artifactId)
      if (wanted && !late.aborted) await Promise.race([wanted.ended.promise, isLate])
      const artifact = await one<Artifact>(sql, artifacts, { id: artifactId })
      // Another request may have begun the next render.
      if (late.aborted || !this.#line.wanted(artifactId)) return artifact
    }
  }

  /** Ends all renders; the next start goes on with them. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#check)
    await this.#parts.renderer.close()
    await Promise.all(this.#running)
  }

  #startNext(): void {
    while (!this.#closing.signal.aborted) {
      const next = this.#line.take()
      if (!next) return
      const run = forClient(next.client, () => this.#render(next)).finally(() => {
        this.#running.delete(run)
        this.#startNext()
      })
      this.#running.add(run)
    }
  }

  async #render(render: QueuedRender): Promise<void> {
    const { sql, logger } = this.#parts
    try {
      const begun = await beginRequest(sql, render)
      if (begun) {
        const { artifact } = begun
        const outcome = begun.isHopeless
          ? { error: 'Render was broken off several times' }
          : await this.#outcome(artifact, render.unwanted.signal)
        if (outcome) await endRequest(sql, artifact, outcome, () => this.#line.store(render))
        else if (this.#line.isWanted(render)) {
          this.#pause(render)
          await forgetAttempt(sql, render)
          return
        }
      }
      this.#line.end(render)
    } catch (error) {
      logger.error({ err: error }, 'render queue')
      this.#pause(render)
    }
  }

  #pause(render: QueuedRender): void {
    this.#line.pause(render)
    setTimeout(() => {
      this.#line.release(render)
      this.#startNext()
    }, PAUSE_MS).unref()
  }

  /** The result of a render; undefined when it was ended, or the renderer is full. */
  async #outcome(artifact: Artifact, signal: AbortSignal): Promise<Outcome | undefined> {
    try {
      return await this.#drawing(artifact, signal)
    } catch (error) {
      const code = error instanceof RenderError ? error.code : undefined
      if (code === 'ERR_RENDER_CLOSED' || code === 'ERR_RENDER_BUSY') return undefined
      const isKnown = code !== undefined || error instanceof HttpError
      if (!isKnown) {
        this.#parts.logger.error({ err: error, artifact: artifact.id }, 'render failed')
      }
      const text = isKnown ? (error as Error).message : 'Render failed'
      return { error: text }
    }
  }

  async #drawing(artifact: Artifact, signal: AbortSignal): Promise<Outcome> {
    const { renderer, documents, namedFiles } = this.#parts
    const { engine, source_code: source } = artifact
    if (engine === 'markdown' || engine === 'weasyprint' || isReport(artifact)) {
      if (documents) return documents.outputs(artifact, signal)
      throw new RenderError('ERR_RENDER_CRASH', 'Documents are not rendered here')
    }
    const input = async (): Promise<RenderRequest> => ({
      engine,
      source: source ?? '',
      files: (await namedFiles?.ofVersion(artifact.version_id, source ?? '')) ?? {},
    })
    return renderer.run('diagram', input, signal)
  }

  async #endRemoved(): Promise<void> {
    const { sql, logger } = this.#parts
    // Without those that begin before the answer.
    const running = [...this.#line.running]
    if (running.length === 0) return
    try {
      const present = await presentArtifacts(sql, running)
      for (const { artifactId, unwanted } of running) {
        if (!present.has(artifactId)) unwanted.abort()
      }
    } catch (error) {
      logger.warn({ err: error }, 'removed artifacts are not looked for')
    }
  }
}

/** Resolves when a signal is aborted. */
function once(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve())
  return promise
}
