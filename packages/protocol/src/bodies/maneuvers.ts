import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { queryInteger } from '../query.ts'
import { count, real } from '../numbers.ts'

/** Maneuver events of one answer at most. */
export const EVENTS_MAX = 500

const EVENT_TYPE_LENGTH_MAX = 64

/** Levels of the maneuver log. */
export type ManeuverLevel = 'verbose' | 'normal' | 'off'

const LEVELS = ['verbose', 'normal', 'off'] as const
const LEVEL = `level must be one of ${LEVELS.join(', ')}`

/** Body of `POST /api/admin/maneuver-logging`, and 200 of `GET` there. */
export interface ManeuverLogging {
  readonly level: ManeuverLevel
}

export const maneuverLogging: v.GenericSchema<ManeuverLogging> = v.object({
  level: v.picklist(LEVELS, LEVEL),
})

/** 200 of `POST /api/admin/maneuver-logging`. */
export interface ManeuverLoggingChanged extends ManeuverLogging {
  readonly success: true
}

export const maneuverLoggingChanged: v.GenericSchema<ManeuverLoggingChanged> = v.object({
  success: v.literal(true),
  level: v.picklist(LEVELS),
})

const MANEUVER_EVENT_TYPES = [
  'started',
  'phase_changed',
  'sample',
  'completed',
  'aborted',
  'replaced',
  'failed',
] as const

/** What happens to a ship apart from its maneuvers. */
const SHIP_EVENT_TYPES = [
  'impact',
  'frozen',
  'burn_ended',
  'docked',
  'undocked',
  'refuelled',
  'destroyed',
  'departed',
  'arrived',
  'removed',
] as const

/** Query of `GET /api/admin/maneuver-events`. */
export interface ManeuverEventsQuery {
  readonly ship_id?: Uuid
  readonly event_type?: string
  readonly limit?: number
}

const SHIP_ID = 'ship_id must be a UUID'

/** Schema of {@link ManeuverEventsQuery} as it stands in the URL. */
export const maneuverEventsQuery: v.GenericSchema<
  { ship_id?: Uuid; event_type?: string; limit?: string },
  ManeuverEventsQuery
> = v.object({
  ship_id: v.exactOptional(v.pipe(v.string(SHIP_ID), v.uuid(SHIP_ID))),
  event_type: v.exactOptional(
    v.pipe(
      v.string(),
      v.nonEmpty(),
      v.maxLength(EVENT_TYPE_LENGTH_MAX),
      v.description(`One of ${MANEUVER_EVENT_TYPES.join(', ')}; no event is of another.`),
    ),
  ),
  limit: v.exactOptional(queryInteger(1, EVENTS_MAX)),
})

/**
 * Something that happened in a ship's maneuver. `distance` [m] is that to its target, `extra` names
 * the reference body, the target and what else is known.
 */
export interface ManeuverEventEntry {
  readonly id: number
  readonly ship_id: Uuid
  readonly maneuver_type: string
  readonly event_type: string
  readonly phase: string
  readonly from_phase: string | null
  readonly tick: number
  readonly game_time: Timestamp
  readonly element_errors: unknown
  readonly distance: number | null
  readonly effectivity: number | null
  readonly status_text: string | null
  readonly extra: Readonly<Record<string, unknown>>
  readonly created_at: Timestamp
}

const entry = {
  id: count,
  ship_id: uuid,
  maneuver_type: v.string(),
  event_type: v.string(),
  phase: v.string(),
  from_phase: v.nullable(v.string()),
  tick: count,
  game_time: timestamp,
  element_errors: v.unknown(),
  distance: v.nullable(real),
  effectivity: v.nullable(real),
  status_text: v.nullable(v.string()),
  extra: v.record(v.string(), v.unknown()),
  created_at: timestamp,
}

/** 200 of `GET /api/admin/maneuver-events`, newest first. */
export interface ManeuverEventsResponse {
  readonly events: readonly ManeuverEventEntry[]
}

export const maneuverEventsResponse: v.GenericSchema<ManeuverEventsResponse> = v.object({
  events: v.array(v.object(entry)),
})

const CURSOR_LENGTH_MAX = 1000

/** Query of `GET /api/service/events`; `after` is the cursor of an earlier answer. */
export interface EventsQuery {
  readonly system?: string
  readonly after?: string
  readonly limit?: number
}

/** Schema of {@link EventsQuery} as it stands in the URL. */
export const eventsQuery: v.GenericSchema<
  { system?: string; after?: string; limit?: string },
  EventsQuery
> = v.object({
  system: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.regex(/^[\w-]{1,64}$/))),
  after: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(CURSOR_LENGTH_MAX))),
  limit: v.exactOptional(queryInteger(1, EVENTS_MAX)),
})

/**
 * An event of a maneuver, or of a ship apart from its maneuvers: then `maneuver_type` and `phase`
 * are null, and `extra` has the station or jump gate as `target_id`, and the star systems that the
 * ship passes between.
 */
export interface StreamedEventEntry extends Omit<ManeuverEventEntry, 'maneuver_type' | 'phase'> {
  readonly system: string
  readonly maneuver_type: string | null
  readonly phase: string | null
}

const streamedEntry = v.object({
  ...entry,
  system: v.string(),
  maneuver_type: v.nullable(v.string()),
  event_type: v.pipe(
    v.string(),
    v.description(
      `One of ${MANEUVER_EVENT_TYPES.join(', ')}; of a ship ${SHIP_EVENT_TYPES.join(', ')}.`,
    ),
  ),
  phase: v.nullable(v.string()),
})

/** 200 of `GET /api/service/events`, oldest first; with `cursor` the next request goes on. */
export interface EventsResponse {
  readonly events: readonly StreamedEventEntry[]
  readonly cursor: string
}

export const eventsResponse: v.GenericSchema<EventsResponse> = v.object({
  events: v.array(streamedEntry),
  cursor: v.string(),
})

/** Query of `GET /api/admin/maneuver-debug`. */
export interface ManeuverDebugQuery {
  readonly ship_id: Uuid
}

export const maneuverDebugQuery: v.GenericSchema<ManeuverDebugQuery> = v.object({
  ship_id: v.pipe(v.string(SHIP_ID), v.uuid(SHIP_ID)),
})

/** Body of `POST /api/admin/maneuver-debug`. */
export interface ManeuverDebugRequest {
  readonly ship_id: Uuid
  readonly enabled: boolean
}

export const maneuverDebugRequest: v.GenericSchema<ManeuverDebugRequest> = v.object({
  ship_id: v.pipe(v.string(SHIP_ID), v.uuid(SHIP_ID)),
  enabled: v.boolean('enabled must be true or false'),
})

/** 200 of `GET /api/admin/maneuver-debug`. */
export interface ManeuverDebug {
  readonly ship_id: Uuid
  readonly debug: boolean
}

export const maneuverDebug: v.GenericSchema<ManeuverDebug> = v.object({
  ship_id: uuid,
  debug: v.boolean(),
})

/** 200 of `POST /api/admin/maneuver-debug`. */
export interface ManeuverDebugChanged extends ManeuverDebug {
  readonly success: true
}

export const maneuverDebugChanged: v.GenericSchema<ManeuverDebugChanged> = v.object({
  success: v.literal(true),
  ship_id: uuid,
  debug: v.boolean(),
})
