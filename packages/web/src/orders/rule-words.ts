/** Rules as sentences. */
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { lowerFirst, say } from '../languages/say.ts'
import { maneuverForm } from './maneuvers.ts'
import {
  dateText,
  distanceText,
  numberText,
  percentText,
  speedText,
} from '../quantities/quantities.ts'
import { STEERINGS } from './steering-modes.ts'
import { thingOfFields } from './target-fields.ts'
import type { Thing } from '../readings/thing.ts'
import { withArticle } from '../readings/thing-names.ts'

type NameOf = (thing: Thing) => string

export type OrderedCommand = NonNullable<RuleRequest['module_command']>

/** Undefined for what no panel shows. */
export interface RulePartWords {
  /** such as `Ore of Mining rises above 7,000 kg` */
  conditionWords(condition: RuleCondition): string | undefined
  /** such as `order Stop the drill of Mining` */
  commandWords(ordered: OrderedCommand): string | undefined
}

/** Such as `When altitude falls below 200 km, point retrograde.` */
export function ruleSentence(rule: RuleRequest, nameOf: NameOf, parts?: RulePartWords): string {
  const condition = parts?.conditionWords(rule.condition) ?? conditionWords(rule.condition, nameOf)
  const action = thenWords(rule, nameOf, parts)
  return rule.once
    ? say('The first time {condition}, {action}.', { condition, action })
    : say('When {condition}, {action}.', { condition, action })
}

/** What a rule does, a command of a module included. */
function thenWords(rule: RuleRequest, nameOf: NameOf, parts: RulePartWords | undefined): string {
  const { action, module_command: ordered } = rule
  if (!ordered) return actionWords(action, nameOf)
  const words = parts?.commandWords(ordered) ?? say('order {command} of {module}', { ...ordered })
  return action.type === 'event' ? words : actionWords(action, nameOf) + say(' and ') + words
}

function conditionWords(condition: RuleCondition, nameOf: NameOf): string {
  const { type, above, below, apsis, game_time: time, outcome = 'any' } = condition
  const { column = '', module = '' } = condition
  const value = above ?? below ?? NaN
  const passes = (value: string): string =>
    above === undefined
      ? say('falls below {value}', { value })
      : say('rises above {value}', { value })
  const about = aboutOf(condition)
  const name = about && withArticle(nameOf(about))
  const words: Readonly<Record<RuleCondition['type'], () => string>> = {
    altitude: () => {
      const passed = passes(distanceText(value))
      return name
        ? say('altitude over {name} {passed}', { name, passed })
        : say('altitude {passed}', { passed })
    },
    distance: () =>
      say('distance to {name} {passed}', { name: `${name}`, passed: passes(distanceText(value)) }),
    speed: () => {
      const passed = passes(speedText(value))
      return name
        ? say('speed past {name} {passed}', { name, passed })
        : say('speed {passed}', { passed })
    },
    fuel: () => say('fuel {passed}', { passed: passes(percentText(value)) }),
    apsis: () =>
      apsis === 'apoapsis'
        ? say('the ship passes its apoapsis')
        : say('the ship passes its periapsis'),
    game_time: () => say('it is {date}', { date: dateText(Date.parse(time ?? '')) }),
    maneuver_end: () => OUTCOMES[outcome],
    module: () => {
      const passed = passes(numberText(value))
      return say('{column} of {module} {passed}', { column, module, passed })
    },
  }
  return words[type]()
}

export const OUTCOMES: Readonly<Record<NonNullable<RuleCondition['outcome']>, string>> = {
  any: say('a maneuver ends'),
  completed: say('a maneuver is complete'),
  failed: say('a maneuver fails'),
  aborted: say('a maneuver is aborted'),
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
  if (action.type === 'event') return say('note it')
  if (action.type === 'maneuver_abort') return say('abort the maneuver')
  const target = thingOfFields(action)
  const at = target ? ` ${nameOf(target)}` : ''
  if (action.type === 'maneuver_start') {
    const { title } = maneuverForm(action.maneuver)
    return say('start maneuver {title}', { title }) + (at && `:${at}`)
  }
  const { pointing, attitude, angular_rate: rate, wheel_unloading: unloads } = action
  const turn = STEERINGS.find(({ mode }) => mode === pointing)?.words
  const parts = [
    pointing === 'target' ? say('point at{target}', { target: at }) : turn && lowerFirst(turn),
    attitude && say('turn to an attitude'),
    rate && say('turn at a rate'),
    unloads !== undefined && (unloads ? say('unload the wheels') : say('keep the wheels loaded')),
    engineWords(action),
  ]
  return parts.filter((part) => typeof part === 'string').join(say(' and '))
}

function engineWords(action: Extract<RuleAction, { type: 'control' }>): string | undefined {
  const { thrust_level: thrust, delta_v: deltaV, duration } = action
  if (thrust === undefined) return undefined
  if (thrust === 0) return say('cut the engine')
  const level = percentText(thrust)
  if (deltaV !== undefined) return say('burn {size} at {level}', { size: speedText(deltaV), level })
  return duration === undefined
    ? say('thrust at {level}', { level })
    : say('burn {size} at {level}', { size: `${duration} s`, level })
}
