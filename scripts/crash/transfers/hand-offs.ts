/** The stored hand-offs of a game, compared with its journal. */
import type { Sql } from '../../trials/game-directory.ts'

export interface HandOffs {
  readonly arrived: number
  readonly inTransit: number
  /** departures and arrivals that do not belong together, and fuel that rose */
  readonly faults: readonly string[]
}

/**
 * A ship that has not arrived has one departure more than it has arrivals.
 *
 * @param hasFuel  whether ships are refuelled
 */
export async function storedHandOffs(sql: Sql, hasFuel: boolean): Promise<HandOffs> {
  const [{ arrived, waiting }] = await sql<[{ arrived: number; waiting: number }]>`
    select count(*) filter (where state <> 'departed')::integer as arrived,
      count(*) filter (where state = 'departed')::integer as waiting
    from hand_off`
  // A ship may come and go several times at one index.
  const unpaired = await sql`
    with moves as (
      select era, system, lattice, coalesce(command ->> 'passId', command ->> 'shipId') as ship_id,
        1 as departures, 0 as arrivals
      from journal where command ->> 'kind' in ('depart_ship', 'depart_account')
      union all
      select era, command -> 'handOff' ->> 'from', (command -> 'handOff' ->> 'index')::bigint,
        command -> 'handOff' ->> 'shipId', 0, 1
      from journal where command ->> 'kind' in ('arrive_ship', 'arrive_account')
    ), sums as (
      select era, system, lattice, ship_id, sum(departures)::integer as departures,
        sum(arrivals)::integer as arrivals
      from moves group by era, system, lattice, ship_id
    )
    select *, state from sums full join hand_off using (era, system, lattice, ship_id)
    where departures - arrivals is distinct from case when state = 'departed' then 1 else 0 end`
  const refuelled = await sql`
    with flown as (
      select era, ship_id, lattice, (ship::jsonb -> 'ship' ->> 'fuel')::float8 as fuel from hand_off
    ), pairs as (
      select *, lag(fuel) over (partition by era, ship_id order by lattice, fuel desc) as before
      from flown
    )
    select * from pairs where fuel > before`
  return {
    arrived,
    inTransit: waiting,
    faults: [
      ...unpaired.map((row) => `hand-off ${JSON.stringify({ ...row, ship: undefined })}`),
      ...(hasFuel ? [] : refuelled).map((row) => `fuel rose: ${JSON.stringify(row)}`),
    ],
  }
}
