import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { Readable } from 'node:stream'

export const MARKDOWN = 'text/markdown'

/** Whether a client asks for Markdown rather than for JSON, which is what all others get. */
export function prefersMarkdown(context: Context): boolean {
  const json = 'application/json'
  return (
    accepts(context, { header: 'Accept', supports: [json, MARKDOWN], default: json }) === MARKDOWN
  )
}

/** A Markdown document, whole or piece by piece. */
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
