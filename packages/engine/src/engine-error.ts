export type EngineErrorCode =
  | 'ERR_WORLD_FULL'
  | 'ERR_SHIP_UNKNOWN'
  | 'ERR_SHIP_EXISTS'
  | 'ERR_CONTROL'
  | 'ERR_COMMANDS_PENDING'
  | 'ERR_WATCHERS'
  | 'ERR_IMAGE'
  | 'ERR_KERNEL_MEMORY'
  | 'ERR_KERNEL_BITS'
  | 'ERR_STOPPED'
  | 'ERR_WORKER_STALLED'
  | 'ERR_SHIP_FROZEN'

/** What the engine refuses, by a stable code. */
export class EngineError extends Error {
  readonly code: EngineErrorCode

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EngineError'
    this.code = code
  }
}
