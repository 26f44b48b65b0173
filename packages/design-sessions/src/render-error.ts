export type RenderErrorCode =
  /** faulty source */
  | 'ERR_RENDER_SOURCE'
  | 'ERR_RENDER_TIMEOUT'
  | 'ERR_RENDER_MEMORY'
  /** the process ended without an answer */
  | 'ERR_RENDER_CRASH'
  /** the queue is full */
  | 'ERR_RENDER_BUSY'
  | 'ERR_RENDER_CLOSED'

/** Why a job failed; the message is for its requester. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly code: RenderErrorCode

  constructor(code: RenderErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** An error in a source, with its line if known. */
export function sourceError(message: string, line?: number): RenderError {
  const text = line === undefined ? message : `line ${line}: ${message}`
  return new RenderError('ERR_RENDER_SOURCE', text)
}

export function cancelled(): RenderError {
  return new RenderError('ERR_RENDER_CLOSED', 'Render is not wanted any more')
}
