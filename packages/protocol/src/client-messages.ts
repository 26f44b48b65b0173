import * as v from 'valibot'
import { AT } from './acting-index.ts'
import { CONTROL_FIELDS, type ControlMessage, controlMessage } from './control.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { MESSAGE_BYTES_MAX } from './handshake.ts'
import { type MessageId, type Uuid, messageId, uuid } from './identifiers.ts'
import {
  MANEUVERS,
  type ManeuverAbortMessage,
  type ManeuverStartMessage,
  TIMEOUT_MAX,
  maneuverAbortMessage,
  maneuverStartMessage,
} from './maneuver-messages.ts'
import { type PredictMessage, predictMessage } from './predictions.ts'
import {
  type RuleDeleteMessage,
  type RuleSetMessage,
  type RulesGetMessage,
  ruleDeleteMessage,
  ruleSetMessage,
  rulesGetMessage,
} from './rules.ts'
import { shipName } from './ship.ts'
import {
  type DockMessage,
  JUMPGATE,
  type JumpMessage,
  STATION,
  type UndockMessage,
  dockMessage,
  jumpMessage,
  undockMessage,
} from './visits.ts'

/** Ships that a subscription can name at most; as many as a frame holds. */
export const SUBSCRIBED_IDS_MAX = 256

/** Bytes a second that a client of binary frames can ask for, beside its heartbeat. */
export const BUDGET_MIN = 2_048
export const BUDGET_MAX = 1_048_576

/** Gives the sender's ship a new name, already trimmed and normalised here. */
export interface ShipRenameMessage {
  readonly type: 'ship_rename'
  readonly id?: MessageId
  readonly name: string
}

/** Requests a pong; `client_time` is any number of the client's, returned as it came. */
export interface PingMessage {
  readonly type: 'ping'
  readonly id?: MessageId
  readonly client_time?: number
}

/**
 * Narrows what comes in ticks: ships within `radius` [m] of one's own, ships named by `ids`, `rate`
 * frames a second at most [Hz]; observers choose a star system instead of a radius. What is absent
 * is not narrowed, so a message without any of them restores the whole. `budget` is what binary
 * frames may take [bytes/s].
 */
export interface SubscribeMessage {
  readonly type: 'subscribe'
  readonly id?: MessageId
  readonly radius?: number
  readonly ids?: readonly Uuid[]
  readonly rate?: number
  readonly system_id?: string
  readonly budget?: number
}

/** Requests a new seed of the sender's ship, in binary frames. */
export interface SeedRequestMessage {
  readonly type: 'seed_request'
  readonly id?: MessageId
}

/**
 * Sends on a new socket what the old one saw last; requests a frame at once. With the number of
 * the last publication, binary frames go on where they ended.
 */
export interface ResumeMessage {
  readonly type: 'resume'
  readonly id?: MessageId
  readonly era: number
  readonly tick: number
  readonly publication?: number
}

/** What a client can say. */
export type ClientMessage =
  | ShipRenameMessage
  | ControlMessage
  | ManeuverStartMessage
  | ManeuverAbortMessage
  | PredictMessage
  | JumpMessage
  | DockMessage
  | UndockMessage
  | RulesGetMessage
  | RuleSetMessage
  | RuleDeleteMessage
  | PingMessage
  | SubscribeMessage
  | ResumeMessage
  | SeedRequestMessage

/** Why a message was not taken, with the id of the sender if it could be read. */
export interface MessageRefusal {
  readonly code: ErrorCode
  readonly message: string
  readonly id?: MessageId
}

/** A message, or the error to send instead. */
export type ClientMessageResult =
  | { readonly ok: true; readonly message: ClientMessage }
  | { readonly ok: false; readonly error: MessageRefusal }

const MANEUVER = `maneuver must be one of ${MANEUVERS.join(', ')}`
const SEMI_MAJOR_AXIS = 'semi_major_axis must be a finite number of metres above 0'
const ECCENTRICITY = 'eccentricity must be a number from 0 to below 1'
const INCLINATION = 'inclination must be a number of radians from 0 to π'
const ASCENDING_NODE = 'ascending_node must be a number of radians from 0 to below 2π'
const ALTITUDE = 'altitude must be a finite number of metres above 0'
const TIMEOUT = `timeout must be a number of seconds from 1 to ${TIMEOUT_MAX}`
const CLIENT_TIME = 'client_time must be a finite number'
const RADIUS = 'radius must be a finite number of metres above 0'
const IDS = `ids must be a list of at most ${SUBSCRIBED_IDS_MAX} UUIDs`
const RATE = 'rate must be a finite number of Hz above 0'
const SYSTEM = 'system_id must be a text'
const BUDGET = `budget must be a number of bytes a second from ${BUDGET_MIN} to ${BUDGET_MAX}`
const ERA = 'era must be a whole number, 0 or more'
const TICK = 'tick must be a whole number, 0 or more'
const PUBLICATION = 'publication must be a whole number, 0 or more'

const positive: v.GenericSchema<number> = v.pipe(v.number(), v.finite(), v.gtValue(0))
const count: v.GenericSchema<number> = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const SCHEMAS: ReadonlyMap<unknown, v.GenericSchema<ClientMessage>> = new Map<
  unknown,
  v.GenericSchema<ClientMessage>
>([
  [
    'ship_rename',
    v.object({
      type: v.literal('ship_rename'),
      id: v.exactOptional(messageId),
      name: shipName,
    }),
  ],
  ['control', controlMessage],
  ['maneuver_start', maneuverStartMessage],
  ['maneuver_abort', maneuverAbortMessage],
  ['predict', predictMessage],
  ['jump', jumpMessage],
  ['dock', dockMessage],
  ['undock', undockMessage],
  ['rules_get', rulesGetMessage],
  ['rule_set', ruleSetMessage],
  ['rule_delete', ruleDeleteMessage],
  [
    'ping',
    v.object({
      type: v.literal('ping'),
      id: v.exactOptional(messageId),
      client_time: v.exactOptional(v.pipe(v.number(), v.finite())),
    }),
  ],
  [
    'subscribe',
    v.object({
      type: v.literal('subscribe'),
      id: v.exactOptional(messageId),
      radius: v.exactOptional(positive),
      ids: v.exactOptional(v.pipe(v.array(uuid), v.maxLength(SUBSCRIBED_IDS_MAX))),
      rate: v.exactOptional(positive),
      system_id: v.exactOptional(v.string()),
      budget: v.exactOptional(v.pipe(v.number(), v.minValue(BUDGET_MIN), v.maxValue(BUDGET_MAX))),
    }),
  ],
  [
    'resume',
    v.object({
      type: v.literal('resume'),
      id: v.exactOptional(messageId),
      era: count,
      tick: count,
      publication: v.exactOptional(count),
    }),
  ],
  ['seed_request', v.object({ type: v.literal('seed_request'), id: v.exactOptional(messageId) })],
])

/** Schema of every {@link ClientMessage}; unknown fields are left out. */
export const clientMessage: v.GenericSchema<ClientMessage> = v.union([...SCHEMAS.values()])

const FIELD_MESSAGES: ReadonlyMap<unknown, string> = new Map([
  ['name', ERRORS.E030.meaning],
  ...CONTROL_FIELDS,
  ['at', AT],
  ['client_time', CLIENT_TIME],
  ['maneuver', MANEUVER],
  ['jumpgate_id', JUMPGATE],
  ['station_id', STATION],
  ['semi_major_axis', SEMI_MAJOR_AXIS],
  ['eccentricity', ECCENTRICITY],
  ['inclination', INCLINATION],
  ['ascending_node', ASCENDING_NODE],
  ['altitude', ALTITUDE],
  ['timeout', TIMEOUT],
  ['radius', RADIUS],
  ['ids', IDS],
  ['rate', RATE],
  ['system_id', SYSTEM],
  ['budget', BUDGET],
  ['era', ERA],
  ['tick', TICK],
  ['publication', PUBLICATION],
])

function refusal(code: ErrorCode, message: string, id?: MessageId): ClientMessageResult {
  return { ok: false, error: id === undefined ? { code, message } : { code, message, id } }
}

/**
 * Reads one text message of a client. It never throws, whatever the text: V8's JSON parser keeps
 * its own stack, and the schemas read only their own keys, so depth costs nothing.
 *
 * A bad ship name is E030, anything else that cannot be taken E001.
 */
export function parseClientMessage(text: string): ClientMessageResult {
  // UTF-8 has a byte at least per UTF-16 unit, so nothing the socket lets through is refused here.
  if (text.length > MESSAGE_BYTES_MAX) return refusal('E001', 'Message too large')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refusal('E001', 'Message is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refusal('E001', 'Message must be a JSON object')
  }
  let id: MessageId | undefined
  if ('id' in value) {
    const parsed = v.safeParse(messageId, value.id)
    if (!parsed.success) {
      return refusal('E001', 'id must be a text of at most 64 characters or an integer')
    }
    id = parsed.output
  }
  const type = 'type' in value ? value.type : undefined
  const schema = SCHEMAS.get(type)
  if (schema === undefined) return refusal('E001', 'Unknown message type', id)
  const parsed = v.safeParse(schema, value, { abortEarly: true })
  if (parsed.success) return { ok: true, message: parsed.output }
  const [issue] = parsed.issues
  const field = issue.path?.[0]?.key
  const code = type === 'ship_rename' && field === 'name' ? 'E030' : 'E001'
  const isRule = type === 'rule_set'
  const reason = isRule ? `${v.getDotPath(issue)}: ${issue.message}` : FIELD_MESSAGES.get(field)
  return refusal(code, reason ?? issue.message, id)
}
