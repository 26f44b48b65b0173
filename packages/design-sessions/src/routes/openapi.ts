import { type ApiContent, type ApiDocument, type ApiOperation, HEALTH } from '@orrery/http'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { PREFIX } from '../app-parts.ts'
import { api, operation } from '../openapi.ts'

/** The page needs only its inline style. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The API document as JSON and as a page; created on the first request. */
export function openApiRoutes(app: Hono): Hono {
  const routes = new Hono()
  let made: ApiDocument | undefined
  const document = (): ApiDocument => (made ??= api.document(app))
  const paths = { readOpenApi: '/openapi.json', readOpenApiV1: `${PREFIX}/openapi.json` }
  for (const [id, path] of Object.entries(paths)) {
    routes.get(
      path,
      operation(id, 'operations', {
        summary: 'This document',
        description: 'All operations in OpenAPI 3.1.',
        success: { status: 200, type: 'application/json' },
      }),
      (context) => context.json(document()),
    )
  }
  return routes.get(
    '/docs',
    operation('showDocs', 'operations', {
      summary: 'This document as a page',
      description: 'For browsers, without scripts.',
      success: { status: 200, type: 'text/html' },
    }),
    (context) => {
      context.header('Content-Security-Policy', PAGE_POLICY)
      return context.html(docsPage(document()))
    },
  )
}

type Html = ReturnType<typeof html>

const STYLE = `body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto }
pre, code { font: 14px/1.4 monospace } pre { background: #f4f4f4; padding: .5rem; overflow: auto }
summary { cursor: pointer; padding: .25rem 0 } details > div { margin-left: 1.5rem }`

/** The API document as a page without scripts. */
function docsPage({ info, paths, components }: ApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = [...Map.groupBy(operations, ({ operation }) => operation.tags[0])]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${info.title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${info.title}</h1>
        <p>For programs: <a href="/openapi.json">/openapi.json</a></p>
        ${groups.map(
          ([tag, all]) =>
            html`<h2>${tag}</h2>
              ${all.map(({ path, method, operation }) => operationPart(method, path, operation))}`,
        )}
        <h2>Schemas</h2>
        ${Object.entries(components.schemas).map(
          ([name, schema]) =>
            html`<h3 id="${name}">${name}</h3>
              ${json(schema as object)}`,
        )}
      </body>
    </html>`
}

function operationPart(method: string, path: string, operation: ApiOperation): Html {
  const { summary, description, parameters = [], requestBody, responses } = operation
  return html`<details>
    <summary><code>${method.toUpperCase()} ${path}</code> ${summary}</summary>
    <div>
      <p>${description}</p>
      ${parameters.map(
        ({ name, in: place, required, schema }) =>
          html`<p><code>${name}</code> in ${place}${required ? ', required' : ''}</p>
            ${json(schema)}`,
      )}
      ${requestBody ? contentPart('Body', requestBody.content) : ''}
      ${Object.entries(responses).map(([status, { description, content = {} }]) =>
        contentPart(`${status} ${description}`, content),
      )}
    </div>
  </details>`
}

function contentPart(title: string, content: ApiContent): Html {
  return html`<p>${title}</p>
    ${Object.entries(content).map(
      ([type, { schema }]) =>
        html`<p><code>${type}</code></p>
          ${schema ? json(schema) : ''}`,
    )}`
}

/** A schema; a reference is a link. */
function json(schema: object): Html {
  const name = '$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined
  return name === undefined
    ? html`<pre>${JSON.stringify(schema, null, 2)}</pre>`
    : html`<p><a href="#${name}">${name}</a></p>`
}

/** Describes the health routes, which are mounted later. */
export function addHealthDescriptions(app: Hono): void {
  const probe = { tag: 'operations', open: true } as const
  app.get('/health/live', api.operation({ ...HEALTH.live, ...probe }))
  const errors = [[503, 'The database does not answer']] as const
  app.get('/health/ready', api.operation({ ...HEALTH.ready, ...probe, errors }))
}
