// Laws: a rule that is changed and saved without a change is the same; each has a plain sentence.
import type { RuleAction, RuleCondition, RuleRequest } from '@orrery/client'
import { expect, test } from 'vitest'
import { draftOf, draftedRule, textsOf } from '../../src/game/rule-draft.ts'
import { ruleSentence } from '../../src/game/rule-words.ts'
import { thingOfFields } from '../../src/game/target-fields.ts'

const ID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

function ruleOf(condition: RuleCondition, action: RuleAction): Required<RuleRequest> {
  return { name: 'Mine', once: false, armed: true, condition, action }
}

const event: RuleAction = { type: 'event' }
const altitude: RuleCondition = { type: 'altitude', below: 200_000 }

const RULES: readonly (readonly [string, RuleCondition, RuleAction])[] = [
  ['When altitude falls below 200.0 km, note it.', altitude, event],
  [
    'When altitude over Moon rises above 10.00 km, note it.',
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

test.each(RULES)('%s', (sentence, condition, action) => {
  const rule = ruleOf(condition, action)
  const nameOf = (thing: { kind: string; name?: string; id?: string }): string =>
    thing.name ?? `${thing.kind} ${thing.id}`
  expect(ruleSentence(rule, nameOf)).toBe(sentence)
  const target = action.type === 'control' ? thingOfFields(action) : undefined
  expect(draftedRule(draftOf(rule), textsOf(rule), () => '', target)).toEqual(rule)
})

test('what is wrong with a rule is said in words of the protocol', () => {
  const draft = draftOf(ruleOf(altitude, event))
  const texts = { condition: { altitude: 'low' }, action: {} }
  expect(draftedRule(draft, texts, () => '', undefined)).toBe('Altitude must be a number.')
  expect(
    draftedRule({ ...draft, name: '' }, textsOf(ruleOf(altitude, event)), () => '', undefined),
  ).toBe('name must have 1 to 64 characters')
})
