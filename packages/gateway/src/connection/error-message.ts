import { ERRORS, type ErrorCode, type ErrorMessage, type MessageId } from '@orrery/protocol'

/** @param message  in place of the code's meaning */
export function errorMessage(code: ErrorCode, id?: MessageId, message?: string): ErrorMessage {
  return {
    type: 'error',
    ...(id !== undefined && { id }),
    code,
    message: message ?? ERRORS[code].meaning,
  }
}
