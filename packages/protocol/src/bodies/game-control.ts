import * as v from 'valibot'
import { ERRORS } from '../errors.ts'
import { type Timestamp, timestamp } from '../identifiers.ts'
import { count, positive, real } from '../numbers.ts'

/** Least and greatest tick rate [Hz]. */
const TICK_RATE_HZ_MIN = 0.1
const TICK_RATE_HZ_MAX = 100

/** Least and greatest time scale [game seconds per real second]. */
const TIME_SCALE_MIN = 0.1
const TIME_SCALE_MAX = 100

function range(min: number, max: number, message: string): v.GenericSchema<number> {
  return v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message))
}

/** @param message  for what it must be */
export function timeScale(message: string): v.GenericSchema<number> {
  return range(TIME_SCALE_MIN, TIME_SCALE_MAX, message)
}

/** Of an answer to a change of the clock. */
const planned = { effective_at_index: v.exactOptional(count) }

/** Body of `PUT /api/admin/game/tick-rate` [Hz]. */
export interface TickRateRequest {
  readonly tick_rate: number
}

export const tickRateRequest: v.GenericSchema<TickRateRequest> = v.object({
  tick_rate: range(TICK_RATE_HZ_MIN, TICK_RATE_HZ_MAX, ERRORS.E015.meaning),
})

/** Body of `PUT /api/admin/game/time-scale` [game seconds per real second]. */
export interface TimeScaleRequest {
  readonly time_scale: number
}

export const timeScaleRequest: v.GenericSchema<TimeScaleRequest> = v.object({
  time_scale: timeScale(ERRORS.E029.meaning),
})

const GAME_TIME = 'game_time must be a time such as 2026-03-01T12:00:00Z'

/** Body of `PUT /api/admin/game/clock`. */
export interface ClockRequest {
  /** later than game time is, by a year at most */
  readonly game_time: Timestamp
}

export const clockRequest: v.GenericSchema<ClockRequest> = v.object({
  game_time: v.pipe(v.string(GAME_TIME), v.isoTimestamp(GAME_TIME)),
})

/** 200 of `PUT /api/admin/game/clock`: game time hurries to the new one. */
export interface ClockResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly previous_game_time: Timestamp
  readonly game_time: Timestamp
}

export const clockResponse: v.GenericSchema<ClockResponse> = v.object({
  previous_game_time: timestamp,
  game_time: timestamp,
  ...planned,
})

/** 200 of `DELETE /api/admin/game/clock`: game time does not hurry. */
export interface ClockStoppedResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly game_time: Timestamp
  /** where it hurried to; null when it did not */
  readonly previous_goal: Timestamp | null
}

export const clockStoppedResponse: v.GenericSchema<ClockStoppedResponse> = v.object({
  game_time: timestamp,
  previous_goal: v.nullable(timestamp),
  ...planned,
})

/** Body of the routes that switch time sync, the adaptive tick rate and talk. */
export interface EnabledRequest {
  readonly enabled: boolean
}

export const enabledRequest: v.GenericSchema<EnabledRequest> = v.object({
  enabled: v.boolean('enabled must be true or false'),
})

/** Body of `POST /api/admin/registrations`. */
export interface OpenRequest {
  readonly open: boolean
}

export const openRequest: v.GenericSchema<OpenRequest> = v.object({
  open: v.boolean('open must be true or false'),
})

/** 200 of `GET /api/status`. */
export interface StatusResponse {
  readonly status: 'online'
  readonly server_name: string
  readonly tick: number
  readonly game_time: Timestamp
  readonly players_online: number
  readonly paused: boolean
  readonly time_sync_enabled: boolean
  readonly time_drift_seconds: number
  readonly effective_time_scale: number
  readonly registration_open: boolean
  readonly talk_enabled: boolean
}

export const statusResponse: v.GenericSchema<StatusResponse> = v.object({
  status: v.literal('online'),
  server_name: v.string(),
  tick: count,
  game_time: timestamp,
  players_online: count,
  paused: v.boolean(),
  time_sync_enabled: v.boolean(),
  time_drift_seconds: real,
  effective_time_scale: real,
  registration_open: v.boolean(),
  talk_enabled: v.boolean(),
})

/** 200 of `GET /api/admin/status`; the drifts are relative, dE/E0 and dL/L0. */
export interface AdminStatusResponse {
  readonly current_tick: number
  readonly tick_rate: number
  readonly time_scale: number
  readonly actual_rate: number
  readonly paused: boolean
  readonly ticks_behind: number
  readonly game_time: Timestamp
  readonly energy_drift: number
  readonly momentum_drift: number
  readonly time_sync_enabled: boolean
  readonly time_drift_seconds: number
  readonly effective_time_scale: number
  readonly adaptive_tick_rate: boolean
  readonly registration_open: boolean
  readonly talk_enabled: boolean
  /** of the server */
  readonly version: string
  /** that take no commands until a restart, and why */
  readonly stopped_systems: readonly { readonly system_id: string; readonly reason: string }[]
  /** the change of the clock that acts next, on all hosts; null while none waits */
  readonly planned: {
    readonly effective_at_index: number
    readonly game_time: Timestamp
    readonly paused: boolean
    readonly tick_rate: number
    readonly time_scale: number
  } | null
}

export const adminStatusResponse: v.GenericSchema<AdminStatusResponse> = v.object({
  current_tick: count,
  tick_rate: real,
  time_scale: real,
  actual_rate: real,
  paused: v.boolean(),
  ticks_behind: count,
  game_time: timestamp,
  energy_drift: real,
  momentum_drift: real,
  time_sync_enabled: v.boolean(),
  time_drift_seconds: real,
  effective_time_scale: real,
  adaptive_tick_rate: v.boolean(),
  registration_open: v.boolean(),
  talk_enabled: v.boolean(),
  version: v.string(),
  stopped_systems: v.array(v.object({ system_id: v.string(), reason: v.string() })),
  planned: v.nullable(
    v.object({
      effective_at_index: count,
      game_time: timestamp,
      paused: v.boolean(),
      tick_rate: real,
      time_scale: real,
    }),
  ),
})

/** 200 of `POST /api/admin/game/pause`; the tick is the last completed one. */
export interface PauseResponse {
  readonly paused: true
  readonly paused_at_tick: number
  /** lattice index at which it acted on all hosts, where several fly */
  readonly effective_at_index?: number
}

export const pauseResponse: v.GenericSchema<PauseResponse> = v.object({
  paused: v.literal(true),
  paused_at_tick: count,
  ...planned,
})

/** 200 of `POST /api/admin/game/resume`; the tick is the last completed one. */
export interface ResumeResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly paused: false
  readonly resumed_at_tick: number
}

export const resumeResponse: v.GenericSchema<ResumeResponse> = v.object({
  paused: v.literal(false),
  resumed_at_tick: count,
  ...planned,
})

/** 200 of `PUT /api/admin/game/tick-rate` [Hz]. */
export interface TickRateResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly previous_rate: number
  readonly new_rate: number
}

export const tickRateResponse: v.GenericSchema<TickRateResponse> = v.object({
  previous_rate: real,
  new_rate: real,
  ...planned,
})

/** 200 of `PUT /api/admin/game/time-scale` [game seconds per real second]. */
export interface TimeScaleResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly previous_scale: number
  readonly new_scale: number
}

export const timeScaleResponse: v.GenericSchema<TimeScaleResponse> = v.object({
  previous_scale: real,
  new_scale: real,
  ...planned,
})

/** 200 of `GET /api/admin/registrations`. */
export interface OpenResponse {
  readonly registration_open: boolean
}

export const openResponse: v.GenericSchema<OpenResponse> = v.object({
  registration_open: v.boolean(),
})

/** 200 of the routes that open or close registration. */
export interface OpenedResponse {
  readonly success: true
  readonly registration_open: boolean
}

export const openedResponse: v.GenericSchema<OpenedResponse> = v.object({
  success: v.literal(true),
  registration_open: v.boolean(),
})

/** 200 of `POST /api/admin/talk`. */
export interface TalkResponse {
  readonly success: true
  readonly talk_enabled: boolean
}

export const talkResponse: v.GenericSchema<TalkResponse> = v.object({
  success: v.literal(true),
  talk_enabled: v.boolean(),
})

/** 200 of `POST /api/admin/game/time-sync`. */
export interface TimeSyncResponse {
  readonly success: true
  readonly previous: boolean
  readonly current: boolean
}

export const timeSyncResponse: v.GenericSchema<TimeSyncResponse> = v.object({
  success: v.literal(true),
  previous: v.boolean(),
  current: v.boolean(),
})

/** 200 of `POST /api/admin/game/adaptive-tick-rate`. */
export interface AdaptiveTickRateResponse extends Pick<PauseResponse, 'effective_at_index'> {
  readonly success: true
  readonly adaptive_tick_rate: boolean
}

export const adaptiveTickRateResponse: v.GenericSchema<AdaptiveTickRateResponse> = v.object({
  success: v.literal(true),
  adaptive_tick_rate: v.boolean(),
  ...planned,
})

/** Body of `PUT /api/admin/game/pace-vote`: what pilots may vote for [game seconds per second]. */
export interface PaceVoteRequest {
  readonly lowest: number
  /** not under the lowest */
  readonly highest: number
}

export const paceVoteRequest: v.GenericSchema<PaceVoteRequest> = v.pipe(
  v.object({
    lowest: timeScale('lowest must be a number from 0.1 to 100'),
    highest: timeScale('highest must be a number from 0.1 to 100'),
  }),
  v.check(({ lowest, highest }) => lowest <= highest, 'highest must not be under lowest'),
)

/** 200 of the routes of the vote: what pilots may vote for, and what they vote for now. */
export interface PaceVoteResponse {
  /** [game seconds per second]; null where the vote is off */
  readonly lowest: number | null
  readonly highest: number | null
  /** connected pilots; 0 where the vote is off */
  readonly voters: number
  /** how many of them have a vote within the bounds */
  readonly votes: number
  /** that the vote sets [game seconds per second]; null where the operator's time scale counts */
  readonly pace: number | null
}

export const paceVoteFields: {
  readonly [Name in keyof PaceVoteResponse]: v.GenericSchema<PaceVoteResponse[Name]>
} = {
  lowest: v.nullable(positive),
  highest: v.nullable(positive),
  voters: count,
  votes: count,
  pace: v.nullable(positive),
}

export const paceVoteResponse: v.GenericSchema<PaceVoteResponse> = v.object(paceVoteFields)
