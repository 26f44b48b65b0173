import { type AnswerSchema, type RequestLine, moduleRefusal } from '@orrery/protocol'
import * as v from 'valibot'
import { ClientError, isErrorCode, sendableToken } from '../client-error.ts'
import { isOriginRefused } from './origin-check.ts'
import { type Address, type Fetch, addressOf } from '../platform.ts'

/** How the server is reached over HTTP. */
export interface ExchangeOptions {
  /** such as `https://orrery.example`; a path of its own is kept before every route */
  readonly url: Address
  /** in place of the platform's */
  readonly fetch?: Fetch
  /** longest wait for a whole answer [ms]; 30,000 when not given */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000

/** Further parts of a request. */
export interface RequestOptions {
  readonly token?: string
  /** under which the request acts once */
  readonly key?: string
  readonly body?: object | undefined
  /** what the answer is read as; JSON when not given */
  readonly form?: 'text' | 'bytes' | undefined
  /** how much longer than others the answer may take [ms] */
  readonly extraMs?: number
}

/**
 * Sends one request.
 *
 * @param answer  what the body of a good answer must be
 * @throws {ClientError}
 */
export type Exchange = <Answer>(
  request: RequestLine,
  answer: AnswerSchema<Answer>,
  options?: RequestOptions,
) => Promise<Answer>

/** @throws {TypeError} when `url` is not a URL */
export function createExchange(options: ExchangeOptions): Exchange {
  const { timeoutMs: usualMs = TIMEOUT_MS } = options
  const send = options.fetch ?? ((input, init) => fetch(input, init))
  const root = new URL(addressOf(options.url)).href.replace(/\/+$/, '')
  return async (request, answer, { token, key, body, form, extraMs = 0 } = {}) => {
    const timeoutMs = usualMs + extraMs
    const [method, path] = request.split(' ', 2)
    const headers: Record<string, string> = {}
    if (token !== undefined) headers['authorization'] = `Bearer ${sendableToken(token)}`
    // A string of structured fields: JSON quotes ASCII alike.
    if (key !== undefined) headers['idempotency-key'] = JSON.stringify(key)
    if (body !== undefined) headers['content-type'] = 'application/json'
    const options = {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      // Only the token identifies the client; a redirect could send it elsewhere.
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    } as const
    const { status, retryAfter, content } = await send(root + path, options)
      .then(async (response) => ({
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        content: await (form === 'bytes' && response.ok ? response.arrayBuffer() : response.text()),
      }))
      .catch(async (error: unknown) => {
        if (Object(error).name === 'TimeoutError') {
          throw new ClientError('timeout', `${request}: no answer within ${timeoutMs} ms`)
        }
        throw (await isOriginRefused(root, send))
          ? new ClientError('origin_refused', `${request}: the server does not allow this origin`)
          : unreached(request, error)
      })
    if (status < 200 || status > 299) throw refused(request, status, retryAfter, json(content))
    const checked = await answer['~standard'].validate(form ? content : json(content))
    if (!checked.issues) return checked.value
    const field =
      checked.issues[0].path?.map((part) => Object(part).key ?? part).join('.') ?? 'its body'
    throw new ClientError('bad_answer', `${request}: the answer is not as expected at ${field}`, {
      status,
    })
  }
}

/** JSON of a body; undefined if it is empty or no JSON. */
function json(text: string | ArrayBuffer): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text as string)
  } catch {
    return undefined
  }
}

function unreached(request: string, error: unknown): ClientError {
  // The platform's own text could quote what was sent; Node's code of the cause never does.
  const code: unknown = Object(Object(error).cause).code
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return new ClientError('network', `${request}: the server cannot be reached${reason}`)
}

const errorBody = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    refusal: v.exactOptional(moduleRefusal),
  }),
})

function refused(
  request: string,
  status: number,
  retryAfterHeader: string | null,
  body: unknown,
): ClientError {
  const retryAfter = Number(retryAfterHeader ?? NaN)
  const parsed = v.safeParse(errorBody, body)
  const { code, message, refusal } = parsed.success ? parsed.output.error : {}
  const details = { status, refusal, ...(retryAfter >= 0 && { retryAfter }) }
  return isErrorCode(code)
    ? new ClientError(code, message ?? code, details)
    : new ClientError('bad_answer', `${request}: refused with ${status}`, details)
}
