import * as v from 'valibot'
import { type Timestamp, timestamp } from '../identifiers.ts'
import { count, real } from '../numbers.ts'

/** 200 of `GET /api/admin/load`: what the server does now, beside its status. */
export interface LoadResponse {
  /** Share of the tick period spent working, over the last ticks. */
  readonly utilisation: number
  /** Wall time of each phase of the last tick [s]. */
  readonly phases: Readonly<Record<string, number>>
  readonly overloaded: boolean
  /** Moment that game time hurries to; null while it does not. */
  readonly clock_goal: Timestamp | null
  /** A tick broke; nothing ticks until a resume. */
  readonly faulted: boolean
  readonly ships: number
  /** That there may be in all systems together. */
  readonly ships_max: number
  readonly players_online: number
  readonly observers_online: number
  readonly socket_queued_bytes: number
  readonly journal_lag_rows: number
  readonly journal_lag_seconds: number
  /** Since the world was last stored, or since the start. */
  readonly snapshot_age_seconds: number
  /** The last of each star system, at a lattice index. */
  readonly digests: readonly {
    readonly system_id: string
    readonly index: number
    readonly digest: string
  }[]
  /** Digests of the replay at the start, compared with those kept; null for a new world. */
  readonly replay: {
    readonly at: Timestamp
    readonly digests: number
    readonly mismatches: number
  } | null
  /** Chunks of ships that were flown a second time by the other kernel, and whose bits differed. */
  readonly canary_checks: number
  readonly canary_mismatches: number
  readonly resident_bytes: number
  readonly uptime_seconds: number
}

export const loadResponse: v.GenericSchema<LoadResponse> = v.object({
  utilisation: real,
  phases: v.record(v.string(), real),
  overloaded: v.boolean(),
  clock_goal: v.nullable(timestamp),
  faulted: v.boolean(),
  ships: count,
  ships_max: count,
  players_online: count,
  observers_online: count,
  socket_queued_bytes: count,
  journal_lag_rows: count,
  journal_lag_seconds: real,
  snapshot_age_seconds: real,
  digests: v.array(v.object({ system_id: v.string(), index: count, digest: v.string() })),
  replay: v.nullable(v.object({ at: timestamp, digests: count, mismatches: count })),
  canary_checks: count,
  canary_mismatches: count,
  resident_bytes: count,
  uptime_seconds: real,
})

/** What the server remembers of itself. */
export const HISTORY_COLUMNS = [
  'utilisation',
  'tick_rate',
  'ticks_behind',
  'time_drift_seconds',
  'energy_drift',
  'momentum_drift',
  'players_online',
  'ships',
  'journal_lag_seconds',
  'resident_bytes',
] as const

export type HistoryColumn = (typeof HISTORY_COLUMNS)[number]

/** An hour in steps of 10 s, a day in steps of a minute [s]. */
export const HISTORY_SPANS = {
  hour: { step: 10, length: 3600 },
  day: { step: 60, length: 86_400 },
} as const

export type HistorySpan = keyof typeof HISTORY_SPANS

/** Query of `GET /api/admin/history`. */
export interface HistoryQuery {
  readonly span: HistorySpan
  /** leaves out what is not later [Unix s] */
  readonly after?: number
}

const SPAN = "span must be 'hour' or 'day'"
const AFTER = 'after must be a whole number of seconds'

/** Schema of {@link HistoryQuery} as it stands in the URL. */
export const historyQuery: v.GenericSchema<{ span: string; after?: string }, HistoryQuery> =
  v.object({
    span: v.picklist(['hour', 'day'], SPAN),
    after: v.exactOptional(
      v.pipe(v.string(AFTER), v.regex(/^\d{1,10}$/, AFTER), v.transform(Number)),
    ),
  })

/** 200 of `GET /api/admin/history`, the oldest first; all lists are equally long. */
export interface HistoryResponse {
  /** Unix [s] */
  readonly times: readonly number[]
  readonly columns: Readonly<Record<HistoryColumn, readonly number[]>>
}

export const historyResponse: v.GenericSchema<HistoryResponse> = v.object({
  times: v.array(count),
  columns: v.object(v.entriesFromList(HISTORY_COLUMNS, v.array(real))),
})
