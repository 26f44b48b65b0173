import { type Departure, departureFields } from './departure.ts'
import * as v from 'valibot'
import { type ActingIndex, actingIndex } from './acting-index.ts'
import { type MessageId, type Timestamp, type Uuid } from '../identifiers.ts'
import { messageId, timestamp, uuid } from '../identifiers.ts'

export const JUMPGATE = 'jumpgate_id must be a UUID'
export const STATION = 'station_id must be a UUID'

/** Takes the sender's ship through the jump gate beside it. */
export interface JumpMessage {
  readonly type: 'jump'
  readonly id?: MessageId
  readonly jumpgate_id: Uuid
}

export const jumpMessage: v.GenericSchema<JumpMessage> = v.object({
  type: v.literal('jump'),
  id: v.exactOptional(messageId),
  jumpgate_id: uuid,
})

/** Body of `POST /api/player/jump`; it is answered like a transfer. */
export interface JumpRequest {
  readonly jumpgate_id: Uuid
}

export const jumpRequest: v.GenericSchema<JumpRequest> = v.object({
  jumpgate_id: v.pipe(v.string(JUMPGATE), v.uuid(JUMPGATE)),
})

/** Takes the sender's ship to a station of its system, and docks it there. */
export interface DockMessage extends Departure, ActingIndex {
  readonly type: 'dock'
  readonly id?: MessageId
  readonly station_id: Uuid
}

export const dockMessage: v.GenericSchema<DockMessage> = v.object({
  type: v.literal('dock'),
  id: v.exactOptional(messageId),
  at: v.exactOptional(actingIndex),
  station_id: uuid,
  ...departureFields,
})

/** Releases the sender's docked ship. */
export interface UndockMessage extends ActingIndex {
  readonly type: 'undock'
  readonly id?: MessageId
}

export const undockMessage: v.GenericSchema<UndockMessage> = v.object({
  type: v.literal('undock'),
  id: v.exactOptional(messageId),
  at: v.exactOptional(actingIndex),
})

/** Body of `POST /api/player/dock`. */
export interface DockRequest extends Departure {
  readonly station_id: Uuid
}

export const dockRequest: v.GenericSchema<DockRequest> = v.object({
  station_id: v.pipe(v.string(STATION), v.uuid(STATION)),
  ...departureFields,
})

/** 200 of `POST /api/player/dock` and `POST /api/player/undock`: it acts at `game_time`. */
export interface DockingResponse {
  readonly success: true
  readonly game_time: Timestamp
}

export const dockingResponse: v.GenericSchema<DockingResponse> = v.object({
  success: v.literal(true),
  game_time: timestamp,
})
