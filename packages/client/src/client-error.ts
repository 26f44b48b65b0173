import { ERRORS, type ErrorCode, type ModuleRefusal } from '@orrery/protocol'

/**
 * The server's code when it answered with one. Otherwise: `network` (no answer came),
 * `origin_refused` (the server does not allow the page's origin), `timeout` (no answer in time),
 * `bad_answer` (one that the protocol does not know), `connection_lost` (the socket went before
 * the answer, which may or may not have been given), `closed` (the socket is closed for good),
 * `forecast` (it could not be made), `practice` (it cannot be begun, or does not have that).
 */
export type ClientErrorCode =
  | ErrorCode
  | 'network'
  | 'origin_refused'
  | 'timeout'
  | 'bad_answer'
  | 'connection_lost'
  | 'closed'
  | 'forecast'
  | 'practice'

/** Why something could not be had from the server. Its texts never hold a token or a password. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'
  readonly code: ClientErrorCode
  /** HTTP status; undefined where none came */
  readonly status: number | undefined
  /** seconds to wait before the next attempt, when the server said */
  readonly retryAfter: number | undefined
  /** of a command that a module of the game has refused: its reason, with data */
  readonly refusal: ModuleRefusal | undefined

  constructor(
    code: ClientErrorCode,
    message: string,
    {
      refusal,
      retryAfter,
      status,
    }: {
      readonly status?: number
      readonly retryAfter?: number
      readonly refusal?: ModuleRefusal | undefined
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = status
    this.retryAfter = retryAfter
    this.refusal = refusal
  }
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code)
}

// All a sub-protocol may have, RFC 7230, and so what both ways of showing a token can carry.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * The token as it came.
 *
 * @throws {ClientError} E005 when it cannot be sent: a platform's own error would quote it
 */
export function sendableToken(token: string): string {
  if (TOKEN.test(token)) return token
  throw new ClientError('E005', 'This is no token: it is empty or has characters none can have')
}
