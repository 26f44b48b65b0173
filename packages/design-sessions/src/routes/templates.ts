import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, notFound } from '../errors.ts'
import { operation } from '../openapi.ts'
import { filled, id } from '../tables/fields.ts'

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
    operation('listTemplates', 'templates', {
      summary: 'List templates',
      description: 'Names of the templates of documents.',
      success: { status: 200, schema: v.array(v.string()) },
    }),
    (context) => context.json(documents.templates()),
  )
  return routes.post(
    '/templates/render',
    operation('renderTemplate', 'templates', {
      summary: 'Render a template',
      description: 'A Markdown source with the name of a project, and the records of `version_id`.',
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
