/** A past moment of a star system, flown again beside the running game. */
import * as v from 'valibot'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'
import { count } from '../numbers.ts'
import { type ShipState, shipState } from '../ship.ts'
import { type BodyState, bodyState } from './star-systems.ts'
import { type StationEntry, stationEntry } from './world-objects.ts'

const moment = v.pipe(
  v.string('must be an ISO 8601 timestamp'),
  v.isoTimestamp('must be an ISO 8601 timestamp'),
)

/** Body of `POST /api/past`: the star system, and the game time to look back to. */
export interface PastRequest {
  readonly system_id: string
  readonly at: Timestamp
}

export const pastRequest: v.GenericSchema<PastRequest> = v.object({
  system_id: v.string(),
  at: moment,
})

/**
 * Answer of `POST /api/past` and `GET /api/past/{past_id}`: how far the flight has come (`at`), and
 * between which game times it can be; digests that were compared with the recorded ones, and how
 * many are equal. `reason` is there when it has failed.
 */
export interface PastResponse {
  readonly past_id: Uuid
  readonly system_id: string
  readonly state: 'flying' | 'ready' | 'failed'
  readonly reason?: string
  readonly at: Timestamp
  readonly from: Timestamp
  readonly to: Timestamp
  readonly digests: { readonly compared: number; readonly equal: number }
}

const digests: v.GenericSchema<PastResponse['digests']> = v.object({
  compared: count,
  equal: count,
})

export const pastResponse: v.GenericSchema<PastResponse> = v.object({
  past_id: uuid,
  system_id: v.string(),
  state: v.picklist(['flying', 'ready', 'failed']),
  reason: v.exactOptional(v.string()),
  at: timestamp,
  from: timestamp,
  to: timestamp,
  digests,
})

/** Query of `GET /api/past/{past_id}/sky`. */
export interface PastSkyQuery {
  readonly at: Timestamp
}

export const pastSkyQuery: v.GenericSchema<PastSkyQuery> = v.object({ at: moment })

/** 200 of `GET /api/past/{past_id}/sky`: what was in the star system at `game_time`. */
export interface PastSkyResponse {
  readonly game_time: Timestamp
  readonly digests: PastResponse['digests']
  readonly bodies: readonly BodyState[]
  readonly stations: readonly StationEntry[]
  readonly ships: readonly ShipState[]
}

export const pastSkyResponse: v.GenericSchema<PastSkyResponse> = v.object({
  game_time: timestamp,
  digests,
  bodies: v.array(bodyState),
  stations: v.array(stationEntry),
  ships: v.array(shipState),
})
