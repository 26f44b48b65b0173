/** A rule as it is filled in. */
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { ruleFault } from '@orrery/client/message-fault'
import type { ManeuverStart } from './maneuvers.ts'
import {
  QUANTITIES,
  type QuantityName,
  type Texts,
  readQuantities,
  writeQuantity,
} from './quantity-fields.ts'
import { aboutOf } from './rule-words.ts'
import type { SteeringMode } from './steering-modes.ts'
import { targetFields } from './target-fields.ts'
import type { Thing } from './thing.ts'

export type ConditionType = RuleCondition['type']
export type ActionKind = 'point' | 'thrust' | 'burn' | 'maneuver' | 'abort' | 'event'

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
}

/** Texts of a rule's quantities: of the condition, and of the action. */
export interface RuleTexts {
  readonly condition: Texts
  readonly action: Texts
}

export const NEW_RULE: RuleDraft = {
  name: 'New rule',
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
}

/** Conditions with a value that something rises above or falls below. */
export function isMeasured(
  type: ConditionType,
): type is 'altitude' | 'distance' | 'speed' | 'fuel' {
  return type === 'altitude' || type === 'distance' || type === 'speed' || type === 'fuel'
}

/**
 * The rule of a draft, or what is wrong with it in a sentence.
 *
 * @param maneuver  the order of an action that is a maneuver, or what is wrong with it
 * @param target    what the ship is to point at with pointing 'target'
 */
export function draftedRule(
  draft: RuleDraft,
  texts: RuleTexts,
  maneuver: () => ManeuverStart | string,
  target: Thing | undefined,
): RuleRequest | string {
  const { condition: type } = draft
  if (isMeasured(type) && Number.isNaN(measure(texts.condition, type))) {
    return `${QUANTITIES[type].label} must be a number.`
  }
  const action =
    draft.action === 'maneuver' ? maneuver() : simpleAction(draft, texts.action, target)
  if (typeof action === 'string') return action
  const { name, once, armed } = draft
  const rule = { name, once, armed, condition: conditionOf(draft, texts.condition), action }
  return ruleFault(rule)?.replace(/^[\w.]+: /, '') ?? rule
}

function conditionOf(draft: RuleDraft, texts: Texts): RuleCondition {
  const { condition: type, side, about, apsis, outcome, time } = draft
  if (type === 'apsis') return { type, apsis }
  if (type === 'maneuver_end') return { type, outcome }
  if (type === 'game_time') return { type, game_time: timestampOf(time) }
  if (!isMeasured(type)) return { type }
  const place = type === 'fuel' || !about ? {} : targetFields(about)
  const fields = Object.entries(place).map(([key, id]) => [key.replace('target_', ''), id])
  return { type, [side]: measure(texts, type), ...Object.fromEntries(fields) }
}

function measure(texts: Texts, name: QuantityName): number {
  return readQuantities(texts, [name])[name] ?? NaN
}

/** Such as `2026-11-24T12:00:00.000Z`; the text itself when it is no time. */
function timestampOf(text: string): string {
  const ms = Date.parse(`${text.trim().replace(' UTC', '').replace(' ', 'T')}Z`)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

function simpleAction(
  { action, pointing }: RuleDraft,
  texts: Texts,
  target: Thing | undefined,
): RuleAction | string {
  if (action === 'event') return { type: 'event' }
  if (action === 'abort') return { type: 'maneuver_abort' }
  if (action === 'point') {
    if (pointing === 'away') return 'No rule can point away from a target.'
    if (pointing !== 'target') return { type: 'control', pointing }
    return target
      ? { type: 'control', pointing, ...targetFields(target) }
      : 'Choose a target first.'
  }
  const { thrust_level: thrust = NaN, delta_v: deltaV = NaN } = readQuantities(texts, [
    'thrust_level',
    'delta_v',
  ])
  const throttle = { type: 'control', thrust_level: thrust } as const
  return action === 'burn' ? { ...throttle, delta_v: deltaV } : throttle
}

/** The draft of a rule, to change it; actions that no form makes become events. */
export function draftOf(rule: Required<RuleRequest>): RuleDraft {
  const { name, once, armed, condition, action } = rule
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
    action: actionKind(action),
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
  if (action.type === 'maneuver_start') return 'maneuver'
  if (action.type === 'maneuver_abort') return 'abort'
  if (action.type === 'event') return 'event'
  if (action.delta_v !== undefined) return 'burn'
  if (action.pointing !== undefined) return 'point'
  return action.thrust_level === undefined ? 'event' : 'thrust'
}
