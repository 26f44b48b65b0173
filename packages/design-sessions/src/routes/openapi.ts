import { Hono } from 'hono'
import { PREFIX } from '../app.ts'
import { api, operation } from '../openapi.ts'

/** The API's own description; made once, when it is first asked for. */
export function openApiRoutes(app: Hono): Hono {
  const routes = new Hono()
  let document: string | undefined
  for (const path of ['/openapi.json', `${PREFIX}/openapi.json`]) {
    routes.get(
      path,
      operation({ summary: 'This document', tag: 'operations', success: { status: 200 } }),
      (context) => {
        document ??= JSON.stringify(
          api.document(app, { title: 'Architecture design sessions', version: '1' }),
        )
        return context.body(document, 200, { 'content-type': 'application/json' })
      },
    )
  }
  return routes
}
