import type postgres from 'postgres'

/** Who does something. */
export interface Actor {
  readonly playerId: string
  readonly username: string
  /** Of the client; absent for what did not come over a network. */
  readonly address?: string
}

/** An action on accounts or on the server. */
export interface AuditEntry {
  readonly at: Date
  /** Player id of the actor; null for the server itself. */
  readonly actor: string | null
  /** Name of the actor at that time; null for the server, and where it is not known any more. */
  readonly actorName: string | null
  /** Client address of the actor; null where there was none. */
  readonly address: string | null
  readonly action: string
  /** Id or name of the object. */
  readonly subject: string | null
  readonly detail: postgres.JSONValue | null
}

/** The audit trail: written, read and in the end forgotten, never changed. */
export interface AuditTrail {
  record(
    entry: Pick<AuditEntry, 'action'> &
      Partial<Pick<AuditEntry, 'subject' | 'detail'>> & { readonly actor?: Actor },
  ): Promise<void>
  /** The newest entries first, `limit` (1-1000) at most. */
  list(options: { readonly limit: number }): Promise<AuditEntry[]>
  /**
   * Deletes all but the newest `keep` entries of what accounts did to themselves, and as many of
   * the others, so that registrations do not displace what admins did.
   */
  prune(keep: number): Promise<void>
}

export const LIST_MAX = 1000

/**
 * The audit trail behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 */
export function audit(sql: postgres.ISql): AuditTrail {
  return {
    async record({ action, actor, subject = null, detail = null }) {
      const row = {
        actor: actor?.playerId ?? null,
        actor_name: actor?.username ?? null,
        address: actor?.address ?? null,
        action,
        subject,
        detail: detail === null ? null : sql.json(detail),
      }
      await sql`insert into audit ${sql(row)}`
    },
    async list({ limit }) {
      const rows = Math.min(Math.max(Math.trunc(limit), 1), LIST_MAX)
      return [
        ...(await sql<AuditEntry[]>`
          select at, actor, actor_name as "actorName", address, action, subject, detail
          from audit order by id desc limit ${rows}`),
      ]
    },
    async prune(keep) {
      const isOwn = sql`actor is not null and actor::text is not distinct from subject`
      for (const condition of [isOwn, sql`not (${isOwn})`]) {
        await sql`
          delete from audit where ${condition} and id <= (
            select id from audit where ${condition} order by id desc offset ${keep} limit 1)`
      }
    },
  }
}
