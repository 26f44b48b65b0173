// Laws: a rule that is changed and saved without a change is the same; each has a plain sentence.
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { ruleFault } from '@orrery/client/message-fault'
import { describe, expect, test } from 'vitest'
import {
  type ManeuverName,
  maneuverForm,
  maneuverOrder,
  textsOfManeuver,
} from '../../src/orders/maneuvers.ts'
import { type RuleFields, draftOf, draftedRule, textsOf } from '../../src/orders/rule-draft.ts'
import { ruleSentence } from '../../src/orders/rule-words.ts'
import { thingOfFields } from '../../src/orders/target-fields.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

function ruleOf(condition: RuleCondition, action: RuleAction): Required<RuleRequest> {
  return { name: 'Mine', once: false, armed: true, condition, action }
}

const event: RuleAction = { type: 'event' }
const altitude: RuleCondition = { type: 'altitude', below: 200_000 }

const RULES: readonly (readonly [string, RuleCondition, RuleAction])[] = [
  ['When altitude falls below 200.0 km, note it.', altitude, event],
  [
    'When altitude over the Moon rises above 10.00 km, note it.',
    { type: 'altitude', above: 10_000, body: 'Moon' },
    event,
  ],
  [
    `When distance to station ${ID} falls below 5.000 km, note it.`,
    { type: 'distance', below: 5000, station_id: ID },
    event,
  ],
  ['When speed rises above 950.0 m/s, note it.', { type: 'speed', above: 950 }, event],
  ['When fuel falls below 20 %, note it.', { type: 'fuel', below: 0.2 }, event],
  ['When the ship passes its apoapsis, note it.', { type: 'apsis', apsis: 'apoapsis' }, event],
  [
    'When it is 2027-01-02 03:04:05 UTC, note it.',
    { type: 'game_time', game_time: '2027-01-02T03:04:05.000Z' },
    event,
  ],
  ['When a maneuver fails, note it.', { type: 'maneuver_end', outcome: 'failed' }, event],
  [
    'When altitude falls below 200.0 km, point retrograde.',
    altitude,
    { type: 'control', pointing: 'retrograde' },
  ],
  [
    `When altitude falls below 200.0 km, point at ship ${ID}.`,
    altitude,
    { type: 'control', pointing: 'target', target_ship_id: ID },
  ],
  [
    'When altitude falls below 200.0 km, burn 12.50 m/s at 50 %.',
    altitude,
    { type: 'control', thrust_level: 0.5, delta_v: 12.5 },
  ],
  [
    'When altitude falls below 200.0 km, cut the engine.',
    altitude,
    { type: 'control', thrust_level: 0 },
  ],
  ['When altitude falls below 200.0 km, abort the maneuver.', altitude, { type: 'maneuver_abort' }],
]

type Control = Omit<Extract<RuleAction, { type: 'control' }>, 'type'>
type Maneuver = Omit<Extract<RuleAction, { type: 'maneuver_start' }>, 'type' | 'maneuver'>

const attitude = { w: 0.5, x: 0.5, y: 0.5, z: 0.5 }
const angular_rate = { x: 0, y: 0.01, z: 0 }

/** Numbers have more digits than a field shows. */
const CONTROLS: readonly Control[] = [
  { thrust_level: 0.123_456_789 },
  { thrust_level: 0.123_456_789, delta_v: 12.345_678_9 },
  { thrust_level: 1, duration: 60 },
  { attitude },
  { attitude, thrust_level: 1, delta_v: 10 },
  { angular_rate },
  { angular_rate, thrust_level: 0.5 },
  { wheel_unloading: true },
  { wheel_unloading: false, pointing: 'rest' },
]

const POINTINGS: { readonly [Pointing in NonNullable<Control['pointing']>]: Control } = {
  hold: { pointing: 'hold' },
  prograde: { pointing: 'prograde' },
  retrograde: { pointing: 'retrograde' },
  normal: { pointing: 'normal' },
  antinormal: { pointing: 'antinormal' },
  radial_out: { pointing: 'radial_out' },
  radial_in: { pointing: 'radial_in' },
  target: { pointing: 'target', target_station_id: ID },
  rest: { pointing: 'rest' },
  loose: { pointing: 'loose' },
  sun: { pointing: 'sun' },
}

const MANEUVERS: { readonly [Name in ManeuverName]: Maneuver } = {
  attitude: { attitude },
  kill_rotation: {},
  circularize: { timeout: 12_345.678_9 },
  set_orbit: { semi_major_axis: 7_123_456.789, eccentricity: 1e-9, thrust_level: 0.333_333_333 },
  transfer: { target_body: 'Moon', altitude: 123_456.789 },
  rendezvous: { target_ship_id: ID },
  hold_station: { target_jumpgate_id: ID, timeout: 1 },
  escape: {},
}

const CONDITIONS: { readonly [Type in RuleCondition['type']]: RuleCondition } = {
  altitude: { type: 'altitude', above: 123_456.789_1, body: 'Moon' },
  distance: { type: 'distance', below: 5.000_000_01, jumpgate_id: ID },
  speed: { type: 'speed', above: 7654.321_987, ship_id: ID },
  fuel: { type: 'fuel', below: 0.123_456_789 },
  apsis: { type: 'apsis', apsis: 'apoapsis' },
  game_time: { type: 'game_time', game_time: '2027-01-02T03:04:05.678Z' },
  maneuver_end: { type: 'maneuver_end' },
}

test.each(RULES)('%s', (sentence, condition, action) => {
  const rule = ruleOf(condition, action)
  const nameOf = (thing: { kind: string; name?: string; id?: string }): string =>
    thing.name ?? `${thing.kind} ${thing.id}`
  expect(ruleSentence(rule, nameOf)).toBe(sentence)
  expect(draftedRule(fieldsOf(rule))).toEqual(rule)
})

/** The fields of a form that shows a rule, as the page fills them. */
function fieldsOf(rule: RuleRequest): RuleFields {
  const { action } = rule
  const isAimed = action.type === 'control' || action.type === 'maneuver_start'
  const order = action.type === 'maneuver_start' ? action : undefined
  const target = isAimed ? thingOfFields(action) : undefined
  return {
    draft: draftOf(rule),
    texts: textsOf(rule),
    maneuver: () =>
      maneuverOrder(maneuverForm(order?.maneuver ?? ''), order ? textsOfManeuver(order) : {}, {
        body: order?.target_body ?? '',
        pointing: order?.pointing ?? 'prograde',
        target,
      }),
    target,
  }
}

/** A rule that was given another name in its form, with its old name. */
function renamed(rule: RuleRequest): unknown {
  const { draft, ...fields } = fieldsOf(rule)
  const saved = draftedRule({ ...fields, draft: { ...draft, name: 'Other' } }, rule)
  expect(saved).toMatchObject({ name: 'Other' })
  return { ...Object(saved), name: rule.name }
}

const POINTED = Object.values(POINTINGS)

const ACTIONS: readonly RuleAction[] = [
  ...CONTROLS.map((fields) => ({ type: 'control', ...fields }) as const),
  ...POINTED.map((fields) => ({ type: 'control', ...fields }) as const),
  ...POINTED.map(
    (fields) => ({ type: 'control', thrust_level: 1, duration: 60, ...fields }) as const,
  ),
  ...POINTED.filter(({ pointing }) => pointing !== 'rest' && pointing !== 'loose').map(
    (fields) => ({ type: 'maneuver_start', maneuver: 'attitude', ...fields }) as const,
  ),
  ...Object.entries(MANEUVERS).map(
    ([maneuver, fields]) =>
      ({ type: 'maneuver_start', maneuver: maneuver as ManeuverName, ...fields }) as const,
  ),
  { type: 'maneuver_abort' },
  event,
]

describe('a rule of which only the name is changed does the same', () => {
  test.each(ACTIONS)('action %j', (action) => {
    const rule = ruleOf(altitude, action)
    expect(ruleFault(rule)).toBeUndefined()
    expect(renamed(rule)).toEqual(rule)
  })

  test.each(Object.values(CONDITIONS))('condition %j', (condition) => {
    const rule = ruleOf(condition, event)
    expect(ruleFault(rule)).toBeUndefined()
    expect(renamed(rule)).toEqual(rule)
  })
})

test('what a form shows can be changed, and what it cannot show is replaced by choice', () => {
  const burn: RuleAction = { type: 'control', thrust_level: 0.123_456_789, duration: 60 }
  const rule = ruleOf(altitude, burn)
  const { draft, ...fields } = fieldsOf(rule)
  const texts = { ...fields.texts, condition: { altitude: '300' } }
  expect(draftedRule({ ...fields, draft, texts }, rule)).toEqual({
    ...rule,
    condition: { type: 'altitude', below: 300_000 },
  })
  const noted = { ...draft, action: 'event' } as const
  expect(draftedRule({ ...fields, draft: noted }, rule)).toEqual({ ...rule, action: event })
})

test('what is wrong with a rule is said in words of the protocol', () => {
  const fields = fieldsOf(ruleOf(altitude, event))
  const texts = { condition: { altitude: 'low' }, action: {} }
  expect(draftedRule({ ...fields, texts })).toBe('Altitude must be a number.')
  const unnamed = { ...fields.draft, name: '' }
  expect(draftedRule({ ...fields, draft: unnamed })).toBe('name must have 1 to 64 characters')
})
