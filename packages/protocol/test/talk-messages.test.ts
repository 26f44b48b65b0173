// Goal: a text between pilots is read trimmed and in NFC, or refused with E001 in a sentence that
// names the field; what would hide or turn text never passes.
import { expect, test } from 'vitest'
import { TALK_LENGTH_MAX, parseClientMessage } from '../src/index.ts'

const SHIP = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'

const parse = (message: object): ReturnType<typeof parseClientMessage> =>
  parseClientMessage(JSON.stringify({ type: 'say', id: 4, ...message }))

test.each([
  ['!', '!'],
  ['  Hello \n', 'Hello'],
  ['e\u0301te\u0301', '\u00e9t\u00e9'],
  ['<b>&amp;</b> "', '<b>&amp;</b> "'],
  ['\u{1F680}'.repeat(TALK_LENGTH_MAX), '\u{1F680}'.repeat(TALK_LENGTH_MAX)],
])('%j is read', (given, text) => {
  expect(parse({ text, ship_id: SHIP })).toEqual({
    ok: true,
    message: { type: 'say', id: 4, text, ship_id: SHIP },
  })
  expect(parse({ text: given })).toMatchObject({ message: { text } })
})

test.each([
  undefined,
  7,
  ['Hello'],
  '',
  ' \n ',
  'a\nb',
  'a\u001b[31mb',
  'a\u202eb',
  'a\u2028b',
  'a\u200bb',
  '\ud800',
  `a${'\u0301'.repeat(9)}`,
  'x'.repeat(TALK_LENGTH_MAX + 1),
])('%j is refused', (text) => {
  const message = 'text must be 1 to 200 characters, not all invisible, none a control'
  expect(parse({ text })).toEqual({ ok: false, error: { code: 'E001', id: 4, message } })
})

test('a malformed id of a ship is refused', () => {
  const message = 'ship_id must be a UUID'
  expect(parse({ text: 'Hello', ship_id: 'x' })).toMatchObject({ error: { code: 'E001', message } })
})
