import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, notFound } from '../errors.ts'
import { operation } from '../openapi.ts'
import { filled, id } from '../records/fields.ts'

const NAME_MAX = 255

const renderBody = v.object({
  template_name: v.pipe(filled(NAME_MAX), v.description('one of GET /api/v1/templates')),
  project_name: v.optional(filled(NAME_MAX)),
  version_id: v.optional(v.nullable(id())),
})

/** Templates of documents. */
export function templateRoutes({ documents }: Required<Pick<AppParts, 'documents'>>): Hono {
  const routes = new Hono()
  routes.get(
    '/templates',
    operation({
      summary: 'Names of templates',
      tag: 'templates',
      success: { status: 200, schema: v.array(v.string()) },
    }),
    (context) => context.json(documents.templates()),
  )
  return routes.post(
    '/templates/render',
    operation({
      summary: 'A Markdown source with a name filled in, and with `version_id` what is recorded',
      tag: 'templates',
      body: renderBody,
      success: { status: 200, schema: v.object({ source_code: v.string() }) },
      errors: [
        [404, 'Template not found; Version not found'],
        [409, 'Version holds more text than a template takes'],
      ],
    }),
    async (context) => {
      const { template_name: name, ...values } = await body(context, renderBody)
      const source = await documents.renderTemplate(name, {
        projectName: values.project_name,
        versionId: values.version_id ?? undefined,
      })
      if (source === undefined) throw notFound('Template')
      return context.json({ source_code: source })
    },
  )
}
