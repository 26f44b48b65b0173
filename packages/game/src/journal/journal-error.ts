export type JournalErrorCode =
  /** nothing could be written for too long: try again later */
  | 'ERR_JOURNAL_AWAY'
  /** too much waits to be written: try again later */
  | 'ERR_JOURNAL_FULL'
  /** not durable in time; it may become so */
  | 'ERR_JOURNAL_UNKNOWN'
  /** the world is being replaced: try again later */
  | 'ERR_JOURNAL_AT_REST'
  /** a command of this star system cannot be kept: it takes none until a restart */
  | 'ERR_JOURNAL_SYSTEM_STOPPED'
  /** another server owns the star system, or the world, now */
  | 'ERR_JOURNAL_FENCED'
  | 'ERR_JOURNAL_STOPPED'

/** Why a command is not durable, or not known to be, by a stable code. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError'
  readonly code: JournalErrorCode
  /** With 'ERR_JOURNAL_UNKNOWN': settles when it is known after all. */
  readonly outcome: Promise<void> | undefined

  constructor(
    code: JournalErrorCode,
    message: string,
    { outcome, ...options }: ErrorOptions & { readonly outcome?: Promise<void> } = {},
  ) {
    super(message, options)
    this.code = code
    this.outcome = outcome
  }
}
