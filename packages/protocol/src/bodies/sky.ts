/** What guests see of a star system beside its bodies. */
import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { real } from '../numbers.ts'
import type { ShipState } from '../ship.ts'
import { type Vec3, quaternion, vec3 } from '../vector.ts'

const NEAR_CHARACTERS_MAX = 64

/** Query of `GET /api/systems/{system_id}/sky`: a body by its name, or what else by its id. */
export interface SkyQuery {
  readonly near?: string
}

const near = 'must be the name of a body, or the id of a ship, station or jump gate'

export const skyQuery: v.GenericSchema<SkyQuery> = v.object({
  near: v.exactOptional(v.pipe(v.string(near), v.maxLength(NEAR_CHARACTERS_MAX, near))),
})

/** A ship whose player lets guests see it. */
export type SeenShip = Pick<
  ShipState,
  | 'ship_id'
  | 'name'
  | 'ship_class'
  | 'reference_body'
  | 'relative_position'
  | 'relative_velocity'
  | 'attitude'
  | 'thrust_level'
>

/** A station or a jump gate, from the centre of its parent; radius [m]. */
export interface SeenObject {
  readonly kind: 'station' | 'jumpgate'
  readonly object_id: Uuid
  readonly name: string
  readonly parent_body: string
  readonly relative_position: Vec3
  readonly relative_velocity: Vec3
  readonly radius: number
}

/** 200 of `GET /api/systems/{system_id}/sky`: what is there, the nearest ships first. */
export interface SkyResponse {
  readonly game_time: Timestamp
  readonly objects: readonly SeenObject[]
  readonly ships: readonly SeenShip[]
}

export const skyResponse: v.GenericSchema<SkyResponse> = v.object({
  game_time: timestamp,
  objects: v.array(
    v.object({
      kind: v.picklist(['station', 'jumpgate']),
      object_id: uuid,
      name: v.string(),
      parent_body: v.string(),
      relative_position: vec3,
      relative_velocity: vec3,
      radius: real,
    }),
  ),
  ships: v.array(
    v.object({
      ship_id: uuid,
      name: v.string(),
      ship_class: v.string(),
      reference_body: v.string(),
      relative_position: vec3,
      relative_velocity: vec3,
      attitude: quaternion,
      thrust_level: real,
    }),
  ),
})
