import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { Readable } from 'node:stream'

export const MARKDOWN = 'text/markdown'

/** Whether the `Accept` header prefers Markdown to JSON, the default. */
export function prefersMarkdown(context: Context): boolean {
  const json = 'application/json'
  return (
    accepts(context, { header: 'Accept', supports: [json, MARKDOWN], default: json }) === MARKDOWN
  )
}

/** A Markdown answer, whole or as a stream. */
export function markdownAnswer(
  context: Context,
  document: string | AsyncIterable<string>,
): Response {
  const bytes =
    typeof document === 'string'
      ? document
      : (Readable.toWeb(Readable.from(document, { objectMode: false })) as ReadableStream)
  return context.body(bytes, 200, { 'Content-Type': `${MARKDOWN}; charset=utf-8` })
}

/**
 * Whether a client waits for a slow result; with `Prefer: respond-async` it does not.
 *
 * @source RFC 7240, 4.1
 */
export function isPatient({ req }: Context): boolean {
  return !/(?:^|[\s,;])respond-async(?:$|[\s,;])/i.test(req.header('prefer') ?? '')
}

/** Headers of a file that is offered under its name and cannot run anything in a browser. */
export function fileHeaders(type: string, name: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': type,
    'Content-Disposition': attachment(name),
    'Content-Security-Policy': "sandbox; default-src 'none'",
  }
}

/**
 * A `Content-Disposition` with the file name in ASCII and in UTF-8.
 *
 * @source RFC 6266, RFC 8187
 */
function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
