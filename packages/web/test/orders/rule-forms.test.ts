// Laws: a form of a rule makes what it shows, or says what it lacks; what it cannot show is kept.
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { expect, test } from 'vitest'
import {
  MANEUVERS,
  MANEUVER_POINTINGS,
  maneuverForm,
  maneuverOrder,
  maneuverTitle,
  proposedTexts,
  textsOfManeuver,
} from '../../src/orders/maneuvers.ts'
import {
  NEW_RULE,
  type RuleDraft,
  type RuleFields,
  draftOf,
  draftedRule,
  isMeasured,
  textsOf,
} from '../../src/orders/rule-draft.ts'
import { actionWords, ruleSentence } from '../../src/orders/rule-words.ts'
import { STEERINGS } from '../../src/orders/steering-modes.ts'
import { isTurn } from '../../src/orders/turns.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const STATION = { kind: 'station', id: ID } as const
const event: RuleAction = { type: 'event' }
const altitude: RuleCondition = { type: 'altitude', below: 200_000 }

const ruleOf = (condition: RuleCondition, action: RuleAction): RuleRequest => {
  return { name: 'Mine', once: false, armed: true, condition, action }
}

/** A form of a new rule with some fields filled in. */
function drafted(draft: Partial<RuleDraft>, more: Partial<RuleFields> = {}): RuleRequest | string {
  const maneuver = (): string => 'No maneuver'
  return draftedRule({
    draft: { ...NEW_RULE, ...draft },
    texts: textsOf(ruleOf(altitude, event)),
    maneuver,
    target: undefined,
    ...more,
  })
}

test('a new rule points retrograde below 200 km, whenever that comes', () => {
  expect(drafted({})).toEqual({
    name: 'New rule',
    once: false,
    armed: true,
    condition: { type: 'altitude', below: 200_000 },
    action: { type: 'control', pointing: 'retrograde' },
  })
})

test.each<[Partial<RuleDraft>, unknown]>([
  [{ side: 'above' }, { type: 'altitude', above: 200_000 }],
  [{ about: { kind: 'body', name: 'Moon' } }, { type: 'altitude', below: 200_000, body: 'Moon' }],
  [{ condition: 'apsis' }, { type: 'apsis', apsis: 'periapsis' }],
  [{ condition: 'maneuver_end' }, { type: 'maneuver_end', outcome: 'any' }],
  [
    { condition: 'game_time', time: ' 2027-01-02 03:04:05 UTC ' },
    { type: 'game_time', game_time: '2027-01-02T03:04:05.000Z' },
  ],
])('%j is the condition %j', (draft, condition) => {
  expect(drafted(draft)).toMatchObject({ condition })
})

test.each([
  ['distance', STATION, { type: 'distance', below: 5000, station_id: ID }],
  ['distance', { kind: 'ship', id: ID }, { type: 'distance', below: 5000, ship_id: ID }],
  ['distance', { kind: 'jumpgate', id: ID }, { type: 'distance', below: 5000, jumpgate_id: ID }],
  ['fuel', STATION, { type: 'fuel', below: 0.5 }],
] as const)('%s of %j is the condition %j', (condition, about, made) => {
  const texts = { condition: { distance: '5', fuel: '50' }, action: {} }
  expect(drafted({ condition, about }, { texts })).toMatchObject({ condition: made })
})

test('a time that is none is refused as it was typed', () => {
  expect(drafted({ condition: 'game_time', time: 'noon' })).toMatch(/^condition\.game_time must be/)
})

test.each<[Partial<RuleDraft>, Partial<RuleFields>, unknown]>([
  [{ action: 'event' }, {}, event],
  [{ action: 'abort' }, {}, { type: 'maneuver_abort' }],
  [{ action: 'thrust' }, {}, { type: 'control', thrust_level: 1 }],
  [{ action: 'burn' }, {}, { type: 'control', thrust_level: 1, delta_v: 10 }],
  [{ pointing: 'sun' }, {}, { type: 'control', pointing: 'sun' }],
  [
    { pointing: 'target' },
    { target: STATION },
    { type: 'control', pointing: 'target', target_station_id: ID },
  ],
  [
    { action: 'maneuver' },
    { maneuver: () => ({ type: 'maneuver_start', maneuver: 'escape' }) },
    { type: 'maneuver_start', maneuver: 'escape' },
  ],
])('%j does %j', (draft, more, action) => {
  expect(drafted(draft, more)).toMatchObject({ action })
})

test.each<[Partial<RuleDraft>, string]>([
  [{ pointing: 'target' }, 'Choose a target first.'],
  [{ pointing: 'away' }, 'No rule can point away from a target.'],
  [{ action: 'maneuver' }, 'No maneuver'],
  [{ action: 'kept' }, 'Choose what the rule does.'],
  [{ condition: 'speed' }, 'Speed must be a number.'],
])('a form with %j lacks something', (draft, words) => {
  expect(drafted(draft)).toBe(words)
})

test('the form of a rule shows all of it', () => {
  const condition: RuleCondition = { type: 'speed', above: 950, ship_id: ID }
  const burn: RuleAction = { type: 'control', thrust_level: 0.5, delta_v: 20 }
  const rule = { ...ruleOf(condition, burn), once: true, armed: false }
  expect(draftOf(rule)).toEqual({
    ...NEW_RULE,
    name: 'Mine',
    once: true,
    armed: false,
    condition: 'speed',
    side: 'above',
    about: { kind: 'ship', id: ID },
    action: 'burn',
  })
  expect(textsOf(rule)).toEqual({
    condition: { speed: '950' },
    action: { thrust_level: '50', delta_v: '20' },
  })
  const { once: _once, armed: _armed, ...least } = rule
  expect(draftOf(least)).toMatchObject({ once: false, armed: true })
  expect(textsOf(ruleOf({ type: 'apsis', apsis: 'apoapsis' }, event))).toEqual({
    condition: {},
    action: { thrust_level: '100', delta_v: '10' },
  })
  const time = { type: 'game_time', game_time: '2027-01-02T03:04:05.678Z' } as const
  expect(draftOf(ruleOf(time, event)).time).toBe('2027-01-02 03:04:05')
  const ends = { type: 'maneuver_end', outcome: 'failed' } as const
  expect(draftOf(ruleOf(ends, event)).outcome).toBe('failed')
  expect(draftOf(ruleOf({ type: 'apsis', apsis: 'apoapsis' }, event)).apsis).toBe('apoapsis')
})

const attitude = { w: 1, x: 0, y: 0, z: 0 }

test.each<[RuleAction, RuleDraft['action']]>([
  [{ type: 'maneuver_abort' }, 'abort'],
  [event, 'event'],
  [{ type: 'maneuver_start', maneuver: 'escape' }, 'maneuver'],
  [{ type: 'maneuver_start', maneuver: 'attitude', attitude }, 'kept'],
  [{ type: 'maneuver_start', maneuver: 'attitude', pointing: 'prograde' }, 'maneuver'],
  [{ type: 'maneuver_start', maneuver: 'attitude', pointing: 'hold' }, 'kept'],
  [{ type: 'control', thrust_level: 1 }, 'thrust'],
  [{ type: 'control', id: '7', at: 640, thrust_level: 1 }, 'thrust'],
  [{ type: 'control', thrust_level: 1, delta_v: 5 }, 'burn'],
  [{ type: 'control', thrust_level: 1, duration: 5 }, 'kept'],
  [{ type: 'control', pointing: 'prograde' }, 'point'],
  [{ type: 'control', pointing: 'target', target_ship_id: ID }, 'point'],
  [{ type: 'control', pointing: 'prograde', thrust_level: 1 }, 'kept'],
  [{ type: 'control', attitude }, 'kept'],
])('%j is shown as %s', (action, kind) => {
  expect(draftOf(ruleOf(altitude, action)).action).toBe(kind)
})

test('a rule that was made for another form of its action is replaced, not mixed', () => {
  const rule = ruleOf(altitude, { type: 'control', thrust_level: 1, duration: 5 })
  const fields = { texts: textsOf(rule), maneuver: () => '', target: undefined }
  const saved = (draft: Partial<RuleDraft>): unknown =>
    draftedRule({ ...fields, draft: { ...draftOf(rule), ...draft } }, rule)
  expect(saved({})).toEqual(rule)
  expect(saved({ side: 'above' })).toMatchObject({
    condition: { above: 200_000 },
    action: rule.action,
  })
  expect(saved({ action: 'thrust' })).toMatchObject({
    action: { type: 'control', thrust_level: 1 },
  })
})

test.each<[RuleAction, string]>([
  [{ type: 'control', attitude }, 'turn to an attitude'],
  [{ type: 'control', angular_rate: { x: 0, y: 1, z: 0 } }, 'turn at a rate'],
  [{ type: 'control', wheel_unloading: true }, 'unload the wheels'],
  [{ type: 'control', wheel_unloading: false }, 'keep the wheels loaded'],
  [{ type: 'control', thrust_level: 0.5 }, 'thrust at 50 %'],
  [{ type: 'control', thrust_level: 0.5, duration: 60 }, 'burn 60 s at 50 %'],
  [{ type: 'control', thrust_level: 0, pointing: 'rest' }, 'stop turning and cut the engine'],
  [{ type: 'control', pointing: 'target', target_station_id: ID }, 'point at Gateway'],
  [
    { type: 'control', pointing: 'prograde', thrust_level: 0.5 },
    'point prograde and thrust at 50 %',
  ],
  [{ type: 'maneuver_start', maneuver: 'escape' }, 'start maneuver Escape'],
  [
    { type: 'maneuver_start', maneuver: 'rendezvous', target_station_id: ID },
    'start maneuver Rendezvous: Gateway',
  ],
])('%j is to %s', (action, words) => {
  expect(actionWords(action, () => 'Gateway')).toBe(words)
})

test.each<[RuleCondition, string]>([
  [{ type: 'speed', below: 5, station_id: ID }, 'speed past Gateway falls below 5.000 m/s'],
  [{ type: 'maneuver_end' }, 'a maneuver ends'],
  [{ type: 'maneuver_end', outcome: 'completed' }, 'a maneuver is complete'],
  [{ type: 'maneuver_end', outcome: 'aborted' }, 'a maneuver is aborted'],
])('%j is when %s', (condition, words) => {
  const rule = { ...ruleOf(condition, event), once: true }
  expect(ruleSentence(rule, () => 'Gateway')).toBe(`The first time ${words}, note it.`)
})

test('conditions with a value are four', () => {
  const types = ['altitude', 'distance', 'speed', 'fuel', 'apsis', 'game_time', 'maneuver_end']
  const measured = types.filter((type) => isMeasured(type as RuleCondition['type']))
  expect(measured).toEqual(['altitude', 'distance', 'speed', 'fuel'])
})

test('each direction has a place on the keyboard of its own, and a maneuver turns to most', () => {
  const modes = STEERINGS.map(({ mode }) => mode)
  expect(new Set(modes).size).toBe(12)
  expect(STEERINGS.map(({ key }) => key)).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => `Digit${digit}`),
    'KeyR',
    'KeyF',
  ])
  expect(MANEUVER_POINTINGS.map(({ mode }) => mode)).toEqual([...modes.slice(0, 7), 'sun'])
})

test('maneuvers have titles, those without a form too', () => {
  expect(['dock', 'plan', 'escape', 'of_a_later_server'].map(maneuverTitle)).toEqual([
    'Dock',
    'Plan',
    'Escape',
    'of a later server',
  ])
  const turns = MANEUVERS.map(({ maneuver }) => maneuver).filter(isTurn)
  expect(turns).toEqual(['attitude', 'kill_rotation'])
  expect(maneuverForm('of_a_later_server')).toBe(MANEUVERS[0])
  expect(maneuverForm('escape', true).maneuver).toBe('escape')
})

test('a form has what a maneuver was started with', () => {
  const order = { maneuver: 'transfer', target_body: 'Moon', altitude: 100_000 } as const
  const empty = { delta_v_max: '', depart_within: '', timeout: '' }
  expect(textsOfManeuver(order)).toEqual({ altitude: '100', ...empty })
})

test('only a form of an orbit proposes the present one, once it is known', () => {
  expect(proposedTexts(maneuverForm('set_orbit'), undefined)).toEqual({})
  const orbit = { semi_major_axis: 7e6, eccentricity: 0.1 }
  const ship = { mean_orbit: orbit } as Parameters<typeof proposedTexts>[1]
  expect(proposedTexts(maneuverForm('transfer'), ship)).toEqual({})
})

const AIM = { body: 'Moon', pointing: 'prograde', target: undefined }

test.each([
  ['transfer', AIM, { target_body: 'Moon' }],
  ['attitude', AIM, { pointing: 'prograde' }],
  ['attitude', { ...AIM, pointing: 'target' }, 'Choose a target first.'],
  [
    'attitude',
    { ...AIM, pointing: 'target', target: STATION },
    { pointing: 'target', target_station_id: ID },
  ],
  ['attitude', { ...AIM, target: STATION }, { pointing: 'prograde' }],
  ['hold_station', AIM, 'Choose a target first.'],
  ['hold_station', { ...AIM, target: STATION }, { target_station_id: ID }],
  ['escape', { ...AIM, target: STATION }, {}],
] as const)('%s with %j is directed at %j', (maneuver, aim, expected) => {
  const order = maneuverOrder(maneuverForm(maneuver), {}, aim)
  const wanted =
    typeof expected === 'string' ? expected : { type: 'maneuver_start', maneuver, ...expected }
  expect(order).toEqual(wanted)
})

const ORE: RuleCondition = { type: 'module', module: 'mining', column: 'ore', above: 7999.5 }
const REFINE = { module: 'mining', command: 'refine', values: { kg: 40 } }

test('a form makes a rule on a value of a module, which orders a command of one', () => {
  const ordered = { condition: 'module', ofModule: ORE, ordered: REFINE } as const
  const only = { ...ruleOf(ORE, event), module_command: REFINE }
  const made = drafted({ ...ordered, name: 'Mine', action: 'module' })
  expect(made).toEqual(only)
  expect(drafted({ ...ordered, ordersToo: true, action: 'abort' })).toMatchObject({
    action: { type: 'maneuver_abort' },
    module_command: REFINE,
  })
  for (const action of ['abort', 'event'] as const) {
    expect(drafted({ ...ordered, action })).not.toHaveProperty('module_command')
  }
  expect(drafted({ ...ordered, ordersToo: true, action: 'event' })).not.toHaveProperty(
    'module_command',
  )
  expect(drafted({ ...ordered, ordered: undefined, action: 'module' })).toBe('Choose a command.')
  expect(drafted({ condition: 'module' })).toContain("'module' takes")
  expect(draftOf(only)).toMatchObject({ action: 'module', ofModule: ORE, ordersToo: false })
  const both = { ...ruleOf(ORE, { type: 'maneuver_abort' }), module_command: REFINE }
  expect(draftOf(both)).toMatchObject({ action: 'abort', ordered: REFINE, ordersToo: true })
})
