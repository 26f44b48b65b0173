import * as v from 'valibot'
import { type ControlMessage, controlMessage } from '../orders/control.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { fieldSentence } from '../field-sentences.ts'
import { MESSAGE_BYTES_MAX } from './handshake.ts'
import { type MessageId, messageId } from '../identifiers.ts'
import {
  type ManeuverAbortMessage,
  type ManeuverStartMessage,
  maneuverAbortMessage,
  maneuverStartMessage,
} from '../orders/maneuver-messages.ts'
import { type PredictMessage, predictMessage } from '../orders/predictions.ts'
import {
  type RuleDeleteMessage,
  type RuleSetMessage,
  type RulesGetMessage,
  ruleDeleteMessage,
  ruleSetMessage,
  rulesGetMessage,
} from '../orders/rules.ts'
import { type ModuleCommandMessage, moduleCommandMessage } from './module-command.ts'
import { shipName } from '../ship.ts'
import {
  type ResumeMessage,
  type SubscribeMessage,
  resumeMessage,
  subscribeMessage,
} from './subscriptions.ts'
import { type SayMessage, sayMessage } from './talk.ts'
import {
  type DockMessage,
  type JumpMessage,
  type UndockMessage,
  dockMessage,
  jumpMessage,
  undockMessage,
} from '../orders/visits.ts'
import { real } from '../numbers.ts'
import { type VoteMessage, voteMessage } from './votes.ts'

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

/** Requests a new seed of the sender's ship, in binary frames. */
export interface SeedRequestMessage {
  readonly type: 'seed_request'
  readonly id?: MessageId
  /** ids of the modules that the client runs for its ship from now on; none by default */
  readonly modules?: readonly string[]
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
  | SayMessage
  | VoteMessage
  | ModuleCommandMessage

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
      client_time: v.exactOptional(real),
    }),
  ],
  ['subscribe', subscribeMessage],
  ['resume', resumeMessage],
  [
    'seed_request',
    v.object({
      type: v.literal('seed_request'),
      id: v.exactOptional(messageId),
      modules: v.exactOptional(
        // As many as a game has.
        v.pipe(v.array(v.pipe(v.string(), v.maxLength(32))), v.maxLength(16)),
      ),
    }),
  ],
  ['say', sayMessage],
  ['vote', voteMessage],
  ['module_command', moduleCommandMessage],
])

/** Schema of every {@link ClientMessage}; unknown fields are left out. */
export const clientMessage: v.GenericSchema<ClientMessage> = v.union([...SCHEMAS.values()])

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
  return refusal(code, code === 'E030' ? ERRORS.E030.meaning : fieldSentence(issue), id)
}
