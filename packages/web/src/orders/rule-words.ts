/** Rules as sentences. */
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { maneuverForm } from './maneuvers.ts'
import { dateText, distanceText, percentText, speedText } from '../quantities/quantities.ts'
import { STEERINGS } from './steering-modes.ts'
import { thingOfFields } from './target-fields.ts'
import type { Thing } from '../readings/thing.ts'
import { withArticle } from '../readings/thing-names.ts'

type NameOf = (thing: Thing) => string

/** Such as `When altitude falls below 200 km, point retrograde.` */
export function ruleSentence(rule: RuleRequest, nameOf: NameOf): string {
  const when = rule.once ? 'The first time' : 'When'
  return `${when} ${conditionWords(rule.condition, nameOf)}, ${actionWords(rule.action, nameOf)}.`
}

function conditionWords(condition: RuleCondition, nameOf: NameOf): string {
  const { type, above, below, apsis, game_time: time, outcome = 'any' } = condition
  const value = above ?? below ?? NaN
  const passes = above === undefined ? 'falls below' : 'rises above'
  const about = aboutOf(condition)
  const name = about && withArticle(nameOf(about))
  const words: Readonly<Record<RuleCondition['type'], () => string>> = {
    altitude: () => `altitude${name ? ` over ${name}` : ''} ${passes} ${distanceText(value)}`,
    distance: () => `distance to ${name} ${passes} ${distanceText(value)}`,
    speed: () => `speed${name ? ` past ${name}` : ''} ${passes} ${speedText(value)}`,
    fuel: () => `fuel ${passes} ${percentText(value)}`,
    apsis: () => `the ship passes its ${apsis}`,
    game_time: () => `it is ${dateText(Date.parse(time ?? ''))}`,
    maneuver_end: () => OUTCOMES[outcome],
  }
  return words[type]()
}

export const OUTCOMES: Readonly<Record<NonNullable<RuleCondition['outcome']>, string>> = {
  any: 'a maneuver ends',
  completed: 'a maneuver is complete',
  failed: 'a maneuver fails',
  aborted: 'a maneuver is aborted',
}

/** What a condition is measured from; undefined for the reference body. */
export function aboutOf(condition: RuleCondition): Thing | undefined {
  return thingOfFields({
    target_body: condition.body,
    target_ship_id: condition.ship_id,
    target_station_id: condition.station_id,
    target_jumpgate_id: condition.jumpgate_id,
  })
}

/** Such as `point retrograde`. */
export function actionWords(action: RuleAction, nameOf: NameOf): string {
  if (action.type === 'event') return 'note it'
  if (action.type === 'maneuver_abort') return 'abort the maneuver'
  const target = thingOfFields(action)
  const at = target ? ` ${nameOf(target)}` : ''
  if (action.type === 'maneuver_start') {
    return `start maneuver ${maneuverForm(action.maneuver).title}${at && `:${at}`}`
  }
  const { pointing, attitude, angular_rate: rate, wheel_unloading: unloads } = action
  const turn = STEERINGS.find(({ mode }) => mode === pointing)?.words.toLowerCase()
  const parts = [
    pointing === 'target' ? `point at${at}` : turn,
    attitude && 'turn to an attitude',
    rate && 'turn at a rate',
    unloads !== undefined && (unloads ? 'unload the wheels' : 'keep the wheels loaded'),
    engineWords(action),
  ]
  return parts.filter((part) => typeof part === 'string').join(' and ')
}

function engineWords(action: Extract<RuleAction, { type: 'control' }>): string | undefined {
  const { thrust_level: thrust, delta_v: deltaV, duration } = action
  if (thrust === undefined) return undefined
  if (thrust === 0) return 'cut the engine'
  const at = `at ${percentText(thrust)}`
  if (deltaV !== undefined) return `burn ${speedText(deltaV)} ${at}`
  return duration === undefined ? `thrust ${at}` : `burn ${duration} s ${at}`
}
