import type postgres from 'postgres'

/** A player's account, administrators included. */
export interface Account {
  readonly playerId: string
  readonly username: string
  /** `''` for an account without a password, which signs in by a foreign identity */
  readonly passwordHash: string
  readonly isAdmin: boolean
  /** the ship that is flown */
  readonly shipId: string | null
  /** ids of its other ships */
  readonly coastingShips: readonly string[]
  /** Tokens of an earlier generation are void. */
  readonly generation: number
  /** Tokens without a generation that were issued before are void; null before any were ended. */
  readonly tokensFrom: Date | null
  /** SHA-256, in base64url, of the one token that stays valid whatever it says; null for none. */
  readonly keptToken: string | null
  readonly createdAt: Date
  /** Last use of an account that its owner made and never flew; else null. */
  readonly unflownSince: Date | null
}

/** The text of an id, in any case. */
export const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu

/** A name as names are compared. */
export function usernameKey(username: string): string {
  return username.normalize('NFC').toLowerCase()
}

/** The columns of an account, under the names of `Account`. */
export function accountColumns(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    player_id as "playerId", username, password_hash as "passwordHash", is_admin as "isAdmin",
    ship_id as "shipId", to_jsonb(coasting_ships) as "coastingShips", generation,
    tokens_from as "tokensFrom", kept_token as "keptToken", created_at as "createdAt",
    unflown_since as "unflownSince"`
}
