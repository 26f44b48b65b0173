import {
  CONDITION_KINDS,
  type ConditionKind,
  type Control,
  MANEUVER_ENDS,
  RULES_PER_SHIP,
  plainControl,
} from '@orrery/sim'
import * as v from 'valibot'
import { requireSound } from './sound-control.ts'
import { keptControl } from './kept-control.ts'
import { EngineError } from '../engine-error.ts'
import { type ModuleBody, moduleBody } from './module-body.ts'

/** How a maneuver can have ended, to a rule. */
const OUTCOMES = [...MANEUVER_ENDS.slice(1), 'any'] as readonly ('any' | Ended)[]

type Ended = Exclude<(typeof MANEUVER_ENDS)[number], 'none'>

/** When a rule fires: what is measured, from where, and the value it is at or beyond. */
export interface RuleCondition {
  readonly kind: ConditionKind
  /**
   * It holds at or above the value [m, m/s, fraction of the tank, lattice index of a time; 0 past a
   * periapsis].
   */
  readonly above?: number
  /** It holds at or below the value; 0 past an apoapsis. */
  readonly below?: number
  /** body index; without a target it is measured from the reference body */
  readonly body?: number
  /** ship number */
  readonly ship?: number
  readonly stationId?: string
  readonly jumpgateId?: string
  /** how the last maneuver has ended */
  readonly outcome?: 'any' | Ended
  /** a module, and its column of the ship or its account, in the column's unit; a bit is 0 or 1 */
  readonly module?: string
  readonly column?: string
}

/** A command of a module that a rule orders. */
export interface OrderedCommand {
  readonly module: string
  readonly command: string
  readonly body: ModuleBody
}

/** A player's own "when, then". */
export interface Rule {
  readonly ruleId: string
  readonly name: string
  /** it is disarmed when it fires */
  readonly once: boolean
  /** false for one that does not fire until it is set again */
  readonly armed: boolean
  readonly condition: RuleCondition
  /** what its ship is ordered; without it, only an event is sent */
  readonly order?: Control
  /** it acts at the full second after the rule has fired */
  readonly command?: OrderedCommand
  /** as its player wrote it; opaque to the engine */
  readonly source: string
}

/** A rule that stays as it is when others of its ship change. */
export interface SameRule {
  readonly ruleId: string
}

const text = v.pipe(v.string(), v.nonEmpty())
const real = v.pipe(v.number(), v.finite())
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** A rule in a journal or an image. */
export const ruleSchema: v.GenericSchema<unknown, Rule> = v.strictObject({
  ruleId: text,
  name: text,
  once: v.boolean(),
  armed: v.boolean(),
  condition: v.strictObject({
    kind: v.picklist(CONDITION_KINDS),
    above: v.exactOptional(real),
    below: v.exactOptional(real),
    body: v.exactOptional(count),
    ship: v.exactOptional(count),
    stationId: v.exactOptional(text),
    jumpgateId: v.exactOptional(text),
    outcome: v.exactOptional(v.picklist(OUTCOMES)),
    module: v.exactOptional(text),
    column: v.exactOptional(text),
  }),
  order: v.exactOptional(keptControl),
  command: v.exactOptional(v.strictObject({ module: text, command: text, body: moduleBody })),
  source: v.string(),
})

/** The rules of a ship in a journal. */
export const ruleListSchema: v.GenericSchema<unknown, readonly (Rule | SameRule)[]> = v.pipe(
  v.array(v.union([ruleSchema, v.strictObject({ ruleId: text })])),
  v.maxLength(RULES_PER_SHIP),
)

/** The rules of one ship in an image. */
export interface KeptRules {
  /** ship number */
  readonly ship: number
  readonly rules: readonly Rule[]
}

export const keptRules: v.GenericSchema<unknown, KeptRules> = v.strictObject({
  ship: count,
  rules: v.array(ruleSchema),
})

/** What a kind of condition takes beside its value. */
interface Shape {
  readonly targets: readonly (typeof TARGETS)[number][]
  readonly needsTarget?: true
  /** least and greatest value */
  readonly range: readonly [number, number]
}

const TARGETS = ['body', 'ship', 'stationId', 'jumpgateId'] as const
const ANY = [-Infinity, Infinity] as const
const SHAPES: Readonly<Record<Exclude<ConditionKind, 'maneuver_end'>, Shape>> = {
  altitude: { targets: ['body'], range: ANY },
  distance: { targets: TARGETS, needsTarget: true, range: [0, Infinity] },
  speed: { targets: TARGETS, range: [0, Infinity] },
  fuel: { targets: [], range: [0, 1] },
  apsis: { targets: [], range: [0, 0] },
  time: { targets: [], range: ANY },
  module: { targets: [], range: ANY },
}

/** @throws {EngineError} 'ERR_RULE', 'ERR_CONTROL' */
export function requireSoundRule({ condition, order }: Rule): void {
  const fault = conditionFault(condition)
  if (fault) throw new EngineError('ERR_RULE', fault)
  if (order) requireSound(order)
  // Its times would have passed.
  if (order?.maneuver?.nodes) throw new EngineError('ERR_RULE', 'A rule orders no plan of burns.')
}

function conditionFault(condition: RuleCondition): string | undefined {
  const { kind, above, below, column, module, outcome } = condition
  const isOfModule = kind === 'module'
  if ((module !== undefined) !== isOfModule || (column !== undefined) !== isOfModule) {
    return 'A module and its column go with kind module.'
  }
  const given = TARGETS.filter((target) => condition[target] !== undefined)
  if (kind === 'maneuver_end') {
    const others = above !== undefined || below !== undefined || given.length > 0
    return outcome === undefined || others ? 'maneuver_end takes an outcome alone.' : undefined
  }
  const { targets, needsTarget, range } = SHAPES[kind]
  const value = above ?? below ?? NaN
  if (outcome !== undefined || (above === undefined) === (below === undefined)) {
    return `${kind} takes one value, above or below.`
  }
  if (!(value >= range[0] && value <= range[1])) return `${kind} has no value ${value}.`
  if (kind === 'time' && above === undefined) return 'A time is reached from below.'
  if (given.length > 1) return 'A condition has one target.'
  if (given.some((target) => !targets.includes(target))) return `${kind} takes no such target.`
  return needsTarget && given.length === 0 ? `${kind} needs a target.` : undefined
}

/** As it comes back from JSON: fields in one order, and no -0. */
export function plainRule(rule: Rule): Rule {
  const { ruleId, name, once, armed, condition, order, command, source } = rule
  const { kind, above, below, body, ship, stationId, jumpgateId, outcome } = condition
  const { module, column } = condition
  return {
    ruleId,
    name,
    once,
    armed,
    condition: {
      kind,
      ...(above !== undefined && { above: above + 0 }),
      ...(below !== undefined && { below: below + 0 }),
      ...(body !== undefined && { body }),
      ...(ship !== undefined && { ship }),
      ...(stationId !== undefined && { stationId }),
      ...(jumpgateId !== undefined && { jumpgateId }),
      ...(outcome !== undefined && { outcome }),
      ...(module !== undefined && { module }),
      ...(column !== undefined && { column }),
    },
    ...(order && { order: plainControl(order) }),
    ...(command && { command: plainCommand(command) }),
    source,
  }
}

/** Databases put the names of a body in an order of their own. */
function plainCommand({ module, command, body }: OrderedCommand): OrderedCommand {
  const values = Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const plain = values.map(([name, value]) => [name, typeof value === 'number' ? value + 0 : value])
  return { module, command, body: Object.fromEntries(plain) as ModuleBody }
}

/** Ids of the stations and gates that a rule names. */
export function railsOf({ condition, order }: Rule): string[] {
  const named = [condition, order, order?.maneuver]
  const ids = named.flatMap((target) => [target?.stationId, target?.jumpgateId])
  return ids.filter((id) => id !== undefined)
}

/** Ids of the modules that a rule names. */
export function modulesOf({ command, condition }: Rule): string[] {
  return [condition.module, command?.module].filter((id) => id !== undefined)
}
