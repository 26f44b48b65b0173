export type RenderErrorCode =
  /** the source is at fault */
  | 'ERR_RENDER_SOURCE'
  | 'ERR_RENDER_TIMEOUT'
  | 'ERR_RENDER_MEMORY'
  /** the child ended without a word */
  | 'ERR_RENDER_CRASH'
  /** too many jobs wait */
  | 'ERR_RENDER_BUSY'
  | 'ERR_RENDER_CLOSED'

/** Why a job has no result; the message is for whoever asked for it. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode

  constructor(code: RenderErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** An error in a source, at a line of it if known. */
export function sourceError(message: string, line?: number): RenderError {
  const text = line === undefined ? message : `line ${line}: ${message}`
  return new RenderError('ERR_RENDER_SOURCE', text)
}
