import type { LagrangeNumber } from '@orrery/sim'
import * as v from 'valibot'
import { displayName } from '../display-name.ts'
import { type Uuid, uuid } from '../identifiers.ts'
import { type Quaternion, type Vec3, quaternion, vec3 } from '../vector.ts'
import { count, real } from '../numbers.ts'

/** A star system; `position` [m] from the solar system's barycentre, ICRF axes. */
export interface SystemEntry {
  readonly id: string
  readonly name: string
  readonly star_body: string
  readonly position: Vec3
  readonly body_count: number
  /** ships in it */
  readonly player_count: number
}

/** 200 of `GET /api/admin/systems`. */
export interface SystemsResponse {
  readonly systems: readonly SystemEntry[]
}

export const systemsResponse: v.GenericSchema<SystemsResponse> = v.object({
  systems: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      star_body: v.string(),
      position: vec3,
      body_count: count,
      player_count: count,
    }),
  ),
})

/** Body of `POST /api/admin/ship/{ship_id}/system`. */
export interface TransferRequest {
  readonly system_id: string
}

export const transferRequest: v.GenericSchema<TransferRequest> = v.object({
  system_id: v.string('system_id must be the id of a star system'),
})

/** 200 of `POST /api/admin/ship/{ship_id}/system`; the systems by their ids. */
export interface TransferResponse {
  readonly success: true
  readonly previous_system: string
  readonly new_system: string
}

export const transferResponse: v.GenericSchema<TransferResponse> = v.object({
  success: v.literal(true),
  previous_system: v.string(),
  new_system: v.string(),
})

/** 200 of `GET /api/pilots`: players online, and 1,000 of their ships at most. */
export interface PilotsResponse {
  readonly players_online: number
  readonly pilots: readonly {
    readonly ship_id: Uuid
    readonly name: string
    readonly system_id: string
  }[]
}

export const pilotsResponse: v.GenericSchema<PilotsResponse> = v.object({
  players_online: count,
  pilots: v.array(v.object({ ship_id: uuid, name: v.string(), system_id: v.string() })),
})

const NAME_CHARACTERS_MAX = 64

const objectName = displayName(
  1,
  NAME_CHARACTERS_MAX,
  'name must be 1-64 characters, not all invisible, none a control or bidirectional',
)

/** The name of a celestial body as people type it: nothing is known yet about the body. */
function bodyName(field: string): v.GenericSchema<string> {
  return displayName(1, NAME_CHARACTERS_MAX, `${field} must be the name of a celestial body`)
}

const lagrangeNumber: v.GenericSchema<LagrangeNumber> = v.picklist(
  [1, 2, 3, 4, 5],
  'lagrange_point must be an integer from 1 to 5',
)

/** The point of a jump gate when none is named. */
const LAGRANGE_DEFAULT = 4

/**
 * Body of `POST /api/admin/station`: on an equatorial orbit of `parent_body`, `altitude` [m] above
 * its mean radius, or at a Lagrange point of `parent_body` and `secondary_body`.
 */
export interface StationRequest {
  readonly name: string
  readonly parent_body: string
  readonly altitude?: number
  readonly secondary_body?: string
  readonly lagrange_point?: LagrangeNumber
}

/** Schema of {@link StationRequest}; exactly one of the two ways must be there, and whole. */
export const stationRequest: v.GenericSchema<StationRequest> = v.pipe(
  v.object({
    name: objectName,
    parent_body: bodyName('parent_body'),
    altitude: v.exactOptional(
      v.pipe(v.number('altitude must be a number of metres'), v.finite('altitude must be finite')),
    ),
    secondary_body: v.exactOptional(bodyName('secondary_body')),
    lagrange_point: v.exactOptional(lagrangeNumber),
  }),
  v.check(({ altitude, secondary_body: secondary, lagrange_point: point }) => {
    const atPoint = secondary !== undefined && point !== undefined
    const nearPoint = secondary !== undefined || point !== undefined
    return altitude === undefined ? atPoint : !nearPoint
  }, 'Either altitude or both secondary_body and lagrange_point are needed'),
)

const PAIRED = 'paired_jumpgate_id must be a UUID'

/** Body of `POST /api/admin/jumpgate`. */
export interface JumpgateRequest {
  readonly name: string
  readonly primary_body: string
  readonly secondary_body: string
  readonly lagrange_point?: LagrangeNumber
  /** a gate of another star system; each of the two leads to the other */
  readonly paired_jumpgate_id?: Uuid
}

/** Schema of {@link JumpgateRequest}; the point is 4 when none is named. */
export const jumpgateRequest: v.GenericSchema<
  JumpgateRequest,
  JumpgateRequest & Required<Pick<JumpgateRequest, 'lagrange_point'>>
> = v.object({
  name: objectName,
  primary_body: bodyName('primary_body'),
  secondary_body: bodyName('secondary_body'),
  lagrange_point: v.exactOptional(lagrangeNumber, LAGRANGE_DEFAULT),
  paired_jumpgate_id: v.exactOptional(v.pipe(v.string(PAIRED), v.uuid(PAIRED))),
})

/**
 * A jump gate: position [m] and velocity [m/s] from its system's barycentre, ICRF axes; mass [kg],
 * radius [m]. `parent_body` is the primary of the pair at whose Lagrange point it is;
 * `paired_jumpgate_id` null where it leads nowhere.
 */
export interface JumpgateEntry {
  readonly jumpgate_id: Uuid
  readonly name: string
  readonly position: Vec3
  readonly velocity: Vec3
  readonly mass: number
  readonly radius: number
  readonly parent_body: string
  readonly paired_jumpgate_id: Uuid | null
}

/** A station, likewise; `attitude` rotates body axes to inertial axes. */
export interface StationEntry {
  readonly station_id: Uuid
  readonly name: string
  readonly position: Vec3
  readonly velocity: Vec3
  readonly attitude: Quaternion
  readonly mass: number
  readonly radius: number
  readonly parent_body: string
}

export const stationEntry: v.GenericSchema<StationEntry> = v.object({
  station_id: uuid,
  name: v.string(),
  position: vec3,
  velocity: vec3,
  attitude: quaternion,
  mass: real,
  radius: real,
  parent_body: v.string(),
})

const jumpgateEntry: v.GenericSchema<JumpgateEntry> = v.object({
  jumpgate_id: uuid,
  name: v.string(),
  position: vec3,
  velocity: vec3,
  mass: real,
  radius: real,
  parent_body: v.string(),
  paired_jumpgate_id: v.nullable(uuid),
})

/** 200 of `POST /api/admin/station`. */
export interface StationResponse {
  readonly success: true
  readonly station_id: Uuid
  readonly station: StationEntry
}

export const stationResponse: v.GenericSchema<StationResponse> = v.object({
  success: v.literal(true),
  station_id: uuid,
  station: stationEntry,
})

/** 200 of `GET /api/admin/stations`, oldest first. */
export interface StationsResponse {
  readonly stations: readonly StationEntry[]
}

export const stationsResponse: v.GenericSchema<StationsResponse> = v.object({
  stations: v.array(stationEntry),
})

/** 200 of `POST /api/admin/jumpgate`. */
export interface JumpgateResponse {
  readonly success: true
  readonly jumpgate_id: Uuid
  readonly jumpgate: JumpgateEntry
}

export const jumpgateResponse: v.GenericSchema<JumpgateResponse> = v.object({
  success: v.literal(true),
  jumpgate_id: uuid,
  jumpgate: jumpgateEntry,
})

/** 200 of `GET /api/admin/jumpgates`, oldest first. */
export interface JumpgatesResponse {
  readonly jumpgates: readonly JumpgateEntry[]
}

export const jumpgatesResponse: v.GenericSchema<JumpgatesResponse> = v.object({
  jumpgates: v.array(jumpgateEntry),
})
