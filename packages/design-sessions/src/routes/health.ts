import type { Hono } from 'hono'
import * as v from 'valibot'
import { operation } from '../openapi.ts'

const ok = v.object({ status: v.literal('ok') })

/** Describes the routes of health; the kit's, mounted behind, answer them. */
export function addHealthDescriptions(app: Hono): void {
  const described = (summary: string): ReturnType<typeof operation> =>
    operation({ summary, tag: 'operations', open: true, success: { status: 200, schema: ok } })
  app.get('/health/live', described('Whether the process answers'))
  app.get('/health/ready', described('Whether the database answers; 503 `unavailable` when not'))
}
