// Laws: the first value goes at once; no two go within the interval; the last one always goes.
import { expect, test } from 'vitest'
import { type Timers, createPace } from '../../src/orders/pace.ts'

/** Timers of a clock that is moved by hand. */
function handTimers(): Timers & { move(ms: number): void } {
  let now = 0
  let due: { at: number; act: () => void }[] = []
  return {
    now: () => now,
    after: (ms, act) => void due.push({ at: now + ms, act }),
    move: (ms) => {
      const end = now + ms
      for (;;) {
        const next = due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
        if (!next) break
        due = due.filter((other) => other !== next)
        now = next.at
        next.act()
      }
      now = end
    },
  }
}

test('values that come too quickly are sent at intervals, and the last of them always', () => {
  const timers = handTimers()
  const sent: { value: number; at: number }[] = []
  const pace = createPace<number>((value) => sent.push({ value, at: timers.now() }), 100, timers)
  for (let value = 0; value < 500; value++) {
    pace(value)
    // Bursts and pauses of every length up to half a second.
    timers.move(value % 50 === 49 ? value : 7)
  }
  timers.move(1000)
  expect(sent[0]).toEqual({ value: 0, at: 0 })
  expect(sent.at(-1)?.value).toBe(499)
  for (let i = 1; i < sent.length; i++) {
    expect(sent[i].at - sent[i - 1].at).toBeGreaterThanOrEqual(100)
    expect(sent[i].value).toBeGreaterThan(sent[i - 1].value)
  }
})

test('a value that comes a moment too early waits for that moment', () => {
  const timers = handTimers()
  const sent: string[] = []
  const pace = createPace<string>((value) => sent.push(value), 100, timers)
  pace('first')
  timers.move(99.5)
  pace('second')
  expect(sent).toEqual(['first'])
  timers.move(0.5)
  expect(sent).toEqual(['first', 'second'])
})

test('a value after a pause is sent at once', () => {
  const timers = handTimers()
  const sent: string[] = []
  const pace = createPace<string>((value) => sent.push(value), 100, timers)
  pace('first')
  timers.move(100)
  pace('second')
  expect(sent).toEqual(['first', 'second'])
})

test('a value a moment too early waits for its time', () => {
  const timers = handTimers()
  const sent: string[] = []
  const pace = createPace<string>((value) => sent.push(value), 100, timers)
  pace('first')
  timers.move(99.5)
  pace('second')
  expect(sent).toEqual(['first'])
  timers.move(0.5)
  expect(sent).toEqual(['first', 'second'])
})
