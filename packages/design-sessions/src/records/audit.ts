import * as v from 'valibot'
import { named } from '../openapi.ts'
import { id } from '../tables/fields.ts'
import { ACTIONS } from '../tables/noted.ts'
import type { Table } from '../tables/table.ts'

const optionalId = v.nullable(id())

/** Who changed what, and when. */
export const auditEntry = named(
  'AuditEntry',
  v.object({
    id: v.string(),
    at: v.date(),
    /** as the request names them */
    author: v.nullable(v.string()),
    action: v.picklist(ACTIONS),
    /** such as `adr` or `coverage_item` */
    kind: v.string(),
    record_id: id(),
    /** of the record, as it was then */
    title: v.string(),
    client_id: optionalId,
    project_id: optionalId,
    version_id: optionalId,
    /** fields that were changed and their values then, long ones shortened */
    changes: v.record(v.string(), v.unknown()),
  }),
)

export type AuditEntry = v.InferOutput<typeof auditEntry>

export const auditEntries: Table = {
  name: 'audit_entry',
  thing: 'Audit entry',
  columns: Object.keys(auditEntry.entries),
  sent: [],
  order: [{ by: 'id', type: 'bigint' }],
  descending: true,
}
