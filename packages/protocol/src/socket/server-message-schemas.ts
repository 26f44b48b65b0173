import { EVENT_KINDS, type Rail, type StarSystem } from '@orrery/sim'
import * as v from 'valibot'
import { paceVoteFields } from '../bodies/game-control.ts'
import { moduleValues } from '../bodies/modules.ts'
import { shipClassesList } from '../bodies/ship-classes.ts'
import { ERRORS, type ErrorCode, moduleRefusal } from '../errors.ts'
import { failureReason } from '../failure-reason.ts'
import { frameBlocks } from '../frames/frame-reader.ts'
import { BINARY_SUBPROTOCOL, SUBPROTOCOL } from './handshake.ts'
import { messageId, timestamp, uuid, uuidOrEmpty } from '../identifiers.ts'
import { predictionFields } from '../orders/predictions.ts'
import type { JumpgateState, RailedObject, ServerMessage, StationState } from './server-messages.ts'
import { ruleEntry } from '../orders/rules.ts'
import { shipState } from '../ship.ts'
import { vec3 } from '../vector.ts'
import { count, positive, real } from '../numbers.ts'

const id = v.exactOptional(messageId)
const object = {
  name: v.string(),
  parent_body: v.string(),
  position: vec3,
  velocity: vec3,
  radius: positive,
}

const station: v.GenericSchema<StationState> = v.object({ station_id: uuid, ...object })
const jumpgate: v.GenericSchema<JumpgateState> = v.object({ jumpgate_id: uuid, ...object })

const triple: v.GenericSchema<readonly [number, number, number]> = v.tuple([real, real, real])
const place: v.GenericSchema<number> = v.pipe(v.number(), v.integer(), v.minValue(-1))

const starSystem: v.GenericSchema<StarSystem> = v.object({
  id: v.string(),
  name: v.string(),
  bodies: v.array(
    v.object({
      name: v.string(),
      parent: place,
      gm: positive,
      radius: positive,
      oblateness: v.exactOptional(
        v.object({
          referenceRadius: positive,
          j2: real,
          j4: v.exactOptional(real),
          pole: triple,
        }),
      ),
    }),
  ),
  position: triple,
})

const rail: v.GenericSchema<Rail> = v.variant('kind', [
  v.object({
    kind: v.literal('orbit'),
    parent: count,
    radius: positive,
    pole: triple,
    rate: v.pipe(v.number(), v.integer()),
    epoch: v.pipe(v.number(), v.safeInteger()),
  }),
  v.object({
    kind: v.literal('lagrange'),
    parent: count,
    secondary: count,
    point: v.picklist([1, 2, 3, 4, 5]),
  }),
])

const railedObject: v.GenericSchema<RailedObject> = v.object({
  id: uuid,
  kind: v.picklist(['station', 'jumpgate']),
  name: v.string(),
  radius: positive,
  row: count,
  rail,
})

const moment = { tick: count, game_time: timestamp }
const age = v.exactOptional(v.pipe(v.number(), v.minValue(0)))
const worldMoment = { era: count, ...moment }
const rates = { tick_rate: positive, time_scale: positive, effective_time_scale: positive }

const subscription = {
  radius: v.exactOptional(positive),
  ids: v.exactOptional(v.array(uuid)),
  rate: v.exactOptional(positive),
  system_id: v.exactOptional(v.string()),
  budget: v.exactOptional(positive),
}

/** Schema of every {@link ServerMessage}; unknown fields are left out. */
export const serverMessage: v.GenericSchema<ServerMessage> = v.variant('type', [
  v.object({
    type: v.literal('welcome'),
    protocol: v.picklist([SUBPROTOCOL, BINARY_SUBPROTOCOL]),
    era: count,
    player_id: uuid,
    ship_id: uuidOrEmpty,
    system_id: v.string(),
    observer: v.exactOptional(v.literal(true)),
    server_name: v.string(),
    ...moment,
    ...rates,
    paused: v.boolean(),
    age,
    frames: v.exactOptional(frameBlocks),
  }),
  v.object({
    type: v.literal('system'),
    era: count,
    system: starSystem,
    home: count,
    spheres: v.array(v.nullable(positive)),
    ship_classes: shipClassesList,
    physics: count,
  }),
  v.object({
    type: v.literal('objects'),
    system_id: v.string(),
    objects: v.array(railedObject),
    rows: v.exactOptional(v.array(v.object({ id: uuid, name: v.string(), row: count, rail }))),
  }),
  v.object({
    type: v.literal('tick'),
    ...worldMoment,
    index: v.pipe(v.number(), v.safeInteger()),
    offset: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    age,
    effective_time_scale: positive,
    stations: v.array(station),
    jumpgates: v.array(jumpgate),
    ships: v.array(shipState),
  }),
  v.object({ type: v.literal('paused'), ...moment }),
  v.object({ type: v.literal('resumed'), ...moment }),
  v.object({ type: v.literal('clock'), ...rates, paused: v.boolean(), game_time: timestamp, age }),
  v.object({ type: v.literal('restored'), ...worldMoment }),
  v.object({ type: v.literal('reset'), ...worldMoment }),
  v.object({ type: v.literal('ship_assigned'), ship_id: uuidOrEmpty }),
  v.object({
    type: v.literal('ship_modules'),
    index: count,
    modules: v.array(
      v.object({
        module: v.string(),
        version: count,
        mass: real,
        thrust: real,
        values: v.exactOptional(moduleValues),
      }),
    ),
  }),
  v.object({ type: v.literal('subscribed'), id, ...subscription }),
  v.object({
    type: v.literal('resumed_session'),
    id,
    era: count,
    tick: count,
    gap: count,
    valid: v.boolean(),
  }),
  v.object({ type: v.literal('ship_renamed'), id, name: v.string() }),
  v.object({
    type: v.literal('accepted'),
    id: messageId,
    game_time: timestamp,
    index: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
  }),
  v.object({
    type: v.literal('event'),
    event: v.picklist([
      ...EVENT_KINDS,
      'jumped',
      'transferred',
      'altered',
      'returned',
      'rules_dropped',
      'module',
    ]),
    ship_id: uuid,
    game_time: timestamp,
    body: v.string(),
    from_system: v.exactOptional(v.string()),
    to_system: v.exactOptional(v.string()),
    station_id: v.exactOptional(uuid),
    rule_id: v.exactOptional(uuid),
    rule_name: v.exactOptional(v.string()),
    maneuver: v.exactOptional(v.string()),
    phase: v.exactOptional(v.string()),
    from_phase: v.exactOptional(v.string()),
    reason: v.exactOptional(failureReason),
    status_text: v.exactOptional(v.string()),
    module: v.exactOptional(v.string()),
    module_event: v.exactOptional(v.string()),
    data: v.exactOptional(
      v.record(v.string(), v.nullable(v.union([v.string(), real, v.boolean()]))),
    ),
  }),
  v.object({
    type: v.literal('error'),
    id,
    code: v.picklist(Object.keys(ERRORS) as ErrorCode[]),
    message: v.string(),
    refusal: v.exactOptional(moduleRefusal),
  }),
  v.object({
    type: v.literal('pong'),
    id,
    client_time: v.exactOptional(real),
    server_time: real,
  }),
  v.object({ type: v.literal('shutdown'), message: v.string() }),
  v.object({ type: v.literal('prediction'), id, ...predictionFields }),
  v.object({ type: v.literal('rules'), id, rules: v.array(ruleEntry) }),
  v.object({ type: v.literal('rule'), id, rule: ruleEntry }),
  v.object({ type: v.literal('rule_deleted'), id, rule_id: uuid }),
  v.object({
    type: v.literal('said'),
    id,
    ship_id: uuid,
    ship_name: v.string(),
    text: v.string(),
    at: timestamp,
    to_ship_id: v.exactOptional(uuid),
    heard: v.exactOptional(count),
  }),
  v.object({ type: v.literal('voted'), id, pace: v.nullable(positive) }),
  v.object({ type: v.literal('votes'), ...paceVoteFields }),
])
