// Law: a record is read as it was written, and of any other file nothing but a sentence.
import { expect, test } from 'vitest'
import {
  EVENTS_MAX,
  type FlightRecord,
  POINTS_MAX,
  readRecord,
  writeRecord,
} from '../../src/record/flight-record.ts'

const MS = Date.parse('2026-03-01T12:00:00Z')

const RECORD: FlightRecord = {
  format: 'orrery-flight',
  version: 1,
  ship: 'Ida of Tharsis',
  system: { id: 'sol', name: 'Sol' },
  isPractice: false,
  bodies: ['Earth', 'Moon'],
  track: [
    [MS, 0, 7e6, 0, -1],
    [MS + 60_000, 0, 7e6, 400_000, -1],
    [MS + 60_000, 1, 1.9e6, 0, 0],
  ],
  events: [{ ms: MS + 1000, kind: 'order', text: 'Full throttle <b>' }],
}

const DAMAGED = 'This is no flight of Orrery, or the file is damaged.'

test('a record is read as it was written', () => {
  expect(readRecord(writeRecord(RECORD))).toEqual(RECORD)
})

test('a record of another release says so', () => {
  const text = JSON.stringify({ ...RECORD, version: 2 })
  expect(readRecord(text)).toBe(
    'This flight is from another release of Orrery (its form is 2, this page reads 1).',
  )
})

test.each([
  ['no JSON', '{"format":'],
  ['nothing', 'null'],
  ['another file', '{"version":1}'],
  ['cut', writeRecord(RECORD).slice(0, -9)],
  ...Object.entries({
    'without a track': { track: [] },
    'a track of one point': { track: RECORD.track.slice(0, 1) },
    'too long a track': { track: Array.from({ length: POINTS_MAX + 1 }, () => RECORD.track[0]) },
    'a track back in time': { track: RECORD.track.toReversed() },
    'a body that is not listed': { bodies: ['Earth'] },
    'no position': { track: [RECORD.track[0], [MS, 0, 1, null, 2]] },
    'a body that is no text': { bodies: ['Earth', 5] },
    'no ship': { ship: undefined },
    'no star system': { system: { id: 'sol' } },
    'too long a name': { ship: 'x'.repeat(500) },
    'an event without a date': { events: [{ ...RECORD.events[0], ms: 1e99 }] },
    'an event of no kind': { events: [{ ...RECORD.events[0], kind: 'x' }] },
    'too many events': { events: Array.from({ length: EVENTS_MAX + 1 }, () => RECORD.events[0]) },
  }).map(([name, change]): [string, string] => [name, JSON.stringify({ ...RECORD, ...change })]),
])('%s is damaged', (_, text) => {
  expect(readRecord(text)).toBe(DAMAGED)
})
