import { EngineError } from '@orrery/engine'
import { HttpError } from '@orrery/http'
import { ERRORS, type ErrorCode } from '@orrery/protocol'
import { StoreError } from '@orrery/store'
import { PasswordsBusyError } from './accounts/passwords.ts'

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
  if (error instanceof EngineError && error.code === 'ERR_WORLD_FULL') {
    return overload('The world is full')
  }
  if (error instanceof EngineError && error.code === 'ERR_STOPPED') {
    return overload('The server stops')
  }
  return error
}

function overload(message: string): HttpError {
  return new HttpError(503, 'E008', message, { headers: { 'Retry-After': '1' } })
}
