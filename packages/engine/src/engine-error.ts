export type EngineErrorCode =
  | 'ERR_WORLD_FULL'
  | 'ERR_SHIP_UNKNOWN'
  | 'ERR_SHIP_EXISTS'
  | 'ERR_SHIP_CLASS'
  | 'ERR_FUEL'
  | 'ERR_SYSTEM_UNKNOWN'
  | 'ERR_SYSTEM_STOPPED'
  | 'ERR_SAME_SYSTEM'
  | 'ERR_IN_TRANSIT'
  | 'ERR_BODY_UNKNOWN'
  | 'ERR_ALTITUDE'
  | 'ERR_PAIR'
  | 'ERR_MOMENT'
  | 'ERR_STATION_UNKNOWN'
  | 'ERR_STATION_EXISTS'
  | 'ERR_JUMPGATE_UNKNOWN'
  | 'ERR_JUMPGATE_EXISTS'
  | 'ERR_JUMPGATE_PAIR'
  | 'ERR_JUMPGATE_PAIRED'
  | 'ERR_JUMP'
  | 'ERR_BESIDE'
  | 'ERR_DOCKED'
  | 'ERR_NOT_DOCKED'
  | 'ERR_WORLD_OBJECTS'
  | 'ERR_CONTROL'
  | 'ERR_TARGET_UNKNOWN'
  | 'ERR_COMMANDS_PENDING'
  | 'ERR_BUDGET'
  | 'ERR_PREDICTION'
  | 'ERR_HORIZON'
  | 'ERR_PREDICTIONS_PENDING'
  | 'ERR_UNDURABLE'
  | 'ERR_WATCHERS'
  | 'ERR_NO_MANEUVER'
  | 'ERR_RULE'
  | 'ERR_RULE_UNKNOWN'
  | 'ERR_RULES_FULL'
  | 'ERR_MODULE'
  | 'ERR_MODULE_UNKNOWN'
  | 'ERR_MODULE_BODY'
  | 'ERR_MODULE_REFUSED'
  | 'ERR_MODULE_STOPPED'
  | 'ERR_MODULE_OPERATORS'
  | 'ERR_MODULE_FAULT'
  | 'ERR_IMAGE'
  | 'ERR_PHYSICS'
  | 'ERR_FILE'
  | 'ERR_KERNEL_MEMORY'
  | 'ERR_KERNEL_BITS'
  | 'ERR_STOPPED'
  | 'ERR_TICK_BROKEN'
  | 'ERR_REPLAY'
  | 'ERR_WORKER_STALLED'
  | 'ERR_SHIP_FROZEN'

/** A command that a module has refused, in its own words. */
export interface RefusedCommand {
  readonly module: string
  readonly command: string
  readonly reason: string
  readonly data: Readonly<Record<string, string | number | boolean | null>>
}

/** What the engine refuses, by a stable code. */
export class EngineError extends Error {
  readonly code: EngineErrorCode
  /** with 'ERR_MODULE_REFUSED' of a command that was run */
  readonly refusal: RefusedCommand | undefined

  constructor(
    code: EngineErrorCode,
    message: string,
    { refusal, ...options }: ErrorOptions & { readonly refusal?: RefusedCommand | undefined } = {},
  ) {
    super(message, options)
    this.name = 'EngineError'
    this.code = code
    this.refusal = refusal
  }
}

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
