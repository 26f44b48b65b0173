import { EVENT_KINDS, type EventKind, PHASES, type Phase, REASONS, type Reason } from '@orrery/sim'
import * as v from 'valibot'
import { type ControlMessage, controlMessage } from './control.ts'
import {
  type MessageId,
  type Timestamp,
  type Uuid,
  messageId,
  timestamp,
  uuid,
} from '../identifiers.ts'
import {
  type ManeuverAbortMessage,
  type ManeuverStartMessage,
  maneuverAbortMessage,
  maneuverStartMessage,
} from './maneuver-messages.ts'
import { messageVariant } from './message-variant.ts'
import { type DockMessage, type UndockMessage, dockMessage, undockMessage } from './visits.ts'
import { count, real } from '../numbers.ts'

/** How far ahead a prediction may reach: 14 days. */
export const HOURS_MAX = 336

/** Orders that it may suppose. */
export const ORDERS_MAX = 16

/** An order as if it were given `after` so many seconds, 0 when left out. */
export interface SupposedOrder {
  readonly after?: number
  readonly order:
    | ControlMessage
    | ManeuverStartMessage
    | ManeuverAbortMessage
    | DockMessage
    | UndockMessage
}

/**
 * Body of `POST /api/player/predict`: the trajectory of one's own ship for the next hours, under
 * its maneuver and the orders that wait, and those supposed here. Of one target
 * every closest approach is marked. With `to_end` it flies on, without states, apsides and
 * approaches, until the maneuver under way then has ended; that can take a minute or two.
 */
export interface PredictionRequest {
  readonly hours: number
  readonly to_end?: boolean
  readonly orders?: readonly SupposedOrder[]
  readonly target_body?: string
  readonly target_ship_id?: Uuid
  readonly target_station_id?: Uuid
  readonly target_jumpgate_id?: Uuid
}

/** The same on a socket. */
export interface PredictMessage extends PredictionRequest {
  readonly type: 'predict'
  readonly id?: MessageId
}

/** Seconds since the start, position [m] x, y, z and velocity [m/s] x, y, z on ICRF axes. */
export type PredictionRecord = readonly [number, number, number, number, number, number, number]

/** Part of a trajectory, relative to one body. */
export interface PredictionLeg {
  readonly reference_body: string
  readonly records: readonly PredictionRecord[]
}

type Mark =
  | 'periapsis'
  | 'apoapsis'
  | 'approach'
  | 'sphere'
  | 'burn_begin'
  | 'burn_end'
  | Exclude<EventKind, 'burn_ended' | 'destroyed' | 'maneuver_sample'>

const MARKS: readonly Mark[] = [
  'periapsis',
  'apoapsis',
  'approach',
  'sphere',
  'burn_begin',
  'burn_end',
  ...EVENT_KINDS.filter(
    (kind) => kind !== 'burn_ended' && kind !== 'destroyed' && kind !== 'maneuver_sample',
  ),
]

/**
 * Something on a trajectory, `seconds` after its start: an apsis of a body, the closest approach to
 * a body or object, a change of the reference body, a burn with its Δv [m/s], and so on. Distances
 * [m] are from centres, speeds [m/s] relative. Of a maneuver that fails for want of fuel or time,
 * Δv and duration [s] are what its flight takes.
 */
export interface PredictionMark {
  readonly mark: Mark
  readonly seconds: number
  readonly body?: string
  readonly from_body?: string
  readonly ship_id?: Uuid
  readonly station_id?: Uuid
  readonly jumpgate_id?: Uuid
  readonly distance?: number
  readonly speed?: number
  readonly delta_v?: number
  readonly duration?: number
  readonly phase?: Phase
  readonly reason?: Reason
}

/**
 * A part of the flight of the last order, which may end after the trajectory: to a body, or to the
 * target itself without one. Its end [s] after the start, its Δv [m/s], and what each may be wrong
 * by: nothing of a flight that completes within the prediction, which will be flown so.
 */
export interface PredictedLeg {
  readonly from_body: string
  readonly body?: string
  readonly seconds: number
  readonly seconds_uncertainty: number
  readonly delta_v: number
  readonly delta_v_uncertainty: number
}

const ENDS = ['asked', 'ephemeris', 'impact', 'frozen', 'work'] as const

/**
 * What the ship will fly if nothing interferes, 2,000 records at most. `end` is why it reaches no
 * further than `until`: what was asked, the bodies' motion is not known yet, the ship ends, or it
 * took too much work. Δv [m/s] of all burns; fuel left [kg]; both to the end of a maneuver where
 * that was asked.
 */
export interface PredictionResponse {
  readonly ship_id: Uuid
  readonly system_id: string
  readonly game_time: Timestamp
  readonly until: Timestamp
  readonly end: (typeof ENDS)[number]
  readonly legs: readonly PredictionLeg[]
  readonly marks: readonly PredictionMark[]
  readonly marks_left_out: number
  readonly delta_v: number
  readonly fuel: number
  readonly flight_legs: readonly PredictedLeg[]
  /** ids of modules that may change this flight by beats, events or rules, which are not flown */
  readonly modules_left_out: readonly string[]
}

/** The same as the answer on a socket. */
export interface PredictionMessage extends PredictionResponse {
  readonly type: 'prediction'
  readonly id?: MessageId
}

const HOURS = `hours must be a number above 0, at most ${HOURS_MAX}`
const TO_END = 'to_end must be true or false'
const ORDERS = `orders must be a list of at most ${ORDERS_MAX} of {after, order}`
const AFTER = 'after must be a number of seconds, 0 or more'
const BODY = 'target_body must be the name of a body'

const ORDER = 'order must be a control, maneuver_start, maneuver_abort, dock or undock message'

/** What each field must be, for refusals. */
export const PREDICTION_FIELDS: readonly (readonly [string, string])[] = [
  ['hours', HOURS],
  ['to_end', TO_END],
  ['orders', ORDERS],
  ['after', AFTER],
  ['order', ORDER],
]

const order: v.GenericSchema<SupposedOrder['order']> = messageVariant<SupposedOrder['order']>(
  [controlMessage, maneuverStartMessage, maneuverAbortMessage, dockMessage, undockMessage],
  ORDER,
)

const seconds = v.pipe(v.number(AFTER), v.minValue(0, AFTER), v.maxValue(3600 * HOURS_MAX, AFTER))
const supposedOrder: v.GenericSchema<SupposedOrder> = v.object({
  after: v.exactOptional(seconds),
  order,
})
const orders: v.GenericSchema<readonly SupposedOrder[]> = v.pipe(
  v.array(supposedOrder, ORDERS),
  v.maxLength(ORDERS_MAX, ORDERS),
)
const hours: v.GenericSchema<number> = v.pipe(
  v.number(HOURS),
  v.gtValue(0, HOURS),
  v.maxValue(HOURS_MAX, HOURS),
)

const requestFields = {
  hours,
  to_end: v.exactOptional(v.boolean(TO_END)),
  orders: v.exactOptional(orders),
  target_body: v.exactOptional(v.pipe(v.string(BODY), v.nonEmpty(BODY), v.maxLength(64, BODY))),
  target_ship_id: v.exactOptional(uuid),
  target_station_id: v.exactOptional(uuid),
  target_jumpgate_id: v.exactOptional(uuid),
}

const TARGETS = ['body', 'ship_id', 'station_id', 'jumpgate_id'] as const
const ONE_TARGET = `a prediction has one target: target_${TARGETS.join(', target_')}`

function hasOneTarget(request: PredictionRequest): boolean {
  return TARGETS.filter((kind) => request[`target_${kind}`] !== undefined).length <= 1
}

export const predictionRequest: v.GenericSchema<PredictionRequest> = v.pipe(
  v.object(requestFields),
  v.check((request) => hasOneTarget(request), ONE_TARGET),
)

export const predictMessage: v.GenericSchema<PredictMessage> = v.pipe(
  v.object({ type: v.literal('predict'), id: v.exactOptional(messageId), ...requestFields }),
  v.check((request) => hasOneTarget(request), ONE_TARGET),
)

/** Fields of {@link PredictionResponse}. */
export const predictionFields: {
  readonly [Name in keyof PredictionResponse]: v.GenericSchema<PredictionResponse[Name]>
} = {
  ship_id: uuid,
  system_id: v.string(),
  game_time: timestamp,
  until: timestamp,
  end: v.picklist(ENDS),
  legs: v.array(
    v.object({
      reference_body: v.string(),
      records: v.array(v.tuple([real, real, real, real, real, real, real])),
    }),
  ),
  marks: v.array(
    v.object({
      mark: v.picklist(MARKS),
      seconds: real,
      body: v.exactOptional(v.string()),
      from_body: v.exactOptional(v.string()),
      ship_id: v.exactOptional(uuid),
      station_id: v.exactOptional(uuid),
      jumpgate_id: v.exactOptional(uuid),
      distance: v.exactOptional(real),
      speed: v.exactOptional(real),
      delta_v: v.exactOptional(real),
      duration: v.exactOptional(real),
      phase: v.exactOptional(v.picklist(PHASES)),
      reason: v.exactOptional(v.picklist(REASONS)),
    }),
  ),
  marks_left_out: count,
  delta_v: real,
  fuel: real,
  flight_legs: v.array(
    v.object({
      from_body: v.string(),
      body: v.exactOptional(v.string()),
      seconds: real,
      seconds_uncertainty: real,
      delta_v: real,
      delta_v_uncertainty: real,
    }),
  ),
  modules_left_out: v.array(v.string()),
}

export const predictionResponse: v.GenericSchema<PredictionResponse> = v.object(predictionFields)
