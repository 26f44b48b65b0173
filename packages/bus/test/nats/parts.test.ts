import { expect, it } from 'vitest'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { Cutter, Joiner, PART_BYTES } from '../../src/nats/parts.ts'

it('gives back messages as they were, or not at all, whatever becomes of their parts', () => {
  const chance = createChance(testSeed('parts'))
  const cutters = [new Cutter(), new Cutter()]
  const joiner = new Joiner()
  const whole = new Set<number>()
  const sound: number[] = []
  for (let n = 0; n < 60; n++) {
    const length = [n % 100, PART_BYTES * (n % 3) + (n % 7)][n % 2] ?? 0
    const payload = new Uint8Array(length + 1).fill(n)
    const parts = cutters[n % 2]?.parts(payload) ?? []
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(PART_BYTES + 12)
    const damage = chance.below(5)
    const place = chance.below(parts.length)
    if (damage === 1) parts.splice(place, 1)
    if (damage === 2) parts.splice(place, 0, ...parts.slice(place, place + 1))
    if (damage === 3) parts.reverse()
    if (damage === 4) parts[place] = parts[place]?.subarray(0, chance.below(12)) ?? payload
    for (const part of parts) {
      const back = joiner.whole(part)
      if (!back) continue
      whole.add(n)
      expect(Buffer.compare(back, payload)).toBe(0)
    }
    if (damage === 0) sound.push(n)
  }
  expect(sound.filter((n) => !whole.has(n))).toEqual([])
})
