// Law: no two labels overlap, the more important one stays, and what stays out had no room.
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, test } from 'vitest'
import { type LabelCandidate, placedLabels } from '../../src/space/label-placement.ts'

function overlap(a: LabelCandidate, b: LabelCandidate): boolean {
  return !(
    a.left >= b.left + b.width ||
    b.left >= a.left + a.width ||
    a.top >= b.top + b.height ||
    b.top >= a.top + a.height
  )
}

test('1,000 labels of random places, sizes and importance', () => {
  const chance = createChance(testSeed('labels'))
  const candidates = Array.from({ length: 1000 }, () => ({
    left: chance.share() * 1400 - 60,
    top: chance.share() * 800 - 40,
    width: 20 + chance.share() * 180,
    height: 12 + chance.share() * 12,
    priority: Math.floor(chance.share() * 5),
  }))
  const placed = placedLabels(candidates, 1000)
  for (const [i, a] of placed.entries()) {
    for (const b of placed.slice(i + 1)) {
      expect(overlap(candidates[a], candidates[b])).toBe(false)
      expect(candidates[a].priority).toBeGreaterThanOrEqual(candidates[b].priority)
    }
  }
  for (const i of candidates.keys()) {
    if (placed.includes(i)) continue
    const { priority } = candidates[i]
    const reason = placed.some(
      (k) => candidates[k].priority >= priority && overlap(candidates[k], candidates[i]),
    )
    expect(reason).toBe(true)
  }
})

test('not more than the page may have', () => {
  const apart = Array.from({ length: 400 }, (_, i) => {
    return { left: 0, top: 20 * i, width: 50, height: 20, priority: i }
  })
  const placed = placedLabels(apart)
  expect(placed).toHaveLength(150)
  expect(placed[0]).toBe(399)
})
