import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isHopHeader } from './hop-headers.ts'

/** Headers that this server writes itself. */
const OWN_HEADERS = /^(?:access-control-.*|date|x-request-id)$/

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** @param onEnd  called once the answer has come whole, or was broken off */
export function responseOf(answer: IncomingMessage, onEnd: () => void): Response {
  const { statusCode = 502, rawHeaders } = answer
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at].toLowerCase()
    const isOwn = OWN_HEADERS.test(name) || isHopHeader(name, answer.headers.connection)
    if (!isOwn) headers.append(name, rawHeaders[at + 1])
  }
  answer.once('close', onEnd)
  if (BODILESS.has(statusCode)) {
    answer.resume()
    return new Response(null, { status: statusCode, headers })
  }
  return new Response(Readable.toWeb(answer) as ReadableStream, { status: statusCode, headers })
}
