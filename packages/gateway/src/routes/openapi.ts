import { Hono } from 'hono'
import { api, operation } from '../openapi.ts'

/** The API's own description; made once, when it is first asked for. */
export function openApiRoutes(app: Hono): Hono {
  let document: string | undefined
  return new Hono().get(
    '/api/openapi.json',
    operation({
      summary: 'This document',
      tag: 'public',
      access: 'anybody',
      success: { status: 200 },
    }),
    (context) => {
      document ??= JSON.stringify(api.document(app, { title: 'Orrery', version: '1' }))
      return context.body(document, 200, { 'content-type': 'application/json' })
    },
  )
}
