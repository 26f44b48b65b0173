import * as v from 'valibot'
import { type ControlMessage, controlMessage } from './control.ts'
import { displayName } from '../display-name.ts'
import {
  type MessageId,
  type Timestamp,
  type Uuid,
  messageId,
  timestamp,
  uuid,
} from '../identifiers.ts'
import { messageVariant } from './message-variant.ts'
import {
  type ManeuverAbortMessage,
  type ManeuverStartMessage,
  maneuverAbortMessage,
  maneuverStartMessage,
} from './maneuver-messages.ts'
import { real } from '../numbers.ts'
import {
  MODULE_NAME,
  type ModuleCommandRequest,
  moduleCommandEntries,
  moduleName,
} from '../bodies/modules.ts'

const CONDITIONS = [
  'altitude',
  'distance',
  'speed',
  'fuel',
  'apsis',
  'game_time',
  'maneuver_end',
  'module',
] as const

const OUTCOMES = ['completed', 'failed', 'aborted', 'any'] as const

/**
 * When a rule fires: at the first full second of game time at which the condition holds and did not
 * a second before. At or `above`, or at or `below`, a value:
 *
 * - `altitude` [m] over `body`, or over the reference body
 * - `distance` [m] to a body's centre, a ship, station or jump gate
 * - `speed` [m/s] relative to one of them, or to the reference body
 * - `fuel`: fraction of the tank, 0-1
 * - `module`: `column` of a `module`, in its unit, that the pilot sees; a bit is 0 or 1
 *
 * And: `apsis`, the passage of periapsis or apoapsis of the mean orbit, none while docked;
 * `game_time`, once that is reached, up to 1 s later, as full seconds are those of TDB, at .816 of
 * a second of UTC; `maneuver_end`, when the last maneuver has ended with an `outcome`, any without.
 */
export interface RuleCondition {
  readonly type: (typeof CONDITIONS)[number]
  readonly above?: number
  readonly below?: number
  readonly body?: string
  readonly ship_id?: Uuid
  readonly station_id?: Uuid
  readonly jumpgate_id?: Uuid
  readonly apsis?: 'periapsis' | 'apoapsis'
  readonly game_time?: Timestamp
  readonly outcome?: (typeof OUTCOMES)[number]
  readonly module?: string
  readonly column?: string
}

/** A command of a module, one second after its rule has fired, or refused then with an event. */
export interface RuleModuleCommand extends ModuleCommandRequest {
  readonly module: string
}

/** Nothing but the event that every rule sends. */
export interface RuleEventAction {
  readonly type: 'event'
}

/** What a rule does: a message to the ship, without `id`, or only its event. */
export type RuleAction =
  | ControlMessage
  | ManeuverStartMessage
  | ManeuverAbortMessage
  | RuleEventAction

/**
 * Body of `POST /api/player/rules` and `PUT` of one. A rule fires `once` or, without, each time. It
 * is `armed` unless that is false; one that has fired once is not.
 */
export interface RuleRequest {
  readonly name: string
  readonly once?: boolean
  readonly armed?: boolean
  readonly condition: RuleCondition
  readonly action: RuleAction
  /** beside the action */
  readonly module_command?: RuleModuleCommand
}

/** A rule of one's ship. */
export interface RuleEntry
  extends Required<Omit<RuleRequest, 'module_command'>>, Pick<RuleRequest, 'module_command'> {
  readonly rule_id: Uuid
}

/** 200 of `GET /api/player/rules`. */
export interface RulesResponse {
  readonly rules: readonly RuleEntry[]
}

const TARGETS = ['body', 'ship_id', 'station_id', 'jumpgate_id'] as const

type Field = Exclude<keyof RuleCondition, 'type'>

/** What each condition takes beside its type. */
const FIELDS: Readonly<Record<RuleCondition['type'], readonly Field[]>> = {
  altitude: ['above', 'below', 'body'],
  distance: ['above', 'below', ...TARGETS],
  speed: ['above', 'below', ...TARGETS],
  fuel: ['above', 'below'],
  apsis: ['apsis'],
  game_time: ['game_time'],
  maneuver_end: ['outcome'],
  module: ['above', 'below', 'module', 'column'],
}

/** What is wrong with a condition whose fields are sound by themselves. */
function fault(condition: RuleCondition): string | undefined {
  const { type, above, below } = condition
  const fields = Object.keys(condition).filter((key) => key !== 'type') as Field[]
  const excess = fields.find((field) => !FIELDS[type].includes(field))
  if (excess) return `condition '${type}' takes no ${excess}`
  if (type === 'maneuver_end') return undefined
  if (type === 'apsis' || type === 'game_time') {
    return condition[type] === undefined ? `condition '${type}' takes ${type}` : undefined
  }
  if ((above === undefined) === (below === undefined)) {
    return `condition '${type}' takes either above or below`
  }
  if (type === 'module') {
    const isWhole = condition.module !== undefined && condition.column !== undefined
    return isWhole ? undefined : "condition 'module' takes a module and a column"
  }
  const value = above ?? below ?? 0
  if (type !== 'altitude' && value < 0) return `condition '${type}' takes no negative value`
  if (type === 'fuel' && value > 1) return "condition 'fuel' takes a fraction from 0 to 1"
  const targets = TARGETS.filter((target) => condition[target] !== undefined)
  if (targets.length > 1) return `condition '${type}' takes one of ${TARGETS.join(', ')}`
  return type === 'distance' && targets.length === 0
    ? `condition 'distance' takes one of ${TARGETS.join(', ')}`
    : undefined
}

const CONDITION = `condition must have a type: ${CONDITIONS.join(', ')}`

export const ruleCondition: v.GenericSchema<RuleCondition> = v.pipe(
  v.object({
    type: v.picklist(CONDITIONS, CONDITION),
    above: v.exactOptional(real),
    below: v.exactOptional(real),
    body: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64))),
    ship_id: v.exactOptional(uuid),
    station_id: v.exactOptional(uuid),
    jumpgate_id: v.exactOptional(uuid),
    apsis: v.exactOptional(v.picklist(['periapsis', 'apoapsis'])),
    game_time: v.exactOptional(timestamp),
    outcome: v.exactOptional(v.picklist(OUTCOMES)),
    module: v.exactOptional(moduleName),
    column: v.exactOptional(moduleName),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? fault(dataset.value) : undefined
    if (message !== undefined) addIssue({ message })
  }),
)

const NAME = 'name must have 1 to 64 characters'
const ACTION = 'action must be a control, maneuver_start or maneuver_abort message, or an event'

/** What each field must be, for refusals. */
export const RULE_FIELDS: readonly (readonly [string, string])[] = [
  ['name', NAME],
  ['once', 'once must be true or false'],
  ['armed', 'armed must be true or false'],
  ['rule_id', 'rule_id must be a UUID'],
  ['condition', CONDITION],
  ['above', 'above must be a finite number'],
  ['below', 'below must be a finite number'],
  ['body', 'body must be the name of a body'],
  ['ship_id', 'ship_id must be a UUID'],
  ['apsis', 'apsis must be periapsis or apoapsis'],
  ['game_time', 'game_time must be a time such as 2026-01-01T00:00:00Z'],
  ['outcome', `outcome must be one of ${OUTCOMES.join(', ')}`],
  ['action', ACTION],
  ['module', `module ${MODULE_NAME}`],
  ['column', `column ${MODULE_NAME}`],
  ['command', `command ${MODULE_NAME}`],
  ['module_command', 'module_command must have a module, a command and its values'],
]

const moduleCommand = v.object({ module: moduleName, ...moduleCommandEntries })

const request = {
  name: displayName(1, 64, NAME),
  condition: ruleCondition,
  action: v.pipe(
    messageVariant<RuleAction>(
      [
        controlMessage,
        maneuverStartMessage,
        maneuverAbortMessage,
        v.object({ type: v.literal('event') }),
      ],
      ACTION,
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || !('maneuver' in dataset.value)) return
      if (dataset.value.maneuver !== 'plan') return
      addIssue({ message: "action starts no maneuver 'plan': its burns have times of their own" })
    }),
  ),
  module_command: v.exactOptional(moduleCommand),
}

export const ruleRequest: v.GenericSchema<RuleRequest> = v.object({
  ...request,
  once: v.exactOptional(v.boolean()),
  armed: v.exactOptional(v.boolean()),
})

export const ruleEntry: v.GenericSchema<RuleEntry> = v.object({
  rule_id: uuid,
  ...request,
  once: v.boolean(),
  armed: v.boolean(),
})

export const rulesResponse: v.GenericSchema<RulesResponse> = v.object({
  rules: v.array(ruleEntry),
})

/** Asks for the rules of one's ship. */
export interface RulesGetMessage {
  readonly type: 'rules_get'
  readonly id?: MessageId
}

/** Replaces the rule `rule_id`; without, makes a new one. */
export interface RuleSetMessage extends RuleRequest {
  readonly type: 'rule_set'
  readonly id?: MessageId
  readonly rule_id?: Uuid
}

/** Deletes a rule. */
export interface RuleDeleteMessage {
  readonly type: 'rule_delete'
  readonly id?: MessageId
  readonly rule_id: Uuid
}

const id = v.exactOptional(messageId)

export const rulesGetMessage: v.GenericSchema<RulesGetMessage> = v.object({
  type: v.literal('rules_get'),
  id,
})

export const ruleSetMessage: v.GenericSchema<RuleSetMessage> = v.object({
  type: v.literal('rule_set'),
  id,
  rule_id: v.exactOptional(uuid),
  ...request,
  once: v.exactOptional(v.boolean()),
  armed: v.exactOptional(v.boolean()),
})

export const ruleDeleteMessage: v.GenericSchema<RuleDeleteMessage> = v.object({
  type: v.literal('rule_delete'),
  id,
  rule_id: uuid,
})

/** Answer to a `rules_get`. */
export interface RulesMessage extends RulesResponse {
  readonly type: 'rules'
  readonly id?: MessageId
}

/** Answer to a `rule_set`. */
export interface RuleMessage {
  readonly type: 'rule'
  readonly id?: MessageId
  readonly rule: RuleEntry
}

/** Answer to a `rule_delete`. */
export interface RuleDeletedMessage {
  readonly type: 'rule_deleted'
  readonly id?: MessageId
  readonly rule_id: Uuid
}
