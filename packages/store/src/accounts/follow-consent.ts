import type postgres from 'postgres'

/** Which players let guests see and follow their ships. */
export interface FollowConsents {
  isGiven(playerId: string): Promise<boolean>
  give(playerId: string): Promise<void>
  withdraw(playerId: string): Promise<void>
  /** Ids of ships of players who have given it, the latest first. */
  ships(limit: number): Promise<string[]>
}

/** @param sql a database, or a transaction to take part in */
export function followConsents(sql: postgres.ISql): FollowConsents {
  return {
    async isGiven(playerId) {
      const rows = await sql`select from follow_consent where player_id = ${playerId}`
      return rows.length > 0
    },
    async give(playerId) {
      // One whose account is being deleted has nothing to give.
      await sql`
        insert into follow_consent (player_id)
        select player_id from account where player_id = ${playerId} on conflict do nothing`
    },
    async withdraw(playerId) {
      await sql`delete from follow_consent where player_id = ${playerId}`
    },
    async ships(limit) {
      const rows = await sql<{ shipId: string }[]>`
        select ship_id as "shipId" from follow_consent join account using (player_id)
        where ship_id is not null order by given_at desc limit ${limit}`
      return rows.map(({ shipId }) => shipId)
    },
  }
}
