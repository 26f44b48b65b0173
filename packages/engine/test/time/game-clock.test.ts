/**
 * Law: game time is exact. Goal: after any number of ticks the clock agrees with whole-number
 * arithmetic, whatever rate and scale; nothing is lost at a change but less than a quantum.
 */
import { expect, it } from 'vitest'
import { createGameClock, nextTick, shownOffset } from '../../src/time/game-clock.ts'

const RATES_HZ = [0.1, 1, 7.3, 10, 60, 99.999999, 100]
const SCALES = [0.1, 1, 1.000001, 7.3, 99.999999, 100]

it.each(RATES_HZ.flatMap((rate) => SCALES.map((scale) => [rate, scale])))(
  'adds exactly at %d Hz and scale %d',
  (rate, scale) => {
    const rateMicro = Math.round(rate * 1e6)
    const scaleMicro = Math.round(scale * 1e6)
    let clock = createGameClock(50_000_000_000)
    for (let tick = 1; tick <= 300; tick++) {
      clock = nextTick(clock, rateMicro, scaleMicro)
      const total = BigInt(tick) * 64n * BigInt(scaleMicro)
      expect(BigInt(clock.index)).toBe(50_000_000_000n + total / BigInt(rateMicro))
      expect(clock.remainder).toBe(total % BigInt(rateMicro))
      expect(shownOffset(clock)).toBeLessThan(1)
    }
  },
)

it('carries the remainder over a change of rate', () => {
  let clock = createGameClock(0)
  for (let i = 0; i < 3; i++) clock = nextTick(clock, 100_000_000, 1_000_000)
  expect([clock.index, shownOffset(clock)]).toEqual([1, 0.92])
  clock = nextTick(clock, 1_000_000, 1_000_000)
  expect([clock.index, shownOffset(clock)]).toEqual([65, 0.92])
})
