import type { PageInput } from '../typesetting/html-page.ts'
import type { PdfInput } from '../typesetting/pdf-input.ts'
import type { Drawing, RenderRequest } from '../engines/drawing.ts'
import type { ShownPictures } from '../pictures/pictures.ts'
import type { RenderError } from '../render-error.ts'

interface Work<Input, Output> {
  readonly input: Input
  readonly output: Output
}

/** Jobs of a render process by kind; inputs and outputs are cloned. */
export interface Jobs {
  readonly diagram: Work<RenderRequest, Drawing>
  /** a rendered SVG as PNG */
  readonly png: Work<string, Uint8Array>
  readonly page: Work<PageInput, string>
  readonly pdf: Work<PdfInput, Uint8Array>
  /** uploads and data URIs as SVG by their references */
  readonly pictures: Work<ShownPictures, Readonly<Record<string, string>>>
  /** loads what takes longest */
  readonly warm: Work<null, null>
}

export type JobKind = keyof Jobs

/**
 * Runs a job in the render process.
 *
 * @throws {RenderError} for a faulty source; after any other error the process is replaced
 */
export type Runner<Kind extends JobKind> = (
  input: Jobs[Kind]['input'],
) => Promise<Jobs[Kind]['output']>

/** One job; the next is sent after its answer. */
export interface JobMessage {
  readonly kind: JobKind
  readonly input: unknown
}

/** The result of a job. */
export type AnswerMessage =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly code: RenderError['code']; readonly error: string }
