export type BusErrorCode =
  /** nothing answers the subject */
  | 'ERR_NO_RESPONDERS'
  /** no reply came in time; what was asked may have been done */
  | 'ERR_BUS_TIMEOUT'
  /** not connected; what was asked before the connection broke may have been done */
  | 'ERR_BUS_AWAY'
  /** the server refuses the connection, or the settings of the bus are wrong */
  | 'ERR_BUS_REFUSED'

/** Why there is no reply, or no bus, by a stable code. */
export class BusError extends Error {
  override readonly name = 'BusError'
  readonly code: BusErrorCode

  constructor(code: BusErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function noResponders(subject: string): BusError {
  return new BusError('ERR_NO_RESPONDERS', `Nothing answers ${subject}.`)
}

export function timedOut(subject: string, timeoutMs: number): BusError {
  return new BusError('ERR_BUS_TIMEOUT', `${subject} has not answered within ${timeoutMs} ms.`)
}

export function away(reason: string, options?: ErrorOptions): BusError {
  return new BusError('ERR_BUS_AWAY', `The bus is away: ${reason}.`, options)
}
