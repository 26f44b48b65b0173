import type postgres from 'postgres'
import { accounts } from './account.ts'

/** A ship that belongs in the world, without more of who owns it. */
export interface ShipOwner {
  readonly shipId: string
  /** of its account, or its own where it has none */
  readonly username: string
}

/** Ships without an account that programs beside the server have made. */
export interface ServiceShips {
  add(ship: { readonly shipId: string; readonly name: string }): Promise<void>
  remove(shipId: string): Promise<void>
  list(): Promise<ShipOwner[]>
}

/** @param sql a database, or a transaction to take part in */
export function serviceShips(sql: postgres.ISql): ServiceShips {
  return {
    async add({ shipId, name }) {
      await sql`insert into service_ship (ship_id, name) values (${shipId}, ${name})`
    },
    async remove(shipId) {
      await sql`delete from service_ship where ship_id = ${shipId}`
    },
    async list() {
      return [
        ...(await sql<ShipOwner[]>`
          select ship_id as "shipId", name as username from service_ship order by ship_id`),
      ]
    },
  }
}

/** All ships that belong in the world. */
export async function shipOwners(sql: postgres.ISql): Promise<ShipOwner[]> {
  const owned = (await accounts(sql).list()).flatMap(({ username, shipId, coastingShips }) =>
    [...(shipId === null ? [] : [shipId]), ...coastingShips].map((id) => ({
      shipId: id,
      username,
    })),
  )
  return [...owned, ...(await serviceShips(sql).list())]
}
