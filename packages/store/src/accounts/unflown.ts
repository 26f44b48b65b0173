import type postgres from 'postgres'

/** Registered accounts that never flew. */
export interface UnflownAccounts {
  /** Notes a use of an account at a time, if it never flew. */
  markUsed(id: string, at: Date): Promise<void>
  /** Notes that accounts have flown. */
  markFlown(ids: readonly string[]): Promise<void>
  /** Ids of players that never flew, with a ship and not used since a time, longest first. */
  unflown(options: { readonly before: Date; readonly limit: number }): Promise<string[]>
}

/** @param sql a database, or a transaction to take part in */
export function unflownAccounts(sql: postgres.ISql): UnflownAccounts {
  return {
    async markUsed(id, at) {
      await sql`
        update account set unflown_since = ${at}
        where player_id = ${id} and unflown_since is not null`
    },
    async markFlown(ids) {
      await sql`
        update account set unflown_since = null
        where player_id = any(${sql.array([...ids])}::uuid[]) and unflown_since is not null`
    },
    async unflown({ before, limit }) {
      const rows = await sql<{ playerId: string }[]>`
        select player_id as "playerId" from account
        where unflown_since < ${before} and ship_id is not null and not is_admin
        order by unflown_since limit ${limit}`
      return rows.map(({ playerId }) => playerId)
    },
  }
}
