import { type BodyIssue, HttpError } from '@orrery/http'
import { ERRORS, fieldErrorCode } from '@orrery/protocol'

/** The error of a body whose schema refuses it: the first bad field's own code. */
export function bodyRefusal([issue]: readonly [BodyIssue, ...BodyIssue[]]): HttpError {
  const code = fieldErrorCode(issue.path)
  const status = ERRORS[code].status as HttpError['status']
  return new HttpError(status, code, code === 'E001' ? issue.message : ERRORS[code].meaning)
}
