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
import {
  NEW_RULE,
  type RuleDraft,
  type RuleFields,
  draftOf,
  draftedRule,
  textsOf,
} from '../../src/orders/rule-draft.ts'
import { actionWords, ruleSentence } from '../../src/orders/rule-words.ts'
import { thingOfFields } from '../../src/orders/target-fields.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

function ruleOf(condition: RuleCondition, action: RuleAction): RuleRequest {
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
  [
    'When speed past the Moon falls below 5.000 m/s, note it.',
    { type: 'speed', below: 5, body: 'Moon' },
    event,
  ],
  ['When fuel rises above 20 %, note it.', { type: 'fuel', above: 0.2 }, event],
  ['When a maneuver ends, note it.', { type: 'maneuver_end', outcome: 'any' }, event],
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
  module: { type: 'module', module: 'mining', column: 'ore', above: 7999.5 },
}

function nameOf(thing: { kind: string; name?: string; id?: string }): string {
  return thing.name ?? `${thing.kind} ${thing.id}`
}

test.each<[string, RuleAction]>([
  ['thrust at 50 %', { type: 'control', thrust_level: 0.5 }],
  ['burn 60 s at 100.0 %', { type: 'control', thrust_level: 1, duration: 60 }],
  ['turn to an attitude', { type: 'control', attitude }],
  ['turn at a rate', { type: 'control', angular_rate }],
  ['unload the wheels', { type: 'control', wheel_unloading: true }],
  [
    'point prograde and keep the wheels loaded and cut the engine',
    { type: 'control', pointing: 'prograde', wheel_unloading: false, thrust_level: 0 },
  ],
  ['start maneuver Circularize', { type: 'maneuver_start', maneuver: 'circularize' }],
  [
    'start maneuver Transfer: Moon',
    { type: 'maneuver_start', maneuver: 'transfer', target_body: 'Moon' },
  ],
])('a rule says %s', (words, action) => {
  expect(actionWords(action, nameOf)).toBe(words)
})

test.each(RULES)('%s', (sentence, condition, action) => {
  const rule = ruleOf(condition, action)
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

test('a rule of a module has a sentence, and keeps its command', () => {
  const sold = { module: 'mining', command: 'sell', values: { kg: 500 } }
  const rule = { ...ruleOf(CONDITIONS.module, event), module_command: sold }
  expect(ruleSentence(rule, nameOf)).toBe(
    'When ore of mining rises above 8,000, order sell of mining.',
  )
  expect(renamed(rule)).toEqual(rule)
  const action: RuleAction = { type: 'control', thrust_level: 0 }
  expect(ruleSentence({ ...rule, action }, nameOf)).toBe(
    'When ore of mining rises above 8,000, cut the engine and order sell of mining.',
  )
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

describe('a new rule', () => {
  const texts = { condition: { altitude: '200', fuel: '20' }, action: { thrust_level: '50' } }
  const maneuver = (): string => 'No maneuver.'
  const drafted = (draft: Partial<RuleDraft>, more: Partial<RuleFields> = {}): unknown =>
    draftedRule({ draft: { ...NEW_RULE, ...draft }, texts, maneuver, target: undefined, ...more })

  test('is armed, and acts each time', () => {
    const retrograde: RuleAction = { type: 'control', pointing: 'retrograde' }
    expect(drafted({ name: 'Mine' })).toEqual(ruleOf(altitude, retrograde))
    const shortest = { name: 'Mine', condition: altitude, action: event }
    expect(draftOf(shortest)).toMatchObject({ once: false, armed: true })
    const other = { once: true, armed: false }
    expect(draftOf({ ...shortest, ...other })).toMatchObject(other)
    expect(drafted({ once: true, armed: false })).toMatchObject({ once: true, armed: false })
  })

  test.each<[Partial<RuleDraft>, RuleAction | string]>([
    [{ action: 'abort' }, { type: 'maneuver_abort' }],
    [{ action: 'thrust' }, { type: 'control', thrust_level: 0.5 }],
    [{ pointing: 'away' }, 'No rule can point away from a target.'],
    [{ pointing: 'target' }, 'Choose a target first.'],
    [{ action: 'maneuver' }, 'No maneuver.'],
    [{ action: 'kept' }, 'Choose what the rule does.'],
  ])('with %j does %j', (draft, action) => {
    const rule = drafted(draft)
    expect(Object(rule).action ?? rule).toEqual(action)
  })

  test('points at its own target, and burns by what is written', () => {
    const target = { kind: 'station', id: ID } as const
    const action = { type: 'control', pointing: 'target', target_station_id: ID }
    expect(drafted({ pointing: 'target' }, { target })).toMatchObject({ action })
    expect(drafted({ action: 'burn' })).toContain('delta_v')
    const burn = { ...texts, action: { thrust_level: '50', delta_v: '12' } }
    expect(drafted({ action: 'burn' }, { texts: burn })).toMatchObject({
      action: { type: 'control', thrust_level: 0.5, delta_v: 12 },
    })
  })

  test('is measured from a thing, but its fuel is not', () => {
    const about = { kind: 'body', name: 'Moon' } as const
    const measured = (condition: RuleDraft['condition'], side: RuleDraft['side']): unknown =>
      Object(drafted({ condition, side, about })).condition
    expect(measured('altitude', 'above')).toEqual({
      type: 'altitude',
      above: 200_000,
      body: 'Moon',
    })
    expect(measured('fuel', 'below')).toEqual({ type: 'fuel', below: 0.2 })
    expect(drafted({ condition: 'speed' })).toBe('Speed must be a number.')
    expect(drafted({ condition: 'distance' })).toBe('Distance must be a number.')
    expect(drafted({ condition: 'fuel' }, { texts: { condition: {}, action: {} } })).toBe(
      'Fuel must be a number.',
    )
  })

  test.each(['2026-11-24 12:00', ' 2026-11-24 12:00:00 UTC '])('begins at %j', (time) => {
    const condition = { type: 'game_time', game_time: '2026-11-24T12:00:00.000Z' }
    expect(drafted({ condition: 'game_time', time })).toMatchObject({ condition })
  })

  test('at what is no time is refused', () => {
    expect(drafted({ condition: 'game_time', time: 'soon' })).toContain('game_time')
  })

  test('fields begin with full thrust and a short burn, and a time as people write it', () => {
    const time: RuleCondition = { type: 'game_time', game_time: '2027-01-02T03:04:05.678Z' }
    const rule = ruleOf(time, event)
    expect(textsOf(rule)).toEqual({ condition: {}, action: { thrust_level: '100', delta_v: '10' } })
    expect(draftOf(rule).time).toBe('2027-01-02 03:04:05')
  })
})
