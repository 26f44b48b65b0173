import { PAGE_POLICY } from '@orrery/http'
import { type Context, Hono } from 'hono'
import { operation } from '../documents/openapi.ts'
import type { BuiltPage, PageFile } from '../page-files.ts'

/** A year: another content has another name. */
const KEPT = 'public, max-age=31536000, immutable'

/** It loads itself again until the page is there. */
const NOT_BUILT = `<!doctype html><html lang="en"><meta http-equiv="refresh" content="2">
<title>Orrery</title>
<h1>The page is not built yet</h1>
<p>The server runs. <code>npx pnpm start</code> builds the page beside it, which takes some seconds;
after another start, <code>scripts/orrery page</code> does. This tab shows it once it is built.
`

const PAGES = {
  '/': {
    id: 'showPage',
    summary: "The player's page",
    description: 'For browsers: the solar system, and a ship to fly.',
  },
  '/admin': {
    id: 'showConsole',
    summary: "The operators' console",
    description: 'For browsers. Admins sign in with name and password.',
  },
} as const

/**
 * The player's page at `/`, the console, and their files; a page that waits until they are built.
 */
export function pageRoutes(built: BuiltPage): Hono {
  const routes = new Hono()
  for (const path of ['/', '/admin'] as const) {
    const { id, ...texts } = PAGES[path]
    const success = { status: 200, type: 'text/html' } as const
    const showing = operation(id, { ...texts, tag: 'public', access: 'anybody', success })
    routes.get(path, showing, async (context) => pageAnswer(context, (await built())?.get(path)))
  }
  // No routes of the API, so that its document has none of the files.
  routes.use('/assets/*', async (context, next) => {
    const { method, path } = context.req
    const file = ['GET', 'HEAD'].includes(method) ? (await built())?.get(path) : undefined
    return file ? fileAnswer(context, file, { 'Cache-Control': KEPT }) : next()
  })
  return routes
}

function pageAnswer(context: Context, page: PageFile | undefined): Response | Promise<Response> {
  const policy = { 'Content-Security-Policy': PAGE_POLICY }
  if (!page) return context.html(NOT_BUILT, 200, { 'Cache-Control': 'no-store', ...policy })
  // A browser takes the headers of a 304 for those of the page that it has.
  const headers = { 'Cache-Control': 'no-cache', ETag: page.tag, ...policy }
  return context.req.header('if-none-match') === page.tag
    ? context.body(null, 304, headers)
    : fileAnswer(context, page, headers)
}

function fileAnswer(
  context: Context,
  { type, bytes, compressed }: PageFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const takesGzip = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
  const isCompressed = compressed !== undefined && takesGzip
  return context.body(isCompressed ? compressed : bytes, 200, {
    'Content-Type': type,
    Vary: 'Accept-Encoding',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    ...headers,
  })
}
