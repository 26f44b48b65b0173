import {
  ERRORS,
  type ErrorCode,
  type ErrorMessage,
  type MessageId,
  type ModuleRefusal,
} from '@orrery/protocol'

/** @param message  in place of the code's meaning */
export function errorMessage(
  code: ErrorCode,
  id?: MessageId,
  message?: string,
  refusal?: ModuleRefusal,
): ErrorMessage {
  return {
    type: 'error',
    ...(id !== undefined && { id }),
    code,
    message: message ?? ERRORS[code].meaning,
    ...(refusal && { refusal }),
  }
}
