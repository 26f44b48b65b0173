import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { queryInteger } from '../query.ts'

/** Audit entries of one answer at most. */
export const ENTRIES_MAX = 1000

/** Schema of the query of `GET /api/admin/audit`. */
export const auditQuery: v.GenericSchema<{ limit?: string }, { readonly limit?: number }> =
  v.object({ limit: v.exactOptional(queryInteger(1, ENTRIES_MAX)) })

/** 200 of `GET /api/admin/audit`: what was done to accounts and to the server, newest first. */
export interface AuditResponse {
  readonly entries: readonly {
    readonly at: Timestamp
    /** Player id of the caller; null for the server itself. */
    readonly actor: Uuid | null
    /** Name of the caller at that time; null for the server, and in some older entries. */
    readonly actor_name: string | null
    /** Address of the caller, IPv6 by its /64; null for the server, and in older entries. */
    readonly address: string | null
    readonly action: string
    /** What it was done to, an id or a name. */
    readonly subject: string | null
    /** Further details; never a secret. */
    readonly detail: unknown
  }[]
}

export const auditResponse: v.GenericSchema<AuditResponse> = v.object({
  entries: v.array(
    v.object({
      at: timestamp,
      actor: v.nullable(uuid),
      actor_name: v.nullable(v.string()),
      address: v.nullable(v.string()),
      action: v.string(),
      subject: v.nullable(v.string()),
      detail: v.unknown(),
    }),
  ),
})
