// Law: pixels are left out while frames are slow, come back when they are quick, and a machine
// that is busy again and again changes its picture ever more rarely.
import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { PictureQuality } from '../../src/page/picture-quality.ts'

/** Frames of a machine that takes so long for all pixels; returns the number of changes. */
function run(
  quality: PictureQuality,
  frames: number,
  fullMs: number,
  leastMs: number = 16,
): number {
  let changes = 0
  for (let i = 0; i < frames; i++) {
    clockMs += Math.max(fullMs * quality.share ** 2, leastMs)
    if (quality.note(clockMs)) changes++
  }
  return changes
}
let clockMs = 0

test('a slow machine draws a sixth of the pixels at least', () => {
  const quality = new PictureQuality({ quality: signal('auto') })
  expect(run(quality, 300, 500)).toBe(5)
  expect(quality.share).toBeCloseTo(2 ** -1.25, 12)
})

test('all pixels come back when the machine has been busy for a while only', () => {
  const quality = new PictureQuality({ quality: signal('auto') })
  run(quality, 200, 90)
  expect(quality.share).toBeLessThan(0.6)
  run(quality, 2000, 10)
  expect(quality.share).toBe(1)
})

test('a machine that is busy again and again changes its picture ever more rarely', () => {
  const quality = new PictureQuality({ quality: signal('auto') })
  const changes = Array.from({ length: 20 }, () => run(quality, 60, 60) + run(quality, 300, 10))
  expect(Math.min(...changes.slice(0, 3))).toBeGreaterThan(0)
  expect(changes.slice(-5)).toEqual([0, 0, 0, 0, 0])
})

test('the setting wins', () => {
  const quality = new PictureQuality({ quality: signal('high') })
  expect([run(quality, 500, 500), quality.share]).toEqual([0, 1])
})
