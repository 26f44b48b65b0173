// Laws: what the server refuses of an account is said beside its field; each proposed name is two
// words and a number of three digits.
import { ClientError, type ClientErrorCode } from '@orrery/client'
import { expect, test } from 'vitest'
import { proposedName } from '../../src/session/proposed-name.ts'
import { refusalOf } from '../../src/session/refusals.ts'

test.each<[ClientErrorCode, string | undefined]>([
  ['E005', 'password'],
  ['E010', 'username'],
  ['E011', 'username'],
  ['E012', 'password'],
  ['E020', undefined],
  ['E030', 'name'],
  ['network', undefined],
  ['timeout', undefined],
  ['connection_lost', undefined],
  ['origin_refused', undefined],
])('%s is said beside %s, in a sentence of the page', (code, field) => {
  const refusal = refusalOf(new ClientError(code, 'of the server'))
  expect(refusal.field).toBe(field)
  expect(refusal.text).toMatch(/^[A-Z].+\.$/)
})

test('a form has words of its own, and others keep theirs', () => {
  const texts = { E005: { field: 'current', text: 'The password is wrong.' } } as const
  expect(refusalOf(new ClientError('E005', ''), texts)).toEqual(texts.E005)
  expect(refusalOf(new ClientError('E010', ''), texts).field).toBe('username')
})

test('a defect of the page is no refusal of the server', () => {
  expect(refusalOf(new TypeError('defect'))).toEqual({
    field: undefined,
    text: 'Something went wrong on this page. Reload it.',
  })
})

test.each([
  [2, '2 seconds'],
  [99, '99 seconds'],
  [100, '2 minutes'],
  [121, '3 minutes'],
])('a limit of %d s is said as %s', (retryAfter, words) => {
  const { field, text } = refusalOf(new ClientError('E004', '', { retryAfter }))
  expect([field, text]).toEqual([undefined, `Too many attempts. Try again in ${words}.`])
})

test('names are made of nine words and nine, and of 900 numbers', () => {
  const name = (...randoms: readonly number[]): string[] => {
    const left = randoms.slice()
    return proposedName(() => left.shift() ?? 0).split('_')
  }
  const ninths = Array.from({ length: 9 }, (_, i) => (i + 0.5) / 9)
  for (const place of [0, 1]) {
    const words = ninths.map((at) => name(...(place === 0 ? [at, 0] : [0, at]))[place])
    expect(new Set(words).size).toBe(9)
    for (const word of words) expect(word).toMatch(/^[A-Z][a-z]{3,8}$/)
  }
  expect(name(0, 0, 0)[2]).toBe('100')
  expect(name(0, 0, 1 - 2 ** -53)[2]).toBe('999')
})
