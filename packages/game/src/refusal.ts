import { isAway, reasonOf } from '@orrery/database'
import { EngineError } from '@orrery/engine'
import { ERRORS, type ErrorCode, type ModuleRefusal } from '@orrery/protocol'
import { StoreError } from '@orrery/store'
import { PasswordsBusyError } from './accounts/password-lanes.ts'
import { ENGINE_REFUSALS } from './engine-refusals.ts'
import { JournalError } from './journal/journal-error.ts'

/** Why a request is refused, by the protocol's table of errors. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly status: number
  /** when a retry may succeed; undefined where it cannot */
  readonly retryAfterSeconds: number | undefined
  /** where a module is what refuses */
  readonly byModule: ModuleRefusal | undefined

  constructor(
    code: ErrorCode,
    message: string,
    status: number,
    retryAfterSeconds?: number,
    byModule?: ModuleRefusal,
  ) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.byModule = byModule
  }
}

/** The refusal of a code, with the status and meaning of the protocol's table by default. */
export function refusal(
  code: ErrorCode,
  message: string = ERRORS[code].meaning,
  status: number = ERRORS[code].status,
): Refusal {
  return new Refusal(code, message, status)
}

/** Errors of the parts below as refusals; any other error unchanged. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof StoreError && error.code === 'ERR_USERNAME_TAKEN') return refusal('E010')
  if (error instanceof StoreError && error.code === 'ERR_BACKUP_UNKNOWN') {
    return refusal('E002', error.message)
  }
  if (error instanceof StoreError && error.code === 'ERR_BACKUP_INVALID') {
    return refusal('E008', error.message)
  }
  if (error instanceof PasswordsBusyError) return overload('Too many logins wait; try again')
  if (error instanceof JournalError) return journalRefusal(error)
  if (error instanceof EngineError) return engineRefusal(error)
  if (isAway(error)) {
    const reason = reasonOf(error)
    return refusal('E008', `The database is away: ${reason}; whether this was done is not known`)
  }
  return error
}

function engineRefusal(error: EngineError): Refusal | EngineError {
  const row = ENGINE_REFUSALS[error.code]
  if (!row) return error
  const { code, message = error.message, status, retryAfterSeconds } = row
  return new Refusal(code, message, status, retryAfterSeconds, error.refusal)
}

/** A server error where commands do not become durable, overload where they may soon. */
function journalRefusal({ code, message }: JournalError): Refusal {
  const isSoon = code === 'ERR_JOURNAL_FULL' || code === 'ERR_JOURNAL_AT_REST'
  return isSoon ? overload(message) : refusal('E008', message)
}

function overload(message: string): Refusal {
  return new Refusal('E008', message, 503, 1)
}
