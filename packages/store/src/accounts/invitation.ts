import type postgres from 'postgres'

/** A player's consent that others begin beside the ship of the account. */
export interface Invitation {
  readonly playerId: string
  readonly expiresAt: Date
  /** registrations that may name it still */
  readonly usesLeft: number
}

/** The invitations, by the hashes of their codes. */
export interface Invitations {
  create(codeHash: string, invitation: Invitation): Promise<void>
  byHash(codeHash: string): Promise<Invitation | undefined>
  /** Takes one use; false when there is none left. */
  use(codeHash: string): Promise<boolean>
  /**
   * Registrations that a player's invitations are open for; forgets those that have expired. In a
   * transaction, another one that asks waits until it ends.
   */
  openUses(playerId: string, now: Date): Promise<number>
  /** Ends a player's invitations. */
  withdraw(playerId: string): Promise<void>
}

/** @param sql a database, or a transaction to take part in */
export function invitations(sql: postgres.ISql): Invitations {
  return {
    async create(codeHash, { playerId, expiresAt, usesLeft }) {
      const row = {
        code_hash: codeHash,
        player_id: playerId,
        expires_at: expiresAt,
        uses_left: usesLeft,
      }
      await sql`insert into invitation ${sql(row)}`
    },
    async byHash(codeHash) {
      const [found] = await sql<Invitation[]>`
        select player_id as "playerId", expires_at as "expiresAt", uses_left as "usesLeft"
        from invitation where code_hash = ${codeHash}`
      return found
    },
    async use(codeHash) {
      const { count } = await sql`
        update invitation set uses_left = uses_left - 1
        where code_hash = ${codeHash} and uses_left > 0`
      return count === 1
    },
    async openUses(playerId, now) {
      await sql`select from account where player_id = ${playerId} for update`
      await sql`delete from invitation where player_id = ${playerId} and expires_at <= ${now}`
      const [{ uses }] = await sql<[{ uses: number }]>`
        select coalesce(sum(uses_left), 0)::int as uses
        from invitation where player_id = ${playerId}`
      return uses
    },
    async withdraw(playerId) {
      await sql`delete from invitation where player_id = ${playerId}`
    },
  }
}
