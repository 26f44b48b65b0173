import * as v from 'valibot'
import { type ModuleValues, moduleValues } from './bodies/modules.ts'

/** Codes of the errors that cross the wire, over HTTP and over the socket alike. */
export type ErrorCode =
  | 'E001'
  | 'E002'
  | 'E003'
  | 'E004'
  | 'E005'
  | 'E006'
  | 'E008'
  | 'E009'
  | 'E010'
  | 'E011'
  | 'E012'
  | 'E014'
  | 'E015'
  | 'E016'
  | 'E020'
  | 'E029'
  | 'E030'
  | 'E031'

/** What a code means, and the HTTP status it has unless a route has another. */
export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 409 | 429 | 500
  readonly meaning: string
}

/**
 * The one table of codes. The meaning is the default text for people.
 *
 * Statuses that differ are the route's: E001 is 413 for a large body, 415 for a foreign content
 * type and 422 at the jump gates; E002 is 405 for a wrong method; E003 is 409 or 400 where the
 * object, not the person, is the reason; E008 is 503 under overload.
 */
export const ERRORS: { readonly [Code in ErrorCode]: ErrorEntry } = {
  E001: { status: 400, meaning: 'Malformed or invalid request' },
  E002: { status: 404, meaning: 'Unknown route or object' },
  E003: { status: 403, meaning: 'Refused' },
  E004: { status: 429, meaning: 'Rate limit exceeded' },
  E005: { status: 401, meaning: 'Authentication failed' },
  E006: { status: 404, meaning: 'Ship not found' },
  E008: { status: 500, meaning: 'Server error' },
  E009: { status: 404, meaning: 'Player or admin not found' },
  E010: { status: 409, meaning: 'Username already taken' },
  E011: {
    status: 400,
    meaning: 'Username must be 3-20 letters, digits or underscores',
  },
  E012: { status: 400, meaning: 'Password must be at least 8 characters and at most 1024 bytes' },
  // Only ever sent on a socket, just before it is closed.
  E014: { status: 401, meaning: 'Account deleted' },
  E015: { status: 400, meaning: 'Tick rate must be a number from 0.1 to 100' },
  E016: { status: 404, meaning: 'Snapshot not found' },
  E020: { status: 403, meaning: 'Registration is closed' },
  E029: { status: 400, meaning: 'Time scale must be a number from 0.1 to 100' },
  E030: {
    status: 400,
    meaning:
      'Ship name must be 3-32 characters, not all invisible, none a control or bidirectional',
  },
  E031: { status: 403, meaning: 'Ship class not for this account' },
}

/** A command that a module has refused, in its own words: nothing of it has happened. */
export interface ModuleRefusal {
  readonly module: string
  readonly command: string
  readonly reason: string
  /** what belongs to the reason, such as a distance; empty for nothing */
  readonly data: ModuleValues
}

export const moduleRefusal: v.GenericSchema<ModuleRefusal> = v.object({
  module: v.string(),
  command: v.string(),
  reason: v.string(),
  data: moduleValues,
})

/** Body of every HTTP error of the game. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    /** where a module is what refuses */
    readonly refusal?: ModuleRefusal
  }
}

/** The HTTP error body of a code; the message defaults to the code's meaning. */
export function errorEnvelope(
  code: ErrorCode,
  message: string = ERRORS[code].meaning,
  refusal?: ModuleRefusal,
): ErrorEnvelope {
  return { error: { code, message, ...(refusal && { refusal }) } }
}

const FIELD_CODES: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  ['username', 'E011'],
  ['password', 'E012'],
  ['current_password', 'E005'],
  ['new_password', 'E012'],
  ['tick_rate', 'E015'],
  ['time_scale', 'E029'],
])

/**
 * The code of a request body's bad field: its own where the table has one, else E001.
 *
 * @param path  keys from the body's root to the field; empty when the body is no object
 */
export function fieldErrorCode(path: readonly (string | number)[]): ErrorCode {
  return FIELD_CODES.get(path[0]) ?? 'E001'
}
