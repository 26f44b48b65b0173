import { iconNames } from '@orrery/diagrams-py'
import { Hono } from 'hono'
import * as v from 'valibot'
import { query } from '../errors.ts'
import { operation } from '../openapi.ts'

const QUERY_MAX = 100

const iconQuery = v.object({
  q: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(QUERY_MAX),
      v.description('words that a name contains, such as `azure vault`'),
    ),
    '',
  ),
})

/** Icons that diagrams may show. */
export function iconRoutes(): Hono {
  return new Hono().get(
    '/icons',
    operation('listIcons', 'artifacts', {
      summary: 'List icons',
      description: 'Names of icons for D2 and Mermaid, such as `azure:key-vaults`, sorted.',
      query: iconQuery,
      success: { status: 200, schema: v.array(v.string()) },
    }),
    (context) => {
      const words = query(context, iconQuery).q.toLowerCase().split(/\s+/)
      return context.json(iconNames().filter((name) => words.every((word) => name.includes(word))))
    },
  )
}
