// Goal: a line is left out only where nothing of it is in the picture. Method: random lines around
// the camera; of those left out, 50 places each are projected.
import { createChance, testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import type { Frame, Lens } from '../../src/scene/frame.ts'
import { sidesIn } from '../../src/scene/seen-sides.ts'

const AXES = { right: [0, 1, 0], up: [0, 0, 1], forward: [1, 0, 0] } as unknown as Frame
const LENS: Lens = { width: 640, height: 360, pixelRatio: 1, focal: 400 }
const LINES = 2000
const PLACES = 50

function isSeen([depth, right, up]: readonly number[]): boolean {
  const { focal, width, height } = LENS
  const beside = (Math.abs(right) * focal) / depth > width / 2
  return depth > 0 && !beside && (Math.abs(up) * focal) / depth <= height / 2
}

test('a line is left out only where nothing of it is in the picture', () => {
  const chance = createChance(testSeed('seen sides'))
  const sidesOf = sidesIn(AXES, LENS)
  const place = (): [number, number, number] => {
    const [x, y, z] = [chance.share(), chance.share(), chance.share()]
    return [2 * x - 1, 2 * y - 1, 2 * z - 1]
  }
  let leftOut = 0
  for (let line = 0; line < LINES; line++) {
    const [from, to] = [place(), place()]
    if ((sidesOf(...from) & sidesOf(...to)) === 0) continue
    leftOut++
    for (let k = 0; k <= PLACES; k++) {
      const share = k / PLACES
      expect(isSeen(from.map((value, axis) => value + (to[axis] - value) * share))).toBe(false)
    }
  }
  expect(leftOut).toBeGreaterThan(LINES / 4)
  expect(leftOut).toBeLessThan(LINES)
})
