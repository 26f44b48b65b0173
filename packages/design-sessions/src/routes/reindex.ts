import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { capitalised } from '../capitalised.ts'
import { body, query } from '../errors.ts'
import { indexStatus } from '../indexing/index-status.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import { operation } from '../openapi.ts'

const TIMEOUT_SECONDS_MAX = 86_400

const timeout = v.pipe(v.number(), v.gtValue(0), v.maxValue(TIMEOUT_SECONDS_MAX))

const reindexBody = v.object({
  include_vendor_docs: v.optional(v.boolean(), false),
  include_uploads: v.optional(v.boolean(), true),
  force: v.optional(v.boolean(), false),
  timeout_seconds: v.optional(v.nullable(timeout)),
})

const started = v.object({ status: v.literal('started'), message: v.string() })

/** Start, control and status of a reindex. */
export function reindexRoutes({ knowledge }: Required<Pick<AppParts, 'knowledge'>>): Hono {
  const routes = new Hono()
  routes.post(
    '/knowledge/reindex',
    operation('startReindex', 'knowledge', {
      summary: 'Start a reindex',
      description: 'Updates the index in the background.',
      body: reindexBody,
      bodyOptional: true,
      success: { status: 200, schema: started },
      errors: [[409, 'A reindex is already running']],
    }),
    async (context) => {
      const asked = await body(context, reindexBody, { optional: true })
      knowledge.reindexing.start({
        force: asked.force,
        includeUploads: asked.include_uploads,
        timeoutSeconds: asked.timeout_seconds ?? undefined,
      })
      const vendor = 'Reindexing has started; vendor documents are not fetched'
      const message = asked.include_vendor_docs ? vendor : 'Reindexing has started'
      return context.json({ status: 'started', message })
    },
  )
  routes.get(
    '/knowledge/reindex/status',
    operation('readReindexStatus', 'knowledge', {
      summary: 'Read the state of the index',
      description: 'What is indexed, and the progress of a reindex.',
      success: { status: 200, schema: indexStatus },
    }),
    async (context) => context.json(await knowledge.status()),
  )
  addControls(routes, knowledge)
  return routes
}

function addControls(routes: Hono, knowledge: Knowledge): void {
  const { reindexing } = knowledge
  const controls = [
    ['stop', 'stopping', 'The index stays as it was before.', () => reindexing.stop()],
    ['pause', 'paused', 'The run waits until it is resumed.', () => reindexing.pause()],
    ['resume', 'resumed', 'A paused run continues.', () => reindexing.resume()],
  ] as const
  for (const [name, status, description, act] of controls) {
    routes.post(
      `/knowledge/reindex/${name}`,
      operation(`${name}Reindex`, 'knowledge', {
        summary: `${capitalised(name)} a reindex`,
        description,
        success: { status: 200, schema: v.object({ status: v.literal(status) }) },
        errors: [[409, 'No reindex is running, or not in that state']],
      }),
      async (context) => {
        act()
        return context.json({ status })
      },
    )
  }
  routes.post(
    '/knowledge/reindex/clear',
    operation('clearIndex', 'knowledge', {
      summary: 'Clear the index',
      description: 'Search answers 400 until the next reindex.',
      success: {
        status: 200,
        schema: v.object({ status: v.literal('cleared'), deleted: v.number() }),
      },
      errors: [[409, 'A reindex is running']],
    }),
    async (context) => context.json({ status: 'cleared', deleted: await knowledge.clear() }),
  )
  const limits = v.object({
    seconds: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,5}(?:\.\d{1,20})?$/, 'must be a number'),
        v.transform(Number),
        timeout,
      ),
    ),
  })
  routes.post(
    '/knowledge/reindex/timeout',
    operation('limitReindex', 'knowledge', {
      summary: 'Limit a reindex',
      description: 'For the current run and later ones; without `seconds` there is no limit.',
      query: limits,
      success: {
        status: 200,
        schema: v.object({ status: v.literal('ok'), timeout_seconds: v.nullable(v.number()) }),
      },
    }),
    async (context) => {
      const { seconds = null } = query(context, limits)
      await reindexing.limit(seconds)
      return context.json({ status: 'ok', timeout_seconds: seconds })
    },
  )
}
