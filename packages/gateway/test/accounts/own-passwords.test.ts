// Goal: the limit of wrong own passwords counts wrong ones, and nothing that kept them unchecked.
import { refusal } from '@orrery/game'
import { expect, test } from 'vitest'
import { createOwnPasswords } from '../../src/own-passwords.ts'

const LIMIT = 3

test.each([
  ['the server was busy', refusal('E008'), 'E008'],
  ['the database did not answer', new Error('away'), undefined],
  ['it was right', undefined, undefined],
  ['it was wrong', refusal('E003'), 'rate_limited'],
  ['it was wrong for a change', refusal('E005'), 'rate_limited'],
])('after more attempts than the limit: %s', async (_, error, code) => {
  const own = createOwnPasswords(LIMIT)
  const check = async (): Promise<string> => {
    if (error) throw error
    return 'fits'
  }
  for (let i = 0; i < LIMIT; i++) await own.checked('ida', check).catch(() => undefined)
  const last = await own.checked('ida', check).catch((thrown: { code?: unknown }) => thrown)
  expect(Object(last).code).toBe(code)
})
