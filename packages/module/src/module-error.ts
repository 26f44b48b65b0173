export type ModuleErrorCode =
  | 'ERR_NAME'
  | 'ERR_VERSION'
  | 'ERR_COLUMN'
  | 'ERR_TABLE'
  | 'ERR_COMMAND'
  | 'ERR_EVENT'
  | 'ERR_MASS'
  | 'ERR_THRUST'
  | 'ERR_BOUND'
  | 'ERR_SOURCE'

/** A module that cannot be run, by a stable code; the message names what is wrong with it. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError'
  readonly code: ModuleErrorCode

  constructor(code: ModuleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** What a refusal says beside its name. */
export type RefusalData = Readonly<Record<string, string | number | boolean>>

/** A command that a module refuses; nothing of it has happened. */
export class ModuleRefusal extends Error {
  override readonly name = 'ModuleRefusal'
  readonly reason: string
  readonly data: RefusalData

  constructor(reason: string, data: RefusalData) {
    super(reason)
    this.reason = reason
    this.data = data
  }
}

/** To be thrown by a command: `throw refusal('too_far', { distance })`. */
export function refusal(reason: string, data: RefusalData = {}): ModuleRefusal {
  return new ModuleRefusal(reason, data)
}
