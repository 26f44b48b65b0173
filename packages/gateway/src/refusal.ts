import { isAway } from '@orrery/database'
import { EngineError } from '@orrery/engine'
import { HttpError } from '@orrery/http'
import { ERRORS, type ErrorCode } from '@orrery/protocol'
import { StoreError } from '@orrery/store'
import { PasswordsBusyError } from './accounts/passwords.ts'
import { JournalError } from './journal/journal-error.ts'

/** The HTTP error of a code, with the status and meaning of the protocol's table by default. */
export function refusal(
  code: ErrorCode,
  message: string = ERRORS[code].meaning,
  status: HttpError['status'] = ERRORS[code].status,
): HttpError {
  return new HttpError(status, code, message)
}

/** What the parts below throw, as the interface says it; anything else as it came. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof StoreError && error.code === 'ERR_USERNAME_TAKEN') return refusal('E010')
  if (error instanceof PasswordsBusyError) return overload('Too many logins wait; try again')
  if (error instanceof JournalError) return journalRefusal(error)
  if (error instanceof EngineError && error.code === 'ERR_WORLD_FULL') {
    return overload('The world is full')
  }
  if (error instanceof EngineError && error.code === 'ERR_STOPPED') {
    return overload('The server stops')
  }
  if (isAway(error)) {
    return refusal('E008', 'The database is away; whether this was done is not known')
  }
  return error
}

/** A fault of the server where commands are not kept, overload where they may be soon. */
function journalRefusal({ code, message }: JournalError): HttpError {
  const isSoon = code === 'ERR_JOURNAL_FULL' || code === 'ERR_JOURNAL_AT_REST'
  return isSoon ? overload(message) : refusal('E008', message)
}

function overload(message: string): HttpError {
  return new HttpError(503, 'E008', message, { headers: { 'Retry-After': '1' } })
}
