import type { Logger } from '@orrery/http'
import type postgres from 'postgres'
import type { Config } from './config.ts'
import type { Documents } from './documents/documents.ts'
import type { Knowledge } from './indexing/knowledge.ts'
import type { Uploads } from './records/upload-files.ts'
import type { RenderQueue } from './rendering/render-queue.ts'
import type { Renderer } from './rendering/renderer.ts'

/** What the routes depend on. */
export interface AppParts {
  readonly sql: postgres.Sql
  readonly config: Config
  readonly logger: Logger
  readonly uploads: Uploads
  readonly renderer?: Renderer
  readonly renderQueue?: RenderQueue
  readonly documents?: Documents
  readonly knowledge?: Knowledge
}

/** Path of all routes except health and the API document. */
export const PREFIX = '/api/v1'
