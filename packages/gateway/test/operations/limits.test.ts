// Law: no server starts with limits that contradict each other. Goal: those of this release agree,
// and a contradiction is named.
import { expect, test } from 'vitest'
import { requireLimits } from '../../src/limits.ts'

test('the limits of all packages agree', () => {
  expect(() => requireLimits()).not.toThrow()
})

test('a start with limits that contradict each other is refused', () => {
  const relations = [
    ['one is one', true],
    ['one is two', false],
  ] as const
  expect(() => requireLimits(relations)).toThrow(
    expect.objectContaining({
      code: 'ERR_START',
      message: 'Limits contradict each other: one is two',
    }),
  )
})
