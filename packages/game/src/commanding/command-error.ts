export type CommandErrorCode =
  /** it has not acted: it came after its deadline */
  | 'ERR_COMMAND_LATE'
  /** it has not acted: one that acts before it has not come */
  | 'ERR_COMMAND_EARLY'
  /** it has not acted, since it, or the answer to it, cannot be read */
  | 'ERR_COMMAND_DAMAGED'
  /** it has not acted: too many are open */
  | 'ERR_COMMANDS_OPEN'
  /** the owner has failed at it; the owner's log has more */
  | 'ERR_COMMAND_FAILED'

/** Why a command from another process has not acted, by a stable code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: CommandErrorCode

  constructor(code: CommandErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
