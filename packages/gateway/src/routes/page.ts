import { PAGE_POLICY } from '@orrery/http'
import { type Context, Hono } from 'hono'
import { hash } from 'node:crypto'
import { operation } from '../openapi.ts'
import type { PageFile, PageFiles } from '../page-files.ts'

/** A year: another content has another name. */
const KEPT = 'public, max-age=31536000, immutable'

const NOT_BUILT = `<!doctype html><html lang="en"><title>Orrery</title>
<h1>The page is not built</h1>
<p>The server runs. <code>npx pnpm page</code> builds the page; then start the server again.</p>
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

/** The player's page at `/`, the console, and their files; without them a page with the command. */
export function pageRoutes(files: PageFiles | undefined): Hono {
  const routes = new Hono()
  for (const path of ['/', '/admin'] as const) {
    const { id, ...texts } = PAGES[path]
    const success = { status: 200, type: 'text/html' } as const
    const showing = operation(id, { ...texts, tag: 'public', access: 'anybody', success })
    routes.get(path, showing, pageHandler(files?.get(path)))
  }
  if (!files) return routes
  // No routes of the API, so that its document has none of the files.
  routes.use('/assets/*', (context, next) => {
    const { method, path } = context.req
    const file = ['GET', 'HEAD'].includes(method) ? files.get(path) : undefined
    return file ? Promise.resolve(fileAnswer(context, file, { 'Cache-Control': KEPT })) : next()
  })
  return routes
}

function pageHandler(
  page: PageFile | undefined,
): (context: Context) => Response | Promise<Response> {
  if (!page) {
    return (context) => context.html(NOT_BUILT, 200, { 'Content-Security-Policy': PAGE_POLICY })
  }
  const tag = `"${hash('sha256', page.bytes).slice(0, 32)}"`
  return (context) => {
    // A browser takes the headers of a 304 for those of the page that it has.
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': PAGE_POLICY,
      ETag: tag,
    }
    return context.req.header('if-none-match') === tag
      ? context.body(null, 304, headers)
      : fileAnswer(context, page, headers)
  }
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
