import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Codes of the kit's own errors; a service's error shape puts its own in their place. */
export type KitErrorCode =
  | 'malformed'
  | 'invalid'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'unknown_route'
  | 'wrong_method'
  | 'refused'
  | 'starting'
  | 'rate_limited'
  | 'server_error'

/** One thing that is wrong with a request body. */
export interface BodyIssue {
  /** Keys from the body's root to the place; empty when the body is no object. */
  readonly path: readonly (string | number)[]
  /** Name of the check that failed, such as `string` or `max_length`. */
  readonly type: string
  readonly message: string
  /** What was there. Never log it: it may be a password. */
  readonly input: unknown
}

/** Everything an error answer is made of. */
export interface Fault {
  /** HTTP status, 400 or more. */
  readonly status: ContentfulStatusCode
  /** A {@link KitErrorCode} or a code of the service. */
  readonly code: string
  /** For people; it is sent as it is. */
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is wrong with the body, where that is the reason. */
  readonly issues?: readonly BodyIssue[]
  /** What a service's own shape adds to the answer. */
  readonly details?: unknown
}

/** The JSON body of a fault: the one thing in which services differ. */
export type ErrorShape = (fault: Fault) => unknown

/** An answer that is an error, thrown from anywhere below a route. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly fault: Fault

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    extras: Pick<Fault, 'headers' | 'issues' | 'details'> = {},
  ) {
    super(message)
    this.fault = { status, code, message, ...extras }
  }

  get status(): ContentfulStatusCode {
    return this.fault.status
  }

  get code(): string {
    return this.fault.code
  }
}
