import { describe, expect, test } from 'vitest'
import { shareLit } from '../../src/space/sunlight.ts'

const SUN = 0.00465

describe('the share of a star that a body leaves', () => {
  test('is all of it beside the body, and nothing behind a larger one', () => {
    expect(shareLit(SUN, 1, 1 + SUN)).toBe(1)
    expect(shareLit(SUN, 1, 1 - SUN)).toBe(0)
    expect(shareLit(SUN, 1, 0)).toBe(0)
  })

  test('is half of it where the edge of a large body passes the middle', () => {
    expect(shareLit(SUN, 1, 1)).toBeCloseTo(0.5, 12)
  })

  test('is a ring around a smaller body', () => {
    expect(shareLit(SUN, SUN / 2, 0)).toBeCloseTo(0.75, 12)
    expect(shareLit(SUN, SUN / 2, 1.5 * SUN)).toBe(1)
  })

  test('never falls with the distance of the two in the sky', () => {
    for (const body of [SUN / 3, SUN, 3 * SUN]) {
      const shares = Array.from({ length: 60 }, (_, i) => shareLit(SUN, body, (i / 10) * SUN))
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    }
  })
})
