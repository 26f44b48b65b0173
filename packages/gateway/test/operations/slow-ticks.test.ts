// Goal: the log has that ticks take longer than their period, and not at each of them. Method:
// simulated ticks; the lines are collected.
import { expect, test } from 'vitest'
import { createSlowTickLog } from '../../src/operations/slow-ticks.ts'

test('slow ticks are logged once in ten seconds, with their number', () => {
  const lines: unknown[] = []
  let nowMs = 0
  const log = createSlowTickLog({ warn: (line: unknown) => void lines.push(line) }, () => nowMs)
  const phases = { ephemeris: 1, orders: 0, flight: 148, views: 1 }
  const tick = (utilisation: number): void => {
    nowMs += 100
    log({ durationMs: 100 * utilisation, utilisation, phases })
  }
  for (let i = 0; i < 600; i++) tick(1)
  expect(lines).toEqual([])
  for (let i = 0; i < 250; i++) tick(1.5)
  expect(lines).toEqual(
    [1, 100, 100].map((slow) => ({ slow_ticks: slow, duration_ms: 150, phases_ms: phases })),
  )
  for (let i = 0; i < 600; i++) tick(0.5)
  tick(2)
  expect(lines.at(-1)).toMatchObject({ slow_ticks: 50, duration_ms: 200 })
})
