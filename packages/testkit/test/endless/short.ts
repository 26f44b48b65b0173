import { expect, test } from 'vitest'

test('a sum', () => {
  expect(1 + 1).toBe(2)
})
