// Goal: a narrowed rate is never exceeded and nearly reached, evenly and without drift, at any tick
// rate and jitter. Method: ticks of a minute with seeded jitter, counted per second and in all.
import { createChance } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { createPace } from '../../src/frames/subscription.ts'

const SECONDS = 60

/** Times of the selected ticks of a minute [s]. */
function taken(rateHz: number | undefined, tickRateHz: number): number[] {
  const pace = createPace(rateHz, 0)
  const chance = createChance(7)
  const moments: number[] = []
  for (let tick = 0; tick < SECONDS * tickRateHz; tick++) {
    const atMs = (tick + 0.3 * (chance.share() - 0.5)) * (1000 / tickRateHz)
    if (pace.isDue(atMs, tickRateHz)) moments.push(tick / tickRateHz)
  }
  return moments
}

test.each([0.1, 0.5, 1, 2.5, 3, 7, 9.99])('%s Hz of ticks at 10 Hz, evenly', (rateHz) => {
  const moments = taken(rateHz, 10)
  expect(Math.abs(moments.length - SECONDS * rateHz)).toBeLessThan(2)
  for (let second = 0; second < SECONDS; second++) {
    const within = moments.filter((at) => at >= second && at < second + 1)
    expect(within.length).toBeLessThanOrEqual(Math.ceil(rateHz))
  }
  const gaps = moments.slice(1).map((at, i) => at - moments[i])
  // The tick nearest to each due time: no gap is off by more than two ticks of jitter.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1 / rateHz + 0.2)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1 / rateHz - 0.2)
})

test.each([undefined, 10, 10.5, 1000])('every tick of 10 Hz when %s Hz are asked for', (rateHz) => {
  expect(taken(rateHz, 10)).toHaveLength(SECONDS * 10)
})

test('a change of the tick rate does not change the frames that come', () => {
  const pace = createPace(2, 0)
  let frames = 0
  for (let at = 0; at < 10_000; at += 10) if (pace.isDue(at, 100)) frames++
  for (let at = 10_000; at < 20_000; at += 200) if (pace.isDue(at, 5)) frames++
  expect(Math.abs(frames - 40)).toBeLessThanOrEqual(1)
})
