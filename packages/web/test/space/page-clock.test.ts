// Law: shown time never goes back but at a jump of the world, and comes to the server's within a
// few seconds.
import { expect, test } from 'vitest'
import { PageClock } from '../../src/space/page-clock.ts'

test('counts on at the scale, and stands while paused', () => {
  const clock = new PageClock()
  expect(clock.at(0)).toBeUndefined()
  clock.note({ gameTimeMs: 1e12, scale: 7 }, 1000)
  expect(clock.at(1000)).toBe(1e12)
  expect(clock.at(3000)).toBe(1e12 + 14_000)
  clock.note({ gameTimeMs: 1e12 + 14_000, scale: 0 }, 3000)
  expect(clock.at(90_000)).toBe(1e12 + 14_000)
})

test('late answers do not turn it back; an early one is taken over softly', () => {
  const clock = new PageClock()
  clock.note({ gameTimeMs: 0, scale: 1 }, 0)
  let before = 0
  for (let ms = 0; ms <= 60_000; ms += 50) {
    if (ms % 10_000 === 0) clock.note({ gameTimeMs: ms + (ms < 30_000 ? 0 : 800), scale: 1 }, ms)
    if (ms % 10_000 === 5000) clock.note({ gameTimeMs: ms - 700, scale: 1 }, ms)
    const shown = clock.at(ms) ?? NaN
    expect(shown).toBeGreaterThanOrEqual(before)
    expect(shown - before).toBeLessThan(50 * 1.9 + 1)
    before = shown
  }
  expect(Math.abs(before - 60_800)).toBeLessThan(1)
})

test('a reset or a restored world is a jump', () => {
  const clock = new PageClock()
  expect(clock.note({ gameTimeMs: 1e12, scale: 1 }, 0)).toBe(false)
  clock.at(0)
  expect(clock.note({ gameTimeMs: 1e12 + 10_100, scale: 1 }, 10_000)).toBe(false)
  expect(clock.note({ gameTimeMs: 5e11, scale: 1 }, 20_000)).toBe(true)
  expect(clock.at(20_000)).toBe(5e11)
})
