import type { Context } from 'hono'
import { Readable } from 'node:stream'
import { CLIENT_HEADER } from './client-header.ts'
import { isHopHeader } from './hop-headers.ts'

/** A request to be sent to the owner. */
export interface ForwardedRequest {
  readonly method: string
  /** with the query */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** undefined for a request without one; to be taken once */
  readonly body: (() => Readable) | undefined
  /** the client has left */
  readonly signal: AbortSignal
}

/** Headers that the owner would judge by this server, or that only this server may write. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'expect',
  'x-request-id',
  CLIENT_HEADER,
])

/** @param client  the value of its {@link CLIENT_HEADER} */
export function requestOf(context: Context, client: string): ForwardedRequest {
  const { req } = context
  const { body, signal, headers: given } = req.raw
  const { pathname, search } = new URL(req.url)
  const connection = given.get('connection')
  const headers: Record<string, string> = { [CLIENT_HEADER]: client }
  const id: unknown = context.get('requestId')
  if (typeof id === 'string') headers['x-request-id'] = id
  for (const [name, value] of given) {
    if (!OWN_HEADERS.has(name) && !isHopHeader(name, connection)) headers[name] = value
  }
  return {
    method: req.method,
    path: `${pathname}${search}`,
    headers,
    body: body ? () => Readable.fromWeb(body) : undefined,
    signal,
  }
}
