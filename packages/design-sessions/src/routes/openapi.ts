import { Hono } from 'hono'
import { PREFIX } from '../app-parts.ts'
import { api, operation } from '../openapi.ts'
import { type ShownDocument, docsPage } from './docs-page.ts'

/** The page has nothing but words and the style it brings. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The API's own description, for programs and for people; made when it is first asked for. */
export function openApiRoutes(app: Hono): Hono {
  const routes = new Hono()
  let made: ReturnType<typeof api.document> | undefined
  const document = (): NonNullable<typeof made> => {
    made ??= api.document(app, { title: 'Architecture design sessions', version: '1' })
    return made
  }
  for (const path of ['/openapi.json', `${PREFIX}/openapi.json`]) {
    routes.get(
      path,
      operation({
        summary: 'This document',
        tag: 'operations',
        success: { status: 200, type: 'application/json' },
      }),
      (context) => context.json(document()),
    )
  }
  return routes.get(
    '/docs',
    operation({
      summary: 'This document as a page',
      tag: 'operations',
      success: { status: 200, type: 'text/html' },
    }),
    (context) => {
      context.header('Content-Security-Policy', PAGE_POLICY)
      return context.html(docsPage(document() as unknown as ShownDocument))
    },
  )
}
