import type postgres from 'postgres'

/** An action on accounts or on the server. */
export interface AuditEntry {
  readonly at: Date
  /** Player id of the actor; null for the server itself. */
  readonly actor: string | null
  readonly action: string
  /** Id or name of the object. */
  readonly subject: string | null
  readonly detail: postgres.JSONValue | null
}

/** The audit trail: written and read, never changed. */
export interface AuditTrail {
  record(
    entry: Pick<AuditEntry, 'action'> & Partial<Pick<AuditEntry, 'actor' | 'subject' | 'detail'>>,
  ): Promise<void>
  /** The newest entries first, `limit` (1-1000) at most. */
  list(options: { readonly limit: number }): Promise<AuditEntry[]>
}

const LIST_MAX = 1000

/**
 * The audit trail behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 */
export function audit(sql: postgres.ISql): AuditTrail {
  return {
    async record({ action, actor = null, subject = null, detail = null }) {
      const row = { actor, action, subject, detail: detail === null ? null : sql.json(detail) }
      await sql`insert into audit ${sql(row)}`
    },
    async list({ limit }) {
      const rows = Math.min(Math.max(Math.trunc(limit), 1), LIST_MAX)
      return [
        ...(await sql<AuditEntry[]>`
          select at, actor, action, subject, detail from audit order by id desc limit ${rows}`),
      ]
    },
  }
}
