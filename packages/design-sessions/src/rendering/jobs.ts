import type { PageInput } from '../documents/html-page.ts'
import type { PdfInput } from '../documents/pdf-input.ts'
import type { RenderError } from './render-error.ts'

/** Engines that make pictures of sources. */
export type DiagramEngine = 'd2' | 'graphviz' | 'mermaid' | 'diagrams_py'

export interface RenderRequest {
  readonly engine: DiagramEngine
  readonly source: string
  /** `svg` by default */
  readonly format?: 'svg' | 'png'
}

/** A file that an engine made. */
export interface RenderedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

interface Work<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/** What is done in a child, by kind; both ends travel by structured clone. */
export interface Jobs {
  readonly diagram: Work<RenderRequest, readonly RenderedFile[]>
  /** an SVG that was rendered before, as PNG */
  readonly png: Work<string, Uint8Array>
  readonly page: Work<PageInput, string>
  readonly pdf: Work<PdfInput, Uint8Array>
}

export type JobKind = keyof Jobs

/**
 * Does one job; whatever it throws ends up as the job's error.
 *
 * @throws {RenderError} for a source at fault; after anything else the child is given up
 */
export type Runner<Kind extends JobKind> = (
  input: Jobs[Kind]['input'],
) => Promise<Jobs[Kind]['output']>

/** From the parent: one job; the next is sent only after its answer. */
export interface JobMessage {
  readonly kind: JobKind
  readonly input: unknown
}

/** From the child: what became of it. */
export type AnswerMessage =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: RenderError['code']; readonly error: string }
