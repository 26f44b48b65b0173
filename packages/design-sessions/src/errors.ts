import {
  type BodyIssue,
  type ErrorShape,
  type Fault,
  HttpError,
  MISSING,
  issueReason,
  jsonBody,
} from '@orrery/http'
import type { Context } from 'hono'
import * as v from 'valibot'

export const JSON_BYTES_MAX = 1_048_576

/** Characters of a refused input that are sent back. */
const INPUT_SHOWN_MAX = 200

/** One fault of a request. */
export interface Unprocessable {
  /** name of the failed check, such as `string` or `max_length` */
  readonly type: string
  /** `body`, `path` or `query`, then keys */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input?: unknown
}

/** 404 `<Thing> not found`. */
export function notFound(thing: string): HttpError {
  return new HttpError(404, 'not_found', `${thing} not found`)
}

/** 409: a conflict with the present state. */
export function conflict(message: string): HttpError {
  return new HttpError(409, 'conflict', message)
}

/** 400 with a text: a well-formed request that cannot be met. */
export function badRequest(message: string): HttpError {
  return new HttpError(400, 'bad_request', message)
}

/** 503, a passing state: the client may try again after some seconds. */
export function busy(message: string, seconds: number): HttpError {
  return new HttpError(503, 'busy', message, { headers: { 'Retry-After': String(seconds) } })
}

/** 422 with a list of faults. */
export function unprocessable(issues: readonly Unprocessable[]): HttpError {
  return new HttpError(422, 'unprocessable', 'Unprocessable', {
    issues: issues.map(({ type, loc, msg, input }) => ({ type, path: loc, message: msg, input })),
  })
}

/** 422 for one field of the body. */
export function badField(field: string, msg: string, input?: unknown): HttpError {
  return unprocessable([{ type: 'value_error', loc: ['body', field], msg, input }])
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['unknown_route', 'Not Found'],
  ['wrong_method', 'Method Not Allowed'],
  ['server_error', 'Internal Server Error'],
])

/** `{"detail": text}`, or for 422 `{"detail": [{type, loc, msg, input}]}`. */
export const errorShape: ErrorShape = ({ code, message, issues }: Fault) => ({
  detail: issues?.map(shown) ?? TEXTS.get(code) ?? message,
})

function shown({ type, path, message, input }: BodyIssue): Unprocessable {
  if (message === MISSING) {
    return { type: 'missing', loc: path, msg: 'Field required', input: null }
  }
  return { type, loc: path, msg: message, input: shortened(input) ?? null }
}

function shortened(input: unknown): unknown {
  if (typeof input === 'string') return input.slice(0, INPUT_SHOWN_MAX)
  if (typeof input !== 'object' || input === null) return input
  return JSON.stringify(input).length <= INPUT_SHOWN_MAX ? input : undefined
}

export interface BodyOptions {
  /** a missing body counts as `{}` */
  readonly optional?: boolean
  /** bytes at most; 1 MiB by default */
  readonly limit?: number
}

/**
 * The JSON body of a request, parsed by a schema; unknown fields are dropped.
 *
 * @throws {HttpError} 422 with all faults, invalid JSON included; 413; 415
 */
export async function body<const Schema extends v.GenericSchema>(
  context: Context,
  schema: Schema,
  { optional = false, limit = JSON_BYTES_MAX }: BodyOptions = {},
): Promise<v.InferOutput<Schema>> {
  if (optional && isBodiless(context)) return parsed(schema, {}, 'body')
  try {
    return await jsonBody(context, schema, { limit, refusal: (all) => refusal('body', all) })
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'malformed') throw error
    throw unprocessable([{ type: 'json_invalid', loc: ['body'], msg: error.message }])
  }
}

/** 422 for issues at paths below a place. */
function refusal(place: 'body' | 'query', issues: readonly BodyIssue[]): HttpError {
  return unprocessable(
    issues.map(({ type, path, message, input }) => ({
      type,
      loc: [place, ...path],
      msg: message,
      input,
    })),
  )
}

function isBodiless({ req }: Context): boolean {
  const names = ['content-length', 'transfer-encoding', 'content-type']
  return req.header('content-length') === '0' || names.every((name) => !req.header(name))
}

/**
 * The query of a request, parsed by a schema. The last of a repeated parameter counts; an optional
 * one that is empty counts as absent, because forms send it so.
 *
 * @throws {HttpError} 422 with all faults
 */
export function query<const Schema extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  context: Context,
  schema: Schema,
): v.InferOutput<Schema> {
  const sent = Object.entries(context.req.queries())
    .map(([name, all]) => [name, all.at(-1)] as const)
    .filter(([name, value]) => value !== '' || schema.entries[name]?.type !== 'optional')
  return parsed(schema, Object.fromEntries(sent), 'query')
}

function parsed<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  place: 'body' | 'query',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { message: issueReason })
  if (result.success) return result.output
  const issues = result.issues.map((issue) => ({
    ...issue,
    path: (issue.path ?? []).map(({ key }) => String(key)),
  }))
  throw refusal(place, issues)
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/**
 * A UUID in the path, in lower case.
 *
 * @throws {HttpError} 422
 */
export function pathId(context: Context, parameter: string): string {
  const text = context.req.param(parameter) ?? ''
  if (UUID.test(text)) return text.toLowerCase()
  const loc = ['path', parameter]
  throw unprocessable([{ type: 'uuid_parsing', loc, msg: 'Input should be a UUID', input: text }])
}
