import type { LagrangeNumber } from '@orrery/sim'
import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { type Vec3, vec3 } from '../vector.ts'
import { count, real } from '../numbers.ts'
import { queryInteger } from '../query.ts'

const realOrNull: v.GenericSchema<number | null> = v.nullable(real)

/**
 * How true the places of a body are: the largest distance from JPL's place [m], relative to the
 * parent, of the root from the barycentre, as measured between two dates.
 */
export interface AccuracyState {
  readonly position_error: number
  readonly from: string
  readonly until: string
}

const date: v.GenericSchema<string> = v.pipe(v.string(), v.isoDate())

const accuracy: v.GenericSchema<AccuracyState | null> = v.nullable(
  v.object({ position_error: real, from: date, until: date }),
)

/**
 * A massive body: gravitational parameter [m³/s²], mean radius [m]. Ships begin to refer to it
 * within 0.9, and cease beyond 1.1 of its sphere of influence [m], which the root has none of. A
 * pole (unit vector, ICRF axes) and zonal terms with their reference radius [m] are null for a body
 * that pulls as a point mass; `j4` also where it is not used. `accuracy` is null where no reference
 * has its places, as beyond Sol.
 */
export interface BodyEntry {
  readonly name: string
  readonly kind: 'star' | 'planet' | 'minor_planet' | 'moon'
  readonly parent_body: string | null
  readonly gm: number
  readonly radius: number
  readonly sphere_of_influence: number | null
  readonly pole: Vec3 | null
  readonly reference_radius: number | null
  readonly j2: number | null
  readonly j4: number | null
  readonly accuracy: AccuracyState | null
}

/**
 * Where a station runs: on a circular equatorial orbit of `parent_body` with a radius [m], or at a
 * Lagrange point of it and `secondary_body`; what does not apply is null. Mass [kg], radius [m].
 */
export interface StationPlace {
  readonly station_id: Uuid
  readonly name: string
  readonly parent_body: string
  readonly orbit_radius: number | null
  readonly secondary_body: string | null
  readonly lagrange_point: LagrangeNumber | null
  readonly mass: number
  readonly radius: number
}

/** The Lagrange point of a jump gate, and where it leads or null; mass [kg], radius [m]. */
export interface JumpgatePlace {
  readonly jumpgate_id: Uuid
  readonly name: string
  readonly parent_body: string
  readonly secondary_body: string
  readonly lagrange_point: LagrangeNumber
  readonly paired_jumpgate_id: Uuid | null
  readonly mass: number
  readonly radius: number
}

/**
 * 200 of `GET /api/systems/{system_id}`: what does not move. `position` [m] is galactic;
 * `home_body` is the one that ships arrive at.
 */
export interface SystemResponse {
  readonly id: string
  readonly name: string
  readonly star_body: string
  readonly home_body: string
  readonly position: Vec3
  readonly bodies: readonly BodyEntry[]
  readonly stations: readonly StationPlace[]
  readonly jumpgates: readonly JumpgatePlace[]
}

const lagrangeNumber: v.GenericSchema<LagrangeNumber> = v.picklist([1, 2, 3, 4, 5])

const object = { name: v.string(), parent_body: v.string(), mass: real, radius: real }

export const systemResponse: v.GenericSchema<SystemResponse> = v.object({
  id: v.string(),
  name: v.string(),
  star_body: v.string(),
  home_body: v.string(),
  position: vec3,
  bodies: v.array(
    v.object({
      name: v.string(),
      kind: v.picklist(['star', 'planet', 'minor_planet', 'moon']),
      parent_body: v.nullable(v.string()),
      gm: real,
      radius: real,
      sphere_of_influence: realOrNull,
      pole: v.nullable(vec3),
      reference_radius: realOrNull,
      j2: realOrNull,
      j4: realOrNull,
      accuracy,
    }),
  ),
  stations: v.array(
    v.object({
      station_id: uuid,
      ...object,
      orbit_radius: realOrNull,
      secondary_body: v.nullable(v.string()),
      lagrange_point: v.nullable(lagrangeNumber),
    }),
  ),
  jumpgates: v.array(
    v.object({
      jumpgate_id: uuid,
      ...object,
      secondary_body: v.string(),
      lagrange_point: lagrangeNumber,
      paired_jumpgate_id: v.nullable(uuid),
    }),
  ),
})

const queryMoment = v.exactOptional(
  v.pipe(v.string(), v.isoTimestamp('must be an ISO 8601 timestamp')),
)

/** Schema of the query of `GET /api/systems/{system_id}/bodies`; game time now without `at`. */
export const bodiesQuery: v.GenericSchema<{ readonly at?: Timestamp }> = v.object({
  at: queryMoment,
})

/**
 * Where a body is: `position` [m] and `velocity` [m/s] from the system's barycentre, the relative
 * ones from its parent, of the root from the barycentre; ICRF axes. `accuracy` as in the star
 * system.
 */
export interface BodyState {
  readonly name: string
  readonly parent_body: string | null
  readonly position: Vec3
  readonly velocity: Vec3
  readonly relative_position: Vec3
  readonly relative_velocity: Vec3
  readonly accuracy: AccuracyState | null
}

/**
 * 200 of `GET /api/systems/{system_id}/bodies`: all bodies at `game_time`; `from` and `until` are
 * the first and last instant that can be asked for now.
 */
export interface BodiesResponse {
  readonly game_time: Timestamp
  readonly from: Timestamp
  readonly until: Timestamp
  readonly bodies: readonly BodyState[]
}

export const bodyState: v.GenericSchema<BodyState> = v.object({
  name: v.string(),
  parent_body: v.nullable(v.string()),
  position: vec3,
  velocity: vec3,
  relative_position: vec3,
  relative_velocity: vec3,
  accuracy,
})

export const bodiesResponse: v.GenericSchema<BodiesResponse> = v.object({
  game_time: timestamp,
  from: timestamp,
  until: timestamp,
  bodies: v.array(bodyState),
})

/** Seconds of an ephemeris in one answer. */
const EPHEMERIS_SECONDS_MAX = 3600

/** Query of `GET /api/systems/{system_id}/ephemeris`: from where, by default now, how long [s]. */
export interface EphemerisQuery {
  readonly index?: number
  readonly seconds?: number
}

/** Schema of {@link EphemerisQuery}, from the texts of a URL. */
export const ephemerisQuery: v.GenericSchema<unknown, EphemerisQuery> = v.object({
  index: v.exactOptional(queryInteger(0, 1e12)),
  seconds: v.exactOptional(queryInteger(0, EPHEMERIS_SECONDS_MAX)),
})

/**
 * 200 of `GET /api/systems/{system_id}/ephemeris`: all bodies at lattice index `index`, and every
 * `interval` quanta from there on. A state is position [m], velocity [m/s] and acceleration [m/s²]
 * from the parent, of the root from the barycentre, on ICRF axes: nine numbers. Between two states
 * a body is on the quintic through both.
 */
export interface EphemerisResponse {
  readonly index: number
  readonly interval: number
  readonly bodies: readonly {
    readonly name: string
    readonly parent_body: string | null
    readonly states: readonly (readonly number[])[]
  }[]
}

export const ephemerisResponse: v.GenericSchema<EphemerisResponse> = v.object({
  index: v.pipe(v.number(), v.safeInteger()),
  interval: count,
  bodies: v.array(
    v.object({
      name: v.string(),
      parent_body: v.nullable(v.string()),
      states: v.array(v.pipe(v.array(real), v.length(9))),
    }),
  ),
})

/** Checkpoints in one answer, a year of them and what is around it. */
const CHECKPOINTS_MAX = 18

/** Query of `GET /api/systems/{system_id}/checkpoints`: from when, by default now, how many. */
export interface CheckpointsQuery {
  readonly at?: Timestamp
  readonly count?: number
}

/** Schema of {@link CheckpointsQuery}, from the texts of a URL. */
export const checkpointsQuery: v.GenericSchema<unknown, CheckpointsQuery> = v.object({
  at: queryMoment,
  count: v.exactOptional(queryInteger(1, CHECKPOINTS_MAX)),
})

/**
 * 200 of `GET /api/systems/{system_id}/checkpoints`: all bodies at lattice index `index`, and every
 * `interval` quanta from there on: position [m] and velocity [m/s] from the parent, of the root
 * from the barycentre, on ICRF axes. `from` and `until` are the first and last instant that can be
 * asked for. In between, who integrates from one state reaches the next.
 */
export interface CheckpointsResponse {
  readonly from: Timestamp
  readonly until: Timestamp
  readonly index: number
  readonly interval: number
  readonly bodies: readonly {
    readonly name: string
    readonly parent_body: string | null
    readonly state_vectors: readonly (readonly number[])[]
  }[]
}

export const checkpointsResponse: v.GenericSchema<CheckpointsResponse> = v.object({
  from: timestamp,
  until: timestamp,
  index: v.pipe(v.number(), v.safeInteger()),
  interval: count,
  bodies: v.array(
    v.object({
      name: v.string(),
      parent_body: v.nullable(v.string()),
      state_vectors: v.array(v.pipe(v.array(real), v.length(6))),
    }),
  ),
})
