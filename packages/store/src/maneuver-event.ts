import type postgres from 'postgres'
import { json } from './json.ts'
import { type Ownership, ownedGiven, seemsOwned } from './ownership.ts'

/** Something that happened in a ship's maneuver, or to the ship, as it is stored. */
export interface NewManeuverEvent {
  /** Line of history; with `systemId`, `lattice`, `shipNumber` and `ordinal` the event's key. */
  readonly era: number
  /** Index on the lattice of simulation time, in quanta since J2000.0 TDB. */
  readonly lattice: number
  readonly systemId: string
  readonly shipNumber: number
  /** Place among all that can happen to a ship at one index. */
  readonly ordinal: number
  readonly shipId: string
  /** null for what happened to the ship */
  readonly maneuverType: string | null
  readonly eventType: string
  /** null likewise */
  readonly phase: string | null
  readonly fromPhase: string | null
  readonly tick: number
  readonly gameTime: Date
  readonly elementErrors: postgres.JSONValue | null
  /** To the target, in metres. */
  readonly distance: number | null
  readonly effectivity: number | null
  readonly statusText: string | null
  readonly extra: { readonly [key: string]: postgres.JSONValue }
}

/** A stored event, as readers of the stream see it. */
export interface StreamedEvent extends Omit<
  NewManeuverEvent,
  'era' | 'lattice' | 'shipNumber' | 'ordinal'
> {
  readonly id: number
  readonly createdAt: Date
}

/** One of a maneuver, as readers of the log see it. */
export interface ManeuverEventRow extends Omit<StreamedEvent, 'systemId'> {
  readonly maneuverType: string
  readonly phase: string
}

/** How far a reader has come: the id of the last event of each star system, by the system's id. */
export type EventPlaces = Readonly<Record<string, number>>

/** What a reader of the stream asks for. */
export interface EventSpan {
  readonly era: number
  readonly places: EventPlaces
  /** by default all */
  readonly systemId?: string | undefined
  /** 1-500. */
  readonly limit: number
}

export interface ManeuverEventFilter {
  /** A UUID. */
  readonly shipId?: string | undefined
  readonly eventType?: string | undefined
  /** 1-500. */
  readonly limit: number
}

/** The log of maneuvers: written, read and in the end forgotten, never changed. */
export interface ManeuverEvents {
  /**
   * Stores events in their order, all or none; one whose key is there already is left as it was.
   *
   * Those of a system that its owner has lost are left out: the next owner writes them.
   */
  record(events: readonly NewManeuverEvent[]): Promise<void>
  /** Deletes all but the newest; nothing where the owner has lost a system. */
  prune(keep: number): Promise<void>
  /** The newest events of maneuvers that fit the filter first, `limit` at most. */
  list(filter: ManeuverEventFilter): Promise<ManeuverEventRow[]>
  /** The places before the oldest events that are kept. */
  firstPlaces(): Promise<EventPlaces>
  /**
   * The oldest events of an era behind places, `limit` at most. Of a star system none comes later
   * that is before one that has come. Undefined where some of them were pruned.
   */
  after(span: EventSpan): Promise<StreamedEvent[] | undefined>
}

export const LIST_MAX = 500

/**
 * The log of maneuvers behind a handle.
 *
 * @param sql a database, or a transaction to take part in
 * @param owner without it whoever has the database to itself writes
 */
export function maneuverEvents(sql: postgres.ISql, owner?: Ownership): ManeuverEvents {
  return {
    async record(events) {
      if (events.length === 0) return
      // One text for any number of events: PostgreSQL keeps each text that it has prepared.
      await sql`
        insert into maneuver_event (era, system, lattice, ship_number, ordinal, ship_id,
          maneuver_type, event_type, phase, from_phase, tick, game_time, element_errors, distance,
          effectivity, status_text, extra)
        select given.* from jsonb_to_recordset(${json(sql, events)})
          as given (era integer, "systemId" text, lattice bigint, "shipNumber" bigint,
            ordinal smallint, "shipId" uuid, "maneuverType" text, "eventType" text, phase text,
            "fromPhase" text, tick bigint, "gameTime" timestamptz, "elementErrors" jsonb,
            distance float8, effectivity float8, "statusText" text, extra jsonb)
        where ${ownedGiven(sql, owner)}
        order by lattice, "shipNumber", ordinal
        on conflict (era, system, lattice, ship_number, ordinal) do nothing`
    },
    async prune(keep) {
      // Ids have gaps, so that they must be counted.
      await sql`
        with gone as (
          delete from maneuver_event where id <=
            (select id from maneuver_event order by id desc offset ${keep} limit 1)
            and ${seemsOwned(sql, owner)}
          returning system, id
        )
        insert into pruned_event (system, id) select system, max(id) from gone group by system
        on conflict (system) do update set id = greatest(pruned_event.id, excluded.id)`
    },
    async list({ shipId, eventType, limit }) {
      // No text in the database holds a NUL, and none may be asked for.
      if (eventType?.includes('\0')) return []
      const rows = await sql<Stored<ManeuverEventRow>[]>`
        select ${columns(sql)} from maneuver_event as event
        where maneuver_type is not null
          ${shipId === undefined ? sql`` : sql`and ship_id = ${shipId}`}
          ${eventType === undefined ? sql`` : sql`and event_type = ${eventType}`}
        order by id desc limit ${countOf(limit)}`
      return rows.map(numbered)
    },
    async firstPlaces() {
      const rows = await sql<Place[]>`select system, id::float8 as id from pruned_event`
      return Object.fromEntries(rows.map(({ system, id }) => [system, id]))
    },
    async after({ era, places, systemId, limit }) {
      const given = Object.entries(places).map(([system, id]): Place => ({ system, id }))
      const isAsked = systemId === undefined ? sql`true` : sql`system = ${systemId}`
      const rows = await sql<Stored<StreamedEvent>[]>`
        select ${columns(sql)}, event.system as "systemId"
        from (
          select system, coalesce(given.id, 0) as place from system_owner
          left join ${placesIn(sql, given)} using (system) where ${isAsked}
        ) as reading cross join lateral (
          select * from maneuver_event as event
          where event.era = ${era} and event.system = reading.system and event.id > place
          order by event.id limit ${countOf(limit)}
        ) as event
        order by event.id limit ${countOf(limit)}`
      // Behind the events, which might be pruned between the two.
      const [lost] = await sql`
        select from pruned_event left join ${placesIn(sql, given)} using (system)
        where pruned_event.id > coalesce(given.id, 0) and ${isAsked} limit 1`
      return lost ? undefined : rows.map(numbered)
    },
  }
}

interface Place {
  readonly system: string
  readonly id: number
}

function placesIn(
  sql: postgres.ISql,
  places: readonly Place[],
): postgres.PendingQuery<postgres.Row[]> {
  return sql`jsonb_to_recordset(${json(sql, places)}) as given (system text, id bigint)`
}

function columns(sql: postgres.ISql): postgres.PendingQuery<postgres.Row[]> {
  return sql`
    event.id, ship_id as "shipId", maneuver_type as "maneuverType", event_type as "eventType",
    phase, from_phase as "fromPhase", tick, game_time as "gameTime",
    element_errors as "elementErrors", distance, effectivity, status_text as "statusText", extra,
    created_at as "createdAt"`
}

function countOf(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), LIST_MAX)
}

/** 64-bit numbers come as texts. */
type Stored<Row> = Omit<Row, 'id' | 'tick'> & { id: string; tick: string }

function numbered<Row extends { readonly id: string; readonly tick: string }>(
  row: Row,
): Omit<Row, 'id' | 'tick'> & { id: number; tick: number } {
  return { ...row, id: Number(row.id), tick: Number(row.tick) }
}
