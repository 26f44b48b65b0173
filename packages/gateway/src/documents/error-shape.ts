import { Refusal, asRefusal } from '@orrery/game'
import { type ErrorShape, type Fault, HttpError, type KitErrorCode } from '@orrery/http'
import { type ErrorCode, type ModuleRefusal, errorEnvelope } from '@orrery/protocol'

const KIT_CODES: Readonly<Record<KitErrorCode, ErrorCode>> = {
  malformed: 'E001',
  invalid: 'E001',
  body_too_large: 'E001',
  unsupported_media_type: 'E001',
  unknown_route: 'E002',
  wrong_method: 'E002',
  refused: 'E003',
  rate_limited: 'E004',
  starting: 'E008',
  server_error: 'E008',
}

/** The game's code of any error. */
export function errorCode({ code }: Pick<Fault, 'code'>): ErrorCode {
  return KIT_CODES[code as KitErrorCode] ?? (code as ErrorCode)
}

/** The game's error envelope for all errors. */
export const errorShape: ErrorShape = (fault: Fault) =>
  errorEnvelope(errorCode(fault), fault.message, fault.details as ModuleRefusal | undefined)

/** A refusal of the game as an HTTP error; undefined for any other error. */
export function knownError(error: Error): HttpError | undefined {
  const refused = asRefusal(error)
  if (!(refused instanceof Refusal)) return undefined
  const { byModule, status, code, message, retryAfterSeconds } = refused
  const headers = retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }
  return new HttpError(status as HttpError['status'], code, message, {
    ...(headers && { headers }),
    details: byModule,
  })
}
