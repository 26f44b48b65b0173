import { createHash } from 'node:crypto'
import type postgres from 'postgres'
import { json } from '../json.ts'

/** What names a departure within an era. */
export interface HandOffKey {
  /** The star system that the ship left. */
  readonly systemId: string
  /** Index on the lattice at which it did, in quanta since J2000.0 TDB. */
  readonly lattice: number
  readonly shipId: string
}

/** A ship that has left one star system for another. */
export interface NewHandOff extends HandOffKey {
  /** The whole ship, JSON. */
  readonly ship: string
}

/** What became of a departure. */
export interface Arrival extends HandOffKey {
  /** `returned`: to the system that it left. */
  readonly state: 'departed' | 'arrived' | 'returned'
}

/** A hand-off as it was found. */
export interface HandOffRow extends NewHandOff {
  /** Whether the ship is as it was stored. */
  readonly isSound: boolean
}

/**
 * The parts of a journal's statement that write departures and note arrivals.
 *
 * They read `fresh`, which has a row where the batch is not written yet.
 */
export function handOffWrites(
  sql: postgres.ISql,
  era: number,
  departures: readonly (NewHandOff & Arrival)[],
  arrivals: readonly Arrival[],
): postgres.PendingQuery<postgres.Row[]> {
  const sealed = departures.map((row) => ({ ...row, checksum: checksumOf(row) }))
  return sql`
    new_hand_offs as (
      insert into hand_off (era, system, lattice, ship_id, ship, checksum, state)
      select ${era}, given.* from fresh, jsonb_to_recordset(${json(sql, sealed)})
        as given ("systemId" text, lattice bigint, "shipId" text, ship text, checksum text,
          state text)
      on conflict (era, system, lattice, ship_id) do update
        set (ship, checksum, state) = (excluded.ship, excluded.checksum, excluded.state)
    ), old_hand_offs as (
      update hand_off set state = given.state
      from fresh, ${givenArrivals(sql, arrivals)}
      where era = ${era} and system = given."systemId" and hand_off.lattice = given.lattice
        and ship_id = given."shipId"
    )`
}

/** What has become of departures until now; locked, so that each arrives once. */
export function statesOf(
  sql: postgres.ISql,
  era: number,
  arrivals: readonly Arrival[],
): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    select hand_off.state from hand_off join ${givenArrivals(sql, arrivals)}
      on system = given."systemId" and hand_off.lattice = given.lattice
        and ship_id = given."shipId"
    where era = ${era} for no key update of hand_off`
}

function givenArrivals(
  sql: postgres.ISql,
  arrivals: readonly Arrival[],
): postgres.PendingQuery<postgres.Row[]> {
  return sql`jsonb_to_recordset(${json(sql, arrivals)})
    as given ("systemId" text, lattice bigint, "shipId" text, state text)`
}

/** The ships of an era that have left a system and arrived in none, oldest first. */
export async function shipsInTransit(sql: postgres.ISql, era: number): Promise<HandOffRow[]> {
  const rows = await sql<(NewHandOff & { checksum: string })[]>`
    select system as "systemId", lattice::float8 as lattice, ship_id as "shipId", ship, checksum
    from hand_off where era = ${era} and state = 'departed' order by lattice, system, ship_id`
  return rows.map(({ checksum, ...row }) => ({ ...row, isSound: checksumOf(row) === checksum }))
}

/** Includes the key, so that a ship stored under another key is found. */
function checksumOf({ systemId, lattice, shipId, ship }: NewHandOff): string {
  const parts = JSON.stringify([systemId, lattice, shipId, ship])
  return createHash('sha256').update(parts).digest('hex')
}
