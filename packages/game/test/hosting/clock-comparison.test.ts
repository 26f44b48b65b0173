// Law: a clock is right, off or wrong only where the time that the answer took leaves no doubt; of
// the last answers the one that came soonest counts, and a clock that was set meanwhile shows
// nothing. Method: a simulated clock that asks a second one.
import { simulatedClock } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { ClockComparison } from '../../src/hosting/clock-comparison.ts'

const NOW_MS = Date.UTC(2000, 0, 1)

interface Answer {
  /** of the own clock [ms] */
  readonly off: number
  /** to the other clock, and back [ms] */
  readonly there?: number
  readonly back?: number
  /** the own clock is set on meanwhile [ms] */
  readonly set?: number
}

/** What is seen after each answer. */
function seenAfter(...answers: readonly Answer[]): unknown[] {
  const own = simulatedClock(NOW_MS)
  const comparison = new ClockComparison(own)
  return answers.map(({ off, there = 1, back = 1, set = 0 }) => {
    const answered = comparison.ask()
    own.work(there)
    const utcMs = own.utcMs() - off
    own.jumpUtc(set)
    own.work(back)
    answered(utcMs)
    own.jumpUtc(-set)
    const { clockOffset, clockState } = comparison.seen()
    return [Math.round(1000 * (clockOffset ?? NaN)), clockState]
  })
}

test('nothing is known before the first answer', () => {
  const comparison = new ClockComparison(simulatedClock(NOW_MS))
  comparison.ask()
  expect(comparison.seen()).toEqual({ clockOffset: null, clockState: 'right' })
})

test.each([
  [0, 'right'],
  [48, 'right'],
  [52, 'off'],
  [-120, 'off'],
  [498, 'off'],
  [502, 'wrong'],
  [-3_600_000, 'wrong'],
])('a clock that is %i ms ahead is %s', (off, state) => {
  expect(seenAfter({ off })).toEqual([[off, state]])
})

test('an answer that took too long to decide leaves the state as it is', () => {
  const slow = { there: 0, back: 200 }
  expect(seenAfter({ off: 0, ...slow })).toEqual([[100, 'right']])
  expect(seenAfter({ off: 1000, ...slow })).toEqual([[1100, 'wrong']])
  // Each takes less time than the one before, and so counts.
  expect(seenAfter({ off: 600, there: 40, back: 40 }, { off: 450, there: 35, back: 35 })).toEqual([
    [600, 'wrong'],
    [450, 'wrong'],
  ])
})

test('of the last answers the soonest counts, and is forgotten after a second', () => {
  const slow = { off: 120, there: 20, back: 20 }
  expect(seenAfter({ off: 0 }, slow, slow, slow, slow, slow)).toEqual([
    ...Array.from({ length: 5 }, () => [0, 'right']),
    [120, 'off'],
  ])
})

test('a state ends clearly below its limit', () => {
  const quicker = [60, 45, 38].map((off, i) => ({ off, there: 1 - i / 4, back: 1 - i / 4 }))
  expect(seenAfter(...quicker)).toEqual([
    [60, 'off'],
    [45, 'off'],
    [38, 'right'],
  ])
})

test('a clock that is set while it asks decides nothing', () => {
  expect(seenAfter({ off: 0, set: 5000 }, { off: 0 })).toEqual([
    [5000, 'right'],
    [0, 'right'],
  ])
})
