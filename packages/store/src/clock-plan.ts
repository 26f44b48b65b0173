import type postgres from 'postgres'
import { json } from './json.ts'
import { type Ownership, fenced, owned } from './ownership.ts'

/** What all hosts of a universe have read by then. */
const KEPT = '1 minute'

/** How game time is to run from an index on. */
export interface ClockPlanRow {
  /** A later row counts before those at or past its index. */
  readonly number: number
  /** Lattice index from which it counts. */
  readonly lattice: number
  /** When a clock that goes by the plan is there, by the database's clock [Unix ms]. */
  readonly atMs: number
  /** Hz, as set. */
  readonly tickRate: number
  /** Game seconds per second, as set and in force. */
  readonly timeScale: number
  readonly pace: number
  readonly paused: boolean
  readonly adaptiveTickRate: boolean
  /** Lattice index that game time hurries to; null while it does not. */
  readonly goal: number | null
}

/** The plan by which the clocks of several hosts run. */
export interface ClockPlan {
  /** Rows in their order, and the time by the database's clock [Unix ms]. */
  load(era: number): Promise<{ readonly rows: ClockPlanRow[]; readonly nowMs: number }>
  /**
   * Adds rows behind those that are there, and removes those that are long past; returns them.
   *
   * @param home  the system whose owner leads
   * @throws StoreError `ERR_FENCED`
   */
  add(
    at: { readonly era: number; readonly owner: Ownership; readonly home: string },
    rows: readonly Omit<ClockPlanRow, 'number'>[],
  ): Promise<ClockPlanRow[]>
  /** Ends the plan, if the owner leads. */
  clear(owner: Ownership, home: string): Promise<void>
}

/** The plan of a universe's clocks behind a handle. */
export function clockPlan(sql: postgres.ISql): ClockPlan {
  const columns = sql`
    number::float8 as number, lattice::float8 as lattice,
    1000 * extract(epoch from at)::float8 as "atMs", tick_rate as "tickRate",
    time_scale as "timeScale", pace, paused, adaptive as "adaptiveTickRate", goal::float8 as goal`
  return {
    load: async (era) => {
      const [{ nowMs, rows }] = await sql<[{ rows: ClockPlanRow[]; nowMs: number }]>`
        select 1000 * extract(epoch from clock_timestamp())::float8 as "nowMs",
          (select coalesce(jsonb_agg(plan order by number), '[]')
            from (select ${columns} from clock_plan where era = ${era}) as plan) as rows`
      return { rows, nowMs }
    },
    add: async ({ era, owner, home }, rows) => {
      if (!owner.claims().has(home)) throw fenced([home])
      const places = rows.map((row, place) => ({ ...row, place }))
      const added = await sql<ClockPlanRow[]>`
        with held as (select ${owned(sql, owner, [home])} as held),
          gone as (
            delete from clock_plan using held where held and (era <> ${era} or at < (
              select max(at) from clock_plan
              where era = ${era} and at < clock_timestamp() - ${KEPT}::interval)))
        insert into clock_plan
        select ${era},
          (select coalesce(max(number), 0) from clock_plan where era = ${era}) + 1 + place,
          lattice, to_timestamp("atMs" / 1000), "tickRate", "timeScale", pace, paused,
          "adaptiveTickRate", goal
        from held, jsonb_to_recordset(${json(sql, places)}) as given (place bigint, lattice bigint,
          "atMs" float8, "tickRate" float8, "timeScale" float8, pace float8, paused boolean,
          "adaptiveTickRate" boolean, goal bigint)
        where held order by place
        returning ${columns}`
      if (added.length < rows.length) throw fenced([home])
      return [...added]
    },
    clear: async (owner, home) => {
      if (!owner.claims().has(home)) return
      await sql`delete from clock_plan where ${owned(sql, owner, [home])}`
    },
  }
}
