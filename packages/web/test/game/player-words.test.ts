// Goal: whatever the server sends of a player's ship or account is a sentence.
import { ClientError, type EventMessage } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { describe, expect, test } from 'vitest'
import { type EventKind, eventWords } from '../../src/events/event-words.ts'
import { knownState } from '../../src/forecast/known-state.ts'
import { lastManeuverText, maneuverFacts } from '../../src/events/maneuver-words.ts'
import { costOf } from '../../src/forecast/preview.ts'
import { refusalOf } from '../../src/session/refusals.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'
import { slownessText } from '../../src/game/slowness.ts'

const KINDS: readonly EventKind[] = [
  ...(['sighted', 'lost', 'impact', 'frozen', 'locked', 'let_go', 'burn_ended'] as const),
  ...(['maneuver_sample', 'maneuver_phase', 'maneuver_completed', 'maneuver_failed'] as const),
  ...(['rule', 'docked', 'undocked', 'refuelled'] as const),
  ...(['jumped', 'transferred', 'returned', 'rules_dropped'] as const),
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
})

test('docking costs what is burnt on the way, though the tank is full afterwards', () => {
  const marks: Forecast['marks'] = [
    { kind: 'burn_end', index: 640, deltaV: 300 },
    { kind: 'maneuver_completed', index: 6400 },
  ]
  const forecast = { marks, deltaV: 300, fuel: 10_000, end: 'asked' } as Forecast
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
  expect(text(3000)).toBe('Too many attempts. Try again in 50 minutes.')
  expect(text()).toBe('Too many attempts. Try again later.')
})

test('an error of the server without a sentence here has its own', () => {
  const error = new ClientError('E008', 'The database is away')
  expect(refusalOf(error)).toEqual({ field: undefined, text: 'The database is away' })
})

test('a slow connection is noticed, and a view that is not complete', () => {
  const complete = { known: 99, inView: 100, waiting: 3 }
  expect(slownessText(undefined, complete)).toBeUndefined()
  expect(slownessText(300, complete)).toBeUndefined()
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
