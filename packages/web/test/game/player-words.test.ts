// Goal: whatever the server sends of a player's ship or account is a sentence.
import { ClientError, type EventMessage } from '@orrery/client'
import { describe, expect, test } from 'vitest'
import { type EventKind, eventWords } from '../../src/game/event-words.ts'
import { refusalOf } from '../../src/game/refusals.ts'
import { slownessText } from '../../src/game/slowness.ts'

const KINDS: readonly EventKind[] = [
  ...(['sighted', 'lost', 'impact', 'frozen', 'locked', 'let_go', 'burn_ended'] as const),
  ...(['maneuver_sample', 'maneuver_phase', 'maneuver_completed', 'maneuver_failed'] as const),
  ...(['rule', 'docked', 'undocked', 'refuelled'] as const),
  ...(['jumped', 'returned', 'rules_dropped'] as const),
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
    const rule = event('rule', { rule_name: '<b>Low</b>' })
    expect(eventWords(rule, names)).toBe('The rule “<b>Low</b>” has fired.')
  })

  test('one of a later server is named', () => {
    const later = { ...event('rule'), event: 'toString' } as unknown as EventMessage
    expect(eventWords(later, names)).toBe('Event: toString')
  })
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
