import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { type AuditEntry, auditEntries, auditEntry } from '../records/audit.ts'
import { id, text } from '../tables/fields.ts'
import { list } from '../tables/table.ts'
import { listAnswer, page } from '../requests/resource.ts'

const filters = v.partial(
  v.object({
    client_id: id(),
    project_id: id(),
    version_id: id(),
    record_id: id(),
    kind: text(),
    author: text(),
  }),
)

const auditQuery = v.object({ ...filters.entries, ...page })

/** Who changed what. */
export function auditRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  return new Hono().get(
    '/audit',
    operation('listAuditEntries', 'audit', {
      summary: 'List changes',
      description: 'Who changed what, the newest first; entries outlive their records.',
      query: auditQuery,
      success: { status: 200, schema: v.array(auditEntry) },
    }),
    async (context) => {
      const { limit, cursor, ...wanted } = query(context, auditQuery)
      return listAnswer(context, { limit, cursor }, (part) =>
        list<AuditEntry>(sql, auditEntries, { filters: wanted, ...part }),
      )
    },
  )
}
