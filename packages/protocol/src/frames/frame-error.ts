export type FrameErrorCode =
  /** bytes are missing, or left over */
  | 'ERR_FRAME_LENGTH'
  /** the server's table does not fit this client */
  | 'ERR_FRAME_TABLE'
  /** a value that no server sends */
  | 'ERR_FRAME_VALUE'
  /** a header of another version */
  | 'ERR_FRAME_VERSION'

/** A binary message that cannot be read. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
  readonly code: FrameErrorCode

  constructor(code: FrameErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
