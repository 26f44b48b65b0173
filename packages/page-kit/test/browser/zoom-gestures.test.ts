// Laws of the wheel: whatever it counts by, a turn moves what a person expects.
import { expect, test } from 'vitest'
import { wheelFactor } from '../../src/browser/zoom-gestures.ts'

const HEIGHT = 700

function turns(count: number, deltaY: number, deltaMode: number, ctrlKey = false): number {
  return wheelFactor({ deltaY, deltaMode, ctrlKey }, HEIGHT) ** count
}

test('pages and lines zoom like the pixels that they are', () => {
  expect(turns(5, 1, 2)).toBeGreaterThan(5)
  expect(turns(5, 1, 1)).toBe(turns(5, 18, 0))
  expect(turns(1, -3, 1)).toBeCloseTo(1 / turns(1, 3, 1), 12)
})

test('a pinch on a trackpad zooms by e for a hundred pixels', () => {
  expect(turns(20, -5, 0, true)).toBeCloseTo(Math.exp(-1), 9)
})

test('one event never loses the place', () => {
  for (const mode of [0, 1, 2]) expect(turns(1, 1e6, mode, true)).toBeLessThan(2)
})
