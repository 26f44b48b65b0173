// Laws: a sentence about the ship has what the server states and nothing that it does not; what
// takes time says how long.
import type { EventMessage, OwnShipState } from '@orrery/client'
import { expect, test } from 'vitest'
import { type EventKind, eventWords, noticeKindOf } from '../../src/events/event-words.ts'
import { lastManeuverText, maneuverFacts } from '../../src/events/maneuver-words.ts'
import { lowerFirst } from '../../src/languages/say.ts'
import { knownState } from '../../src/forecast/known-state.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'

const TIME = '2026-03-01T12:00:00.000Z'
const names = { station: () => undefined, system: () => undefined }

function event(kind: string, more: Partial<EventMessage> = {}): EventMessage {
  const about = { ship_id: 'a', game_time: TIME, body: 'Earth' }
  return { type: 'event', event: kind as EventKind, ...about, ...more }
}

test.each<[EventKind, Partial<EventMessage>, string]>([
  ['impact', { body: 'Moon' }, 'The ship ran into the Moon. It starts again from its first orbit.'],
  ['maneuver_sample', {}, 'The maneuver goes on.'],
  ['maneuver_sample', { maneuver: 'dock' }, '“Dock” goes on.'],
  ['maneuver_phase', {}, 'The maneuver enters its next phase.'],
  ['maneuver_phase', { status_text: 'Burning' }, 'The maneuver: burning.'],
  ['maneuver_failed', {}, 'The maneuver has failed.'],
  ['maneuver_failed', { phase: 'burning' }, 'The maneuver has failed (while burning).'],
  ['rule', {}, 'A rule has fired.'],
  ['rule', { rule_name: 'Low' }, 'The rule “Low” has fired.'],
  ['undocked', {}, 'Undocked from a station.'],
  ['refuelled', { station_id: 's' }, 'Refuelled at a station.'],
  ['jumped', { from_system: 'a', to_system: 'b' }, 'Jumped from a to b.'],
  ['transferred', { to_system: 'b' }, 'An administrator has moved the ship to b.'],
])('%s with %j', (kind, more, words) => {
  expect(eventWords(event(kind, more), names)).toBe(words)
})

test('a kind of a later server is a line, and no notice', () => {
  for (const kind of ['later', 'toString']) {
    expect(eventWords(event(kind), names)).toBe(`Event: ${kind}`)
    expect(noticeKindOf(event(kind))).toBeUndefined()
  }
  expect(noticeKindOf(event('impact'))).toBe('warning')
})

test('only the beginning of a text inside a sentence is small', () => {
  expect(lowerFirst('The Moon is far')).toBe('the Moon is far')
})

test('a maneuver has the times to come, and none that is past', () => {
  const at = (seconds: number): string => new Date(1000 * seconds).toISOString()
  const maneuver: ManeuverState = {
    maneuver: 'transfer',
    phase: 'waiting',
    status_text: 'Waiting',
    since: at(0),
    target_id: null,
    target_body: null,
    element_errors: null,
    distance: null,
    effectivity: null,
    delta_v: 12,
    next_burn_at: at(100),
    expected_end: at(200),
    expected_delta_v: null,
  }
  expect(maneuverFacts(maneuver, 90_000)).toEqual([
    '12.00 m/s spent',
    'next burn in 10 s',
    'there in 1 min 50 s',
  ])
  expect(maneuverFacts(maneuver, 100_000)).toContain('next burn in 0 s')
  expect(maneuverFacts(maneuver, 100_500)).toEqual(['12.00 m/s spent', 'there in 1 min 39 s'])
  expect(maneuverFacts(maneuver, 201_000)).toEqual(['12.00 m/s spent'])
})

test.each([
  ['completed', null, null, 'Last maneuver: Escape, complete.'],
  ['aborted', null, 'By its pilot', 'Last maneuver: Escape, aborted.'],
  ['failed', 'timed_out', null, 'Last maneuver: Escape, failed.'],
  ['failed', 'timed_out', 'The time is over', 'Last maneuver: Escape, failed: the time is over.'],
] as const)('a maneuver that is %s for %s (%s)', (outcome, reason, text, words) => {
  const last: NonNullable<OwnShipState['last_maneuver']> = {
    maneuver: 'escape',
    phase: 'burning',
    since: TIME,
    ended_at: TIME,
    target_id: null,
    target_body: null,
    outcome,
    reason,
    status_text: text,
  }
  expect(lastManeuverText(last)).toBe(words)
})

test.each([
  [{ mode: 'received' }, 'waiting', 'As the server states it'],
  [{ drift: 'matched' }, 'right', 'In step with the server'],
  [{ drift: 'correcting' }, 'waiting', 'Corrected by the server'],
  [{ drift: 'diverging' }, 'wrong', 'Out of step with the server'],
  [{ isFrozen: true }, 'wrong', 'Frozen: it moves no more'],
] as const)('a ship with %j is known so', (more, kind, text) => {
  const flown = { isFrozen: false, mode: 'flown', drift: 'matched', waitSeconds: 0 } as const
  expect(knownState({ ...flown, ...more })).toEqual({ kind, text })
})
