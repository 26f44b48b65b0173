import type postgres from 'postgres'
import { type Account, UUID, accountColumns } from './account-row.ts'

/** Which ships an account has, and which of them it flies. */
export interface AccountShips {
  /** Adds a ship that coasts; undefined where the account has `most` or flies none. */
  addShip(id: string, shipId: string, most: number): Promise<Account | undefined>
  /** Flies one of the account's ships, and lets the other coast; undefined for any other ship. */
  flyShip(id: string, shipId: string): Promise<Account | undefined>
  /** Takes a ship; the first that coasts is flown when none would be. */
  dropShip(shipId: string): Promise<Account | undefined>
}

/** @param sql a database, or a transaction to take part in */
export function accountShips(sql: postgres.ISql): AccountShips {
  const columns = accountColumns(sql)
  return {
    async addShip(id, shipId, most) {
      const [account] = await sql<Account[]>`
        update account set coasting_ships = coasting_ships || ${shipId}::uuid
        where player_id = ${id} and ship_id is not null
          and cardinality(coasting_ships) < ${most - 1}
        returning ${columns}`
      return account
    },
    async flyShip(id, shipId) {
      if (!UUID.test(shipId)) return undefined
      const [account] = await sql<Account[]>`
        update account set ship_id = ${shipId},
          coasting_ships = case when ship_id = ${shipId} then coasting_ships
            else array_replace(coasting_ships, ${shipId}::uuid, ship_id) end
        where player_id = ${id} and (ship_id = ${shipId} or ${shipId}::uuid = any(coasting_ships))
        returning ${columns}`
      return account
    },
    async dropShip(shipId) {
      const [account] = await sql<Account[]>`
        update account set
          ship_id = case when ship_id = ${shipId} then coasting_ships[1] else ship_id end,
          coasting_ships = case when ship_id = ${shipId} then coasting_ships[2:]
            else array_remove(coasting_ships, ${shipId}::uuid) end,
          unflown_since = null
        where ship_id = ${shipId} or ${shipId}::uuid = any(coasting_ships)
        returning ${columns}`
      return account
    },
  }
}
