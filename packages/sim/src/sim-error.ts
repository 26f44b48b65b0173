/** What can go wrong at the boundaries of `sim`; codes are stable. */
export type SimErrorCode =
  | 'ERR_ARITHMETIC'
  | 'ERR_EPHEMERIS_BUFFER'
  | 'ERR_EPHEMERIS_SPAN'
  | 'ERR_MASSIVE_STATE'
  | 'ERR_SHIP_STATE'
  | 'ERR_STAR_SYSTEM'
  | 'ERR_STATE_HEADER'
  | 'ERR_STATE_SIZE'

/** The one error class of `sim`; `code` names the kind. */
export class SimError extends Error {
  readonly code: SimErrorCode

  constructor(code: SimErrorCode, message: string) {
    super(message)
    this.name = 'SimError'
    this.code = code
  }
}
