// Goal: whatever the server sends of a player's ship or account is a sentence.
import { ClientError, type EventMessage } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { describe, expect, test } from 'vitest'
import { type EventKind, eventWords, noticeKindOf } from '../../src/events/event-words.ts'
import { knownState } from '../../src/forecast/known-state.ts'
import { lastManeuverText, maneuverFacts } from '../../src/events/maneuver-words.ts'
import { costOf } from '../../src/forecast/preview.ts'
import { refusalOf } from '../../src/session/refusals.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'
import { slownessText } from '../../src/game/slowness.ts'

const KINDS: readonly EventKind[] = [
  ...(['sighted', 'lost', 'impact', 'frozen', 'locked', 'let_go', 'burn_ended'] as const),
  ...(['maneuver_sample', 'maneuver_phase', 'maneuver_completed', 'maneuver_failed'] as const),
  ...(['rule', 'docked', 'undocked', 'refuelled', 'destroyed'] as const),
  ...(['jumped', 'transferred', 'altered', 'returned', 'rules_dropped', 'module'] as const),
]

const names = {
  station: (id: string) => (id === 's-1' ? 'Gateway' : undefined),
  system: (id: string) => (id === 'sol' ? 'Sol' : undefined),
}

function event(kind: EventKind, more: Partial<EventMessage> = {}): EventMessage {
  const game_time = '2026-03-01T12:00:00.000Z'
  return { type: 'event', event: kind, ship_id: 'a', game_time, body: 'Earth', ...more }
}

describe('events', () => {
  test('each kind has a sentence of its own', () => {
    const texts = KINDS.map((kind) => eventWords(event(kind), names))
    expect(new Set(texts).size).toBe(KINDS.length)
    for (const text of texts) expect(text).toMatch(/^[A-Z].*\.$/)
  })

  test('names are given where they are known, as they are', () => {
    expect(eventWords(event('docked', { station_id: 's-1' }), names)).toBe('Docked at Gateway.')
    expect(eventWords(event('docked', { station_id: 's-2' }), names)).toBe('Docked at a station.')
    const jump = event('jumped', { from_system: 'sol', to_system: 'elsewhere' })
    expect(eventWords(jump, names)).toBe('Jumped from Sol to elsewhere.')
    const moved = event('transferred', { from_system: 'elsewhere', to_system: 'sol' })
    expect(eventWords(moved, names)).toBe('An administrator has moved the ship to Sol.')
    const rule = event('rule', { rule_name: '<b>Low</b>' })
    expect(eventWords(rule, names)).toBe('The rule “<b>Low</b>” has fired.')
  })

  test('a maneuver is named with its phase, and with why and when it failed', () => {
    const about = (kind: EventKind, maneuver: string, more: Partial<EventMessage> = {}): string =>
      eventWords(event(kind, { maneuver, ...more }), names)
    const waiting = { phase: 'waiting', status_text: 'Waiting for the next burn' }
    expect(about('maneuver_phase', 'set_orbit', waiting)).toBe(
      '“Set orbit”: waiting for the next burn.',
    )
    const why = { phase: 'planning', status_text: 'The target cannot be reached' }
    expect(about('maneuver_failed', 'dock', { reason: 'unreachable', ...why })).toBe(
      '“Dock” has failed: the target cannot be reached (while planning).',
    )
    expect(about('maneuver_completed', 'a_new_one')).toBe('“a new one” is complete.')
  })

  test('one of a later server is named', () => {
    const later = { ...event('rule'), event: 'toString' } as unknown as EventMessage
    expect(eventWords(later, names)).toBe('Event: toString')
    expect(noticeKindOf(later)).toBeUndefined()
  })

  test('what is not stated is left out', () => {
    const words = (kind: EventKind): string => eventWords(event(kind), names)
    expect(words('maneuver_phase')).toBe('The maneuver enters its next phase.')
    expect(words('maneuver_failed')).toBe('The maneuver has failed.')
    expect(words('rule')).toBe('A rule has fired.')
    expect(words('docked')).toBe('Docked at a station.')
    expect(words('impact')).toMatch(/^The ship ran into Earth\./)
    const back = event('jumped', { from_system: 'elsewhere', to_system: 'sol' })
    expect(eventWords(back, names)).toBe('Jumped from elsewhere to Sol.')
  })

  test('those that change what a player can do call for attention', () => {
    const kinds = KINDS.map((kind) => [kind, noticeKindOf(event(kind))])
    expect(kinds.filter(([, kind]) => kind)).toEqual([
      ['impact', 'warning'],
      ['frozen', 'error'],
      ['maneuver_failed', 'warning'],
      ['destroyed', 'warning'],
      ['transferred', 'warning'],
      ['altered', 'info'],
      ['returned', 'warning'],
      ['rules_dropped', 'info'],
      ['module', 'info'],
    ])
  })
})

test('a maneuver has what it reckons with, and its end stays readable', () => {
  const time = (seconds: number): string => new Date(1000 * seconds).toISOString()
  const waiting: ManeuverState = {
    maneuver: 'transfer',
    phase: 'waiting',
    status_text: 'Waiting for the next burn',
    since: time(0),
    target_id: null,
    target_body: 'Moon',
    element_errors: null,
    distance: 384_400_000,
    effectivity: null,
    delta_v: 0,
    next_burn_at: time(86_400 * 7.5),
    expected_end: time(86_400 * 12),
    expected_delta_v: 3950,
  }
  expect(maneuverFacts(waiting, 0)).toEqual([
    '0.000 m/s spent of some 3.950 km/s',
    '384,400 km to go',
    'next burn in 7 d 12 h',
    'there in 12 d 0 h',
  ])
  expect(maneuverFacts(waiting, 1000 * 86_400 * 7.5)).toContain('next burn in 0 s')
  expect(maneuverFacts({ ...waiting, distance: null }, 1000 * 86_400 * 8)).toEqual([
    '0.000 m/s spent of some 3.950 km/s',
    'there in 4 d 0 h',
  ])
  const burning = { ...waiting, next_burn_at: null, expected_end: null, expected_delta_v: null }
  expect(maneuverFacts(burning, NaN)).toEqual(['0.000 m/s spent', '384,400 km to go'])
  const { maneuver, phase, since, target_id, target_body } = waiting
  const last = { maneuver, phase, since, target_id, target_body, ended_at: time(9) }
  const why = { reason: 'timed_out', status_text: 'The time is over' } as const
  expect(lastManeuverText({ ...last, outcome: 'failed', ...why })).toBe(
    'Last maneuver: Transfer, failed: the time is over.',
  )
  expect(
    lastManeuverText({ ...last, outcome: 'aborted', reason: null, status_text: 'By its pilot' }),
  ).toBe('Last maneuver: Transfer, aborted.')
  const done = { ...last, outcome: 'completed', reason: null, status_text: null } as const
  expect(lastManeuverText(done)).toBe('Last maneuver: Transfer, complete.')
  expect(lastManeuverText({ ...done, outcome: 'failed' })).toBe('Last maneuver: Transfer, failed.')
})

test('docking costs what is burnt on the way, though the tank is full afterwards', () => {
  const marks: Forecast['marks'] = [
    { kind: 'burn_end', index: 640, deltaV: 300 },
    { kind: 'maneuver_completed', index: 6400 },
  ]
  const cost = { deltaV: 300, fuel: 10_000, flightLegs: [] } as const
  const forecast = { marks, ...cost, end: 'asked' } as Partial<Forecast> as Forecast
  const tank = { mass: 25_000, fuel: 5000, deltaV: 3000 * Math.log(25_000 / 20_000) }
  const docked: Forecast = { ...forecast, marks: [...marks, { kind: 'docked', index: 6400 }] }
  const burnt = 25_000 * (1 - Math.exp(-300 / 3000))
  expect(costOf(docked, tank, 0).fuel).toBeCloseTo(burnt, 6)
  expect(costOf({ ...forecast, fuel: 5000 - burnt }, tank, 0)).toMatchObject({
    deltaV: 300,
    fuel: burnt,
    seconds: 100,
    end: 'completed',
  })
  expect(costOf(docked, undefined, 0).fuel).toBeNaN()
})

test('a limit is said with its time', () => {
  const text = (retryAfter?: number): string =>
    refusalOf(new ClientError('E004', 'Slow', retryAfter === undefined ? {} : { retryAfter })).text
  expect(text(1)).toBe('Too many attempts. Try again in 1 second.')
  expect(text(42)).toBe('Too many attempts. Try again in 42 seconds.')
  expect(text(99)).toBe('Too many attempts. Try again in 99 seconds.')
  expect(text(100)).toBe('Too many attempts. Try again in 2 minutes.')
  expect(text(3000)).toBe('Too many attempts. Try again in 50 minutes.')
  expect(text()).toBe('Too many attempts. Try again later.')
})

test('an error of the server without a sentence here has its own', () => {
  const error = new ClientError('E008', 'The database is away')
  expect(refusalOf(error)).toEqual({ field: undefined, text: 'The database is away' })
  expect(refusalOf(new Error('a defect')).text).toMatch(/^Something went wrong/)
})

test.each([
  ['E005', 'password', /wrong/],
  ['E010', 'username', /Another player/],
  ['E011', 'username', /3 to 20/],
  ['E012', 'password', /at least 8/],
  ['E020', undefined, /closed/],
  ['E030', 'name', /3 to 32/],
  ['network', undefined, /does not answer/],
  ['timeout', undefined, /too long/],
  ['connection_lost', undefined, /lost/],
  ['origin_refused', undefined, /does not allow/],
] as const)('%s is said beside the field %s', (code, field, words) => {
  const refusal = refusalOf(new ClientError(code, 'As the server has it'))
  expect(refusal.field).toBe(field)
  expect(refusal.text).toMatch(words)
  const own = { field: 'current', text: 'Of this form' } as const
  expect(refusalOf(new ClientError(code, ''), { [code]: own })).toBe(own)
})

test('a slow connection is noticed, and a view that is not complete', () => {
  const complete = { known: 99, inView: 100, waiting: 3 }
  expect(slownessText(undefined, complete)).toBeUndefined()
  expect(slownessText(300, complete)).toBeUndefined()
  expect(slownessText(1000, complete)).toBeUndefined()
  expect(slownessText(1000, { known: 95, inView: 100, waiting: 5 })).toBeUndefined()
  expect(slownessText(1000, { known: 94, inView: 100, waiting: 6 })).toBeDefined()
  expect(slownessText(1440, complete)).toContain('an answer takes 1.4 s')
  expect(slownessText(20, { known: 12, inView: 10_000, waiting: 0 })).toBe(
    'Ships are still arriving: 12 of 10,000.',
  )
})

describe('how well the place of the ship is known', () => {
  const flown = { isFrozen: false, mode: 'flown', drift: 'matched', waitSeconds: 0 } as const

  test('a clock that stands is no step with the server, whatever else holds', () => {
    expect(knownState(flown)).toEqual({ kind: 'right', text: 'In step with the server' })
    for (const more of [{}, { mode: 'received' }, { drift: 'correcting' }] as const) {
      for (const [waitSeconds, shown] of [
        [0.01, 1],
        [2.4, 3],
        [80, 80],
      ]) {
        expect(knownState({ ...flown, ...more, waitSeconds })).toEqual({
          kind: 'waiting',
          text: `Waiting for the server, ${shown} s`,
        })
      }
    }
  })

  test('a frozen ship stays frozen, and others are what they are', () => {
    expect(knownState({ ...flown, isFrozen: true, waitSeconds: 2 }).text).toMatch(/^Frozen/)
    const drifts = ['matched', 'correcting', 'diverging'] as const
    const kinds = drifts.map((drift) => knownState({ ...flown, drift }).kind)
    expect(kinds).toEqual(['right', 'waiting', 'wrong'])
    expect(knownState({ ...flown, mode: 'received' }).kind).toBe('waiting')
  })
})
