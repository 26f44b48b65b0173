/** A rule as it is filled in. */
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { ruleFault } from '@orrery/client/message-fault'
import { say } from '../languages/say.ts'
import {
  MANEUVER_POINTINGS,
  type ManeuverStart,
  maneuverForm,
  maneuverOrder,
  textsOfManeuver,
} from './maneuvers.ts'
import {
  QUANTITIES,
  type QuantityName,
  type Texts,
  readQuantities,
  writeQuantity,
} from '../quantities/quantity-fields.ts'
import { type OrderedCommand, aboutOf } from './rule-words.ts'
import { STEERINGS, type SteeringMode } from './steering-modes.ts'
import { targetFields, thingOfFields } from './target-fields.ts'
import type { Thing } from '../readings/thing.ts'

export type ConditionType = RuleCondition['type']
/** `module`: only a command of a module; `kept`: what the form cannot show as a whole. */
export type ActionKind =
  | 'point'
  | 'thrust'
  | 'burn'
  | 'maneuver'
  | 'abort'
  | 'event'
  | 'module'
  | 'kept'

export interface RuleDraft {
  readonly name: string
  readonly once: boolean
  readonly armed: boolean
  readonly condition: ConditionType
  readonly side: 'above' | 'below'
  /** what the condition is measured from; undefined for the reference body */
  readonly about: Thing | undefined
  readonly apsis: NonNullable<RuleCondition['apsis']>
  /** UTC, such as `2026-11-24 12:00` */
  readonly time: string
  readonly outcome: NonNullable<RuleCondition['outcome']>
  readonly action: ActionKind
  readonly pointing: SteeringMode
  /** a condition on a column of a module */
  readonly ofModule: RuleCondition | undefined
  /** a command of a module: of the action `module`, or beside another one */
  readonly ordered: OrderedCommand | undefined
  readonly ordersToo: boolean
}

/** Texts of a rule's quantities: of the condition, and of the action. */
export interface RuleTexts {
  readonly condition: Texts
  readonly action: Texts
}

export const NEW_RULE: RuleDraft = {
  name: say('New rule'),
  once: false,
  armed: true,
  condition: 'altitude',
  side: 'below',
  about: undefined,
  apsis: 'periapsis',
  time: '',
  outcome: 'any',
  action: 'point',
  pointing: 'retrograde',
  ofModule: undefined,
  ordered: undefined,
  ordersToo: false,
}

/** Conditions with a value that something rises above or falls below. */
export function isMeasured(
  type: ConditionType,
): type is 'altitude' | 'distance' | 'speed' | 'fuel' {
  return type === 'altitude' || type === 'distance' || type === 'speed' || type === 'fuel'
}

/** Whether a rule orders a command of a module. */
export function ordersCommand({ action, ordersToo }: RuleDraft): boolean {
  return action === 'module' || (ordersToo && action !== 'event')
}

/** What a form of rules has in its fields. */
export interface RuleFields {
  readonly draft: RuleDraft
  readonly texts: RuleTexts
  /** the order of an action that is a maneuver, or what is wrong with it */
  readonly maneuver: () => ManeuverStart | string
  /** what the ship is to point at with pointing 'target' */
  readonly target: Thing | undefined
}

/**
 * The rule of a form, or what is wrong with it in a sentence.
 *
 * @param edited  the rule that is changed: what is untouched in the form stays bit for bit
 */
export function draftedRule(fields: RuleFields, edited?: RuleRequest): RuleRequest | string {
  const { name, once, armed, condition: type } = fields.draft
  if (isMeasured(type) && Number.isNaN(measure(fields.texts.condition, type))) {
    return say('{label} must be a number.', { label: QUANTITIES[type].label })
  }
  const before = edited && fieldsOf(edited)
  const condition = untouched(conditionOf, fields, before) ? edited?.condition : undefined
  const action = untouched(actionOf, fields, before) ? edited?.action : actionOf(fields)
  if (typeof action === 'string') return action
  if (!action) return say('Choose what the rule does.')
  const { ordered } = fields.draft
  const isOrdering = ordersCommand(fields.draft)
  if (isOrdering && !ordered) return say('Choose a command.')
  const rule = {
    name,
    once,
    armed,
    condition: condition ?? conditionOf(fields),
    action,
    ...(isOrdering && ordered && { module_command: ordered }),
  }
  return ruleFault(rule)?.replace(/^[\w.]+: /, '') ?? rule
}

/** Whether a part of the form is as it was when the form was opened. */
function untouched(
  part: (fields: RuleFields) => unknown,
  fields: RuleFields,
  before: RuleFields | undefined,
): boolean {
  return before !== undefined && JSON.stringify(part(fields)) === JSON.stringify(part(before))
}

/** The form of a rule before it is touched. */
function fieldsOf(rule: RuleRequest): RuleFields {
  const { action } = rule
  const isAimed = action.type === 'control' || action.type === 'maneuver_start'
  return {
    draft: draftOf(rule),
    texts: textsOf(rule),
    maneuver: () => (action.type === 'maneuver_start' ? shownManeuver(action) : ''),
    target: isAimed ? thingOfFields(action) : undefined,
  }
}

/** A maneuver as its form has it. */
function shownManeuver(action: ManeuverStart): ManeuverStart | string {
  return maneuverOrder(maneuverForm(action.maneuver), textsOfManeuver(action), {
    body: action.target_body ?? '',
    pointing: action.pointing ?? '',
    target: thingOfFields(action),
  })
}

function conditionOf({ draft, texts }: RuleFields): RuleCondition {
  const { condition: type, side, about, apsis, outcome, time } = draft
  if (type === 'apsis') return { type, apsis }
  if (type === 'maneuver_end') return { type, outcome }
  if (type === 'game_time') return { type, game_time: timestampOf(time) }
  if (!isMeasured(type)) return draft.ofModule ?? { type }
  const place = type === 'fuel' || !about ? {} : targetFields(about)
  const fields = Object.entries(place).map(([key, id]) => [key.replace('target_', ''), id])
  return { type, [side]: measure(texts.condition, type), ...Object.fromEntries(fields) }
}

function measure(texts: Texts, name: QuantityName): number {
  return readQuantities(texts, [name])[name] ?? NaN
}

/** Such as `2026-11-24T12:00:00.000Z`; the text itself when it is no time. */
function timestampOf(text: string): string {
  const ms = Date.parse(`${text.trim().replace(' UTC', '').replace(' ', 'T')}Z`)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

/** Undefined for one that the form cannot show. */
function actionOf({ draft, texts, maneuver, target }: RuleFields): RuleAction | string | undefined {
  const { action, pointing } = draft
  if (action === 'kept') return undefined
  if (action === 'maneuver') return maneuver()
  if (action === 'event' || action === 'module') return { type: 'event' }
  if (action === 'abort') return { type: 'maneuver_abort' }
  if (action === 'point') {
    if (pointing === 'away') return say('No rule can point away from a target.')
    if (pointing !== 'target') return { type: 'control', pointing }
    return target
      ? { type: 'control', pointing, ...targetFields(target) }
      : say('Choose a target first.')
  }
  const { thrust_level: thrust = NaN, delta_v: deltaV = NaN } = readQuantities(texts.action, [
    'thrust_level',
    'delta_v',
  ])
  const throttle = { type: 'control', thrust_level: thrust } as const
  return action === 'burn' ? { ...throttle, delta_v: deltaV } : throttle
}

/** The draft of a rule, to change it. */
export function draftOf(rule: RuleRequest): RuleDraft {
  const { name, once = false, armed = true, condition, action, module_command: ordered } = rule
  const kind = actionKind(action)
  const isOnlyCommand = ordered !== undefined && kind === 'event'
  const { type, apsis, game_time: time, outcome } = condition
  return {
    ...NEW_RULE,
    name,
    once,
    armed,
    condition: type,
    about: aboutOf(condition),
    side: condition.above === undefined ? 'below' : 'above',
    ...(apsis && { apsis }),
    ...(time !== undefined && { time: time.slice(0, 19).replace('T', ' ') }),
    ...(outcome && { outcome }),
    ...(type === 'module' && { ofModule: condition }),
    ordered,
    ordersToo: ordered !== undefined && !isOnlyCommand,
    action: isOnlyCommand ? 'module' : kind,
    ...('pointing' in action && action.pointing && { pointing: action.pointing }),
  }
}

export function textsOf({ condition, action }: RuleRequest): RuleTexts {
  const { type } = condition
  const value = condition.above ?? condition.below
  const thrust = 'thrust_level' in action ? action.thrust_level : undefined
  const deltaV = 'delta_v' in action ? action.delta_v : undefined
  return {
    condition: isMeasured(type) ? { [type]: writeQuantity(value, QUANTITIES[type]) } : {},
    action: {
      thrust_level: writeQuantity(thrust ?? 1, QUANTITIES.thrust_level),
      delta_v: writeQuantity(deltaV ?? 10, QUANTITIES.delta_v),
    },
  }
}

function actionKind(action: RuleAction): ActionKind {
  if (action.type === 'maneuver_abort') return 'abort'
  if (action.type === 'event') return 'event'
  if (action.type === 'maneuver_start') return showsManeuver(action) ? 'maneuver' : 'kept'
  const { pointing } = action
  const names = new Set(namesIn(action))
  const has = (...wanted: string[]): boolean =>
    names.size === wanted.length && wanted.every((name) => names.has(name))
  if (has('thrust_level', 'delta_v')) return 'burn'
  if (has('thrust_level')) return 'thrust'
  const isShown = STEERINGS.some(({ mode }) => mode === pointing)
  return isShown && has('pointing') ? 'point' : 'kept'
}

function showsManeuver(action: ManeuverStart): boolean {
  const { attitude, pointing } = action
  const isShown = MANEUVER_POINTINGS.some(({ mode }) => mode === pointing)
  return attitude === undefined && (pointing === undefined || isShown)
}

/** Of what a message changes; its target belongs to its pointing. */
function namesIn(message: object): string[] {
  return Object.keys(message).filter(
    (key) => !['type', 'id', 'at'].includes(key) && !key.startsWith('target_'),
  )
}
