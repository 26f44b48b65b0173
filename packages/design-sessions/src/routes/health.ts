import type { Hono } from 'hono'
import * as v from 'valibot'
import { type Operation, operation } from '../openapi.ts'

const ok = v.object({ status: v.literal('ok') })

/** Describes the routes of health; the kit's, mounted behind, answer them. */
export function addHealthDescriptions(app: Hono): void {
  const probe = {
    tag: 'operations',
    open: true,
    success: { status: 200, schema: ok },
  } as const satisfies Partial<Operation>
  app.get('/health/live', operation({ ...probe, summary: 'Whether the process answers' }))
  const errors = [[503, 'The database does not answer']] as const
  app.get('/health/ready', operation({ ...probe, summary: 'Whether the database answers', errors }))
}
