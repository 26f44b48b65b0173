// The fields of the interface: exact keys, types and formats. `expect(body).toEqual(shape)` also
// fails for a field too many.
import { expect } from 'vitest'

type Matcher = unknown

/** Exact keys, and what each must be. */
type Shape = Readonly<Record<string, unknown>>

export const UUID: Matcher = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)
export const TIMESTAMP: Matcher = expect.stringMatching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
)
export const JWT: Matcher = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)
/** Text that is not blank. */
export const TEXT: Matcher = expect.stringMatching(/\S/)
/** Finite, as every number in JSON. */
export const NUMBER: Matcher = expect.any(Number)
export const FLAG: Matcher = expect.any(Boolean)
export const INTEGER: Matcher = expect.toSatisfy((value) => Number.isInteger(value))
export const COUNT: Matcher = expect.toSatisfy((value) => Number.isInteger(value) && value >= 0)
export const SHARE: Matcher = expect.toSatisfy((value) => value >= 0 && value <= 1)

export const VEC3: Shape = { x: NUMBER, y: NUMBER, z: NUMBER }
export const QUATERNION: Shape = { w: NUMBER, x: NUMBER, y: NUMBER, z: NUMBER }

export const SHIP: Shape = {
  ship_id: UUID,
  name: TEXT,
  system_id: TEXT,
  ship_class: TEXT,
  position: VEC3,
  velocity: VEC3,
  reference_body: TEXT,
  relative_position: VEC3,
  relative_velocity: VEC3,
  attitude: QUATERNION,
  angular_velocity: VEC3,
  thrust_level: SHARE,
  fuel: NUMBER,
  fuel_capacity: NUMBER,
  mass: NUMBER,
  delta_v: NUMBER,
  wheel_saturation: { x: SHARE, y: SHARE, z: SHARE },
}

const NUMBER_OR_NULL: Matcher = expect.toSatisfy(
  (value) => value === null || Number.isFinite(value),
)

const ORBIT: Shape = {
  plane: 'equator',
  semi_major_axis: NUMBER,
  eccentricity: NUMBER,
  inclination: NUMBER,
  ascending_node: NUMBER_OR_NULL,
  argument_of_periapsis: NUMBER_OR_NULL,
  true_anomaly: NUMBER,
  altitude: NUMBER,
  periapsis_altitude: NUMBER,
  apoapsis_altitude: NUMBER,
  period: NUMBER,
  time_to_periapsis: NUMBER_OR_NULL,
  time_to_apoapsis: NUMBER_OR_NULL,
}

/** A ship as its pilot sees it. */
export const OWN_SHIP: Shape = {
  ...SHIP,
  maneuver: null,
  last_maneuver: null,
  docked_at: null,
  steering: { pointing: 'hold', mode: 'locked', wheel_unloading: true, burn_delta_v: null },
  orbit: ORBIT,
  mean_orbit: ORBIT,
}

export const REGISTERED: Shape = { player_id: UUID, username: TEXT, ship_id: UUID, token: JWT }

export const STATUS: Shape = {
  status: 'online',
  server_name: TEXT,
  tick: COUNT,
  game_time: TIMESTAMP,
  players_online: COUNT,
  paused: FLAG,
  time_sync_enabled: FLAG,
  time_drift_seconds: NUMBER,
  effective_time_scale: NUMBER,
  registration_open: FLAG,
  talk_enabled: FLAG,
}

export const ADMIN_STATUS: Shape = {
  current_tick: COUNT,
  tick_rate: NUMBER,
  time_scale: NUMBER,
  actual_rate: NUMBER,
  paused: FLAG,
  ticks_behind: COUNT,
  game_time: TIMESTAMP,
  energy_drift: NUMBER,
  momentum_drift: NUMBER,
  time_sync_enabled: FLAG,
  time_drift_seconds: NUMBER,
  effective_time_scale: NUMBER,
  adaptive_tick_rate: FLAG,
  registration_open: FLAG,
  talk_enabled: FLAG,
  version: TEXT,
  stopped_systems: [],
  planned: null,
}

export const PLAYER_ROW: Shape = {
  player_id: UUID,
  username: TEXT,
  ship_id: expect.stringMatching(/^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/),
  created_at: TIMESTAMP,
  online: FLAG,
}

export const ADMIN_ROW: Shape = { admin_id: UUID, username: TEXT, created_at: TIMESTAMP }

export const SYSTEM: Shape = {
  id: TEXT,
  name: TEXT,
  star_body: TEXT,
  position: VEC3,
  body_count: COUNT,
  player_count: COUNT,
}

const ON_RAILS: Shape = {
  name: TEXT,
  position: VEC3,
  velocity: VEC3,
  mass: NUMBER,
  radius: NUMBER,
  parent_body: TEXT,
}

export const STATION: Shape = { station_id: UUID, attitude: QUATERNION, ...ON_RAILS }
export const GATE: Shape = { jumpgate_id: UUID, ...ON_RAILS }

export const SNAPSHOT: Shape = {
  id: COUNT,
  tick_number: COUNT,
  game_time: TIMESTAMP,
  created_at: TIMESTAMP,
}

const orNull = (fits: (value: unknown) => boolean): Matcher =>
  expect.toSatisfy((value) => value === null || fits(value))

export const MANEUVER_EVENT: Shape = {
  id: COUNT,
  ship_id: UUID,
  maneuver_type: TEXT,
  event_type: TEXT,
  phase: TEXT,
  from_phase: orNull((value) => typeof value === 'string'),
  tick: COUNT,
  game_time: TIMESTAMP,
  element_errors: orNull((value) => value !== undefined),
  distance: orNull((value) => typeof value === 'number'),
  effectivity: orNull((value) => typeof value === 'number'),
  status_text: orNull((value) => typeof value === 'string'),
  extra: expect.toSatisfy(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
  created_at: TIMESTAMP,
}

/** Where the interface names no code. */
export const SOME_CODE: Matcher = expect.stringMatching(/^E\d{3}$/)

/** The body of every refusal. */
export function envelope(code: unknown): object {
  return { error: { code, message: TEXT } }
}
