/** Why a message of the row stream is not taken, by a stable code. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** it is cut, damaged, or not of this release */
  readonly code: 'ERR_STREAM_DAMAGED'

  constructor(code: StreamError['code'], message: string) {
    super(message)
    this.code = code
  }
}
