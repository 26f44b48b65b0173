import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { isHopHeader } from './hop-headers.ts'

/** Headers that this server writes itself. */
const OWN_HEADERS = /^(?:access-control-.*|date|x-request-id)$/

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export interface ForwardedAnswer {
  readonly answer: IncomingMessage
  /** called once it has come whole, or was broken off */
  readonly onEnd: () => void
  /** ends the connection to the client, who would take what has come for all of it */
  readonly breakOff: () => void
}

export function responseOf({ answer, onEnd, breakOff }: ForwardedAnswer): Response {
  const { statusCode = 502, rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase()
    const isOwn = OWN_HEADERS.test(name) || isHopHeader(name, answer.headers.connection)
    if (!isOwn) headers.append(name, rawHeaders[at + 1])
  }
  answer.once('close', onEnd)
  const body = new PassThrough()
  answer.on('error', () => {
    breakOff()
    body.end()
  })
  // The client has left.
  body.once('close', () => answer.destroy())
  answer.pipe(body)
  if (BODILESS.has(statusCode)) {
    body.resume()
    return new Response(null, { status: statusCode, headers })
  }
  return new Response(Readable.toWeb(body) as ReadableStream, { status: statusCode, headers })
}
