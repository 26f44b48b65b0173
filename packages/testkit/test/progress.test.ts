// Goal: a long run shows what it does, also while it never waits, and writes few lines. Method: a
// clock that the test moves.
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type Progress, createProgress } from '../src/runs/progress.ts'

vi.useFakeTimers()

let lines: string[] = []
let progress: Progress

afterEach(() => progress.end())

// The next file of this process has those of the system.
afterAll(() => vi.useRealTimers())

function started(nowMs?: () => number): void {
  lines = []
  progress = createProgress((line) => void lines.push(line), nowMs)
  progress.start('bench wire')
}

test('a run that waits has a line every five seconds until its end', () => {
  started()
  progress.at('players join', 0, 5000)
  vi.advanceTimersByTime(5000)
  progress.at('players join', 1200, 5000)
  vi.advanceTimersByTime(6000)
  progress.end()
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([
    'bench wire, 0 s: players join, 0 of 5,000',
    'bench wire, 5 s: players join, 0 of 5,000',
    'bench wire, 10 s: players join, 1,200 of 5,000',
  ])
})

test('a run that never waits has a line for each step, and one in five seconds of counts', () => {
  started()
  for (let day = 0; day < 100; day++) {
    progress.at('days', day)
    // Time passes, but no timer comes.
    vi.setSystemTime(Date.now() + 100)
    performance.now = (
      (now) => () =>
        now
    )(performance.now() + 100)
  }
  progress.at('ends')
  expect(lines).toEqual([
    'bench wire, 0 s: days, 0',
    'bench wire, 5 s: days, 50',
    'bench wire, 10 s: ends',
  ])
})

test('what no run has started writes nothing', () => {
  lines = []
  progress = createProgress((line) => void lines.push(line))
  progress.at('days', 1)
  expect(lines).toEqual([])
})
