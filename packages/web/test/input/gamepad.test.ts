// Laws of a stick: at rest nothing, at the end all, evenly and oddly between.
import { expect, test } from 'vitest'
import { stickShare } from '../../src/input/gamepad.ts'

test('a stick asks for nothing near its middle, and for more the further it is', () => {
  expect(stickShare(0.1)).toBe(0)
  expect(stickShare(-1)).toBeCloseTo(-1, 12)
  let last = 0
  for (const value of [0.15, 0.3, 0.5, 0.8, 1]) {
    expect(stickShare(value)).toBeGreaterThanOrEqual(last)
    expect(stickShare(-value)).toBeCloseTo(-stickShare(value), 12)
    last = stickShare(value)
  }
  expect(last).toBe(1)
})
