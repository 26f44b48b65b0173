import type { Context } from 'hono'
import { Readable } from 'node:stream'
import type { Page } from '../records/table.ts'

/** Rows of a page, when a caller wants pages. */
export const LIMIT_MAX = 1000

/** Bytes of texts that are read of a list at once, and that one page has. */
const PAGE_BYTES_MAX = 2 * 1_048_576

/** A part of a list that is to be read. */
export interface Part {
  readonly limit: number
  readonly bytesMax: number
  readonly cursor: string | undefined
}

/** Where a list begins, and how many rows are wanted; without a limit all. */
export interface Asked {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/**
 * A list as one array: a page with its next in `Link`, or all of it. What is long is read while it
 * is sent, part by part, so that no list needs more memory than a part.
 */
export async function listAnswer(
  context: Context,
  { limit, cursor }: Asked,
  read: (part: Part) => Promise<Page<object>>,
): Promise<Response> {
  const part = { limit: limit ?? LIMIT_MAX, bytesMax: PAGE_BYTES_MAX }
  const first = await read({ ...part, cursor })
  if (first.cursor === undefined) return context.json(first.rows)
  if (limit !== undefined) {
    context.header('Link', nextLink(context, first.cursor))
    return context.json(first.rows)
  }
  const texts = arrayText(first, (next) => read({ ...part, cursor: next }))
  const bytes = Readable.toWeb(Readable.from(texts)) as ReadableStream
  return context.body(bytes, 200, { 'Content-Type': 'application/json' })
}

async function* arrayText(
  first: Page<object>,
  read: (cursor: string) => Promise<Page<object>>,
): AsyncGenerator<Buffer> {
  let opening = '['
  for (let page = first; ;) {
    yield Buffer.from(opening + JSON.stringify(page.rows).slice(1, -1))
    if (page.cursor === undefined) break
    page = await read(page.cursor)
    // What was there may have been removed meanwhile.
    opening = page.rows.length > 0 ? ',' : ''
  }
  yield Buffer.from(']')
}

/** The `Link` header that leads to the next page of a list. */
function nextLink({ req }: Context, cursor: string): string {
  const { pathname, searchParams } = new URL(req.url)
  searchParams.set('cursor', cursor)
  return `<${pathname}?${searchParams.toString()}>; rel="next"`
}
