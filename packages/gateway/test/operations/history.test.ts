// Law: the history holds one sample for each step of its spans and no more than a span is long,
// whatever the clock does. Method: samples each second of simulated days.
import { HISTORY_COLUMNS, HISTORY_SPANS } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { type HistorySample, createHistory } from '../../src/operations/history.ts'

const BEGIN = 1_800_000_000

function sampleOf(ships: number): HistorySample {
  const zeros = Object.fromEntries(HISTORY_COLUMNS.map((name) => [name, 0]))
  return { ...(zeros as unknown as HistorySample), ships }
}

test('a day of seconds leaves the last hour and day, without a gap', () => {
  const history = createHistory()
  const end = BEGIN + 100_000
  for (let time = BEGIN; time <= end; time++) history.add(time, sampleOf(time - BEGIN))
  for (const span of ['hour', 'day'] as const) {
    const { step, length } = HISTORY_SPANS[span]
    const { times, columns } = history.read({ span })
    expect(times).toHaveLength(length / step)
    expect(end - (times.at(-1) ?? 0)).toBeLessThan(step)
    for (const [i, time] of times.entries()) {
      expect(time).toBe((times[0] ?? 0) + i * step)
      expect(columns.ships[i]).toBe(time - BEGIN)
    }
    const rest = history.read({ span, after: times.at(-3) ?? 0 })
    expect(rest.times).toEqual(times.slice(-2))
    expect(rest.columns.ships).toEqual(columns.ships.slice(-2))
  }
})

test('a clock that is set back leaves times in their order', () => {
  const history = createHistory()
  for (let time = BEGIN; time < BEGIN + 100; time++) history.add(time, sampleOf(1))
  for (let time = BEGIN + 40; time < BEGIN + 60; time++) history.add(time, sampleOf(2))
  const { times, columns } = history.read({ span: 'hour' })
  expect(times).toEqual([0, 10, 20, 30, 40, 50].map((second) => BEGIN + second))
  expect(columns.ships).toEqual([1, 1, 1, 1, 1, 2])
})
