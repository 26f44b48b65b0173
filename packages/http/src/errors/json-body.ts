import type { Context } from 'hono'
import * as v from 'valibot'
import { drainBody } from './body-drain.ts'
import { type BodyIssue, HttpError } from './http-error.ts'
import { issueReason, issueSentence } from './issue-text.ts'
import { isDeeper } from './json-depth.ts'

/** Bytes of a body, unless a route has its own limit. */
export const BODY_BYTES_MAX = 65_536

/** Levels of arrays and objects a body may nest. */
export const BODY_DEPTH_MAX = 64

/** Issues reported of one body: a large array of bad items must not make a larger answer. */
const ISSUES_MAX = 20

export interface JsonBodyOptions {
  /** Bytes at most; 64 KiB by default. */
  readonly limit?: number
  /** The error of a body that its schema refuses; by default 400 `invalid`. */
  readonly refusal?: (issues: readonly [BodyIssue, ...BodyIssue[]]) => HttpError
}

/**
 * The JSON object a request carries, as its schema gives it. The body can be read once.
 *
 * @throws {HttpError} 413 `body_too_large` by the bytes that come, whatever the headers say;
 *   415 `unsupported_media_type` for a body that is not called JSON in UTF-8; 400 `malformed` for
 *   an empty one, bad UTF-8, bad JSON and more than 64 levels; what `refusal` gives for the rest
 */
export async function jsonBody<const Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
  { limit = BODY_BYTES_MAX, refusal = invalid }: JsonBodyOptions = {},
): Promise<v.InferOutput<Schema>> {
  const bytes = await bodyBytes(context.req.raw, limit)
  if (bytes.byteLength === 0) throw malformed('A JSON body is needed')
  ensureType(context, 'application/json')
  const value = jsonValue(utf8(bytes))
  // Valibot's object schemas take arrays; every body here is an object.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = 'Body must be a JSON object'
    throw refusal([{ path: [], type: 'object', message, input: value }])
  }
  const parsed = v.safeParse(schema, value, { message: issueReason })
  if (parsed.success) return parsed.output
  const [first, ...others] = parsed.issues
  throw refusal([bodyIssue(first), ...others.slice(0, ISSUES_MAX - 1).map(bodyIssue)])
}

/**
 * The text a request carries. The body can be read once.
 *
 * @param type  its media type, such as `text/markdown`
 * @param limit  bytes at most
 * @throws {HttpError} 413, 415 and 400 `malformed` as {@link jsonBody} does
 */
export async function textBody(context: Context, type: string, limit: number): Promise<string> {
  const bytes = await bodyBytes(context.req.raw, limit)
  if (bytes.byteLength === 0) throw malformed('A body is needed')
  ensureType(context, type)
  return utf8(bytes)
}

async function bodyBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = new HttpError(413, 'body_too_large', `Body must have at most ${limit} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let total = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      // The client disconnected, or its framing is broken; the answer may reach no one.
      throw malformed('Body could not be read')
    })
    if (done) break
    total += value.byteLength
    if (total > limit) {
      await drainBody(reader)
      throw tooLarge
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks, total)
}

/** @throws {HttpError} 415 for a body that is not of that type, in UTF-8 */
function ensureType({ req }: Context, type: string): void {
  if (isOfType(type, req.header('content-type'), req.header('content-encoding'))) return
  throw new HttpError(415, 'unsupported_media_type', `Content type must be ${type}`)
}

function isOfType(type: string, said: string | undefined, encoding: string | undefined): boolean {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return false
  const [essence = '', ...parameters] = (said ?? '').toLowerCase().split(';')
  if (essence.trim() !== type) return false
  const charset = parameters.map((item) => item.trim()).find((item) => item.startsWith('charset='))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset)
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformed('Body is not UTF-8')
  }
}

function jsonValue(text: string): unknown {
  if (isDeeper(text, BODY_DEPTH_MAX)) {
    throw malformed(`Body nests deeper than ${BODY_DEPTH_MAX} levels`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('Body is not JSON')
  }
}

function bodyIssue(issue: v.BaseIssue<unknown>): BodyIssue {
  const path: (string | number)[] = []
  for (const { key } of issue.path ?? []) {
    if (typeof key === 'string' || typeof key === 'number') path.push(key)
  }
  return { path, type: issue.type, message: issue.message, input: issue.input }
}

function malformed(message: string): HttpError {
  return new HttpError(400, 'malformed', message)
}

function invalid(issues: readonly [BodyIssue, ...BodyIssue[]]): HttpError {
  return new HttpError(400, 'invalid', issueSentence(issues[0]), { issues })
}
