import { createChance, testSeed } from '@orrery/testkit'
import { describe, expect, test } from 'vitest'
import { Nearest } from '../../src/space/nearest.ts'

describe('the nearest of many', () => {
  test('are those that sorting finds, in its order', () => {
    const chance = createChance(testSeed('nearest'))
    const squares = Array.from({ length: 500 }, () => chance.share())
    const nearest = new Nearest(20)
    for (const [i, square] of squares.entries()) nearest.offer(i, square)
    const sorted = [...squares.keys()].toSorted((a, b) => squares[a] - squares[b])
    expect([...nearest.indices]).toEqual(sorted.slice(0, 20))
    expect(nearest.limit).toBe(squares[sorted[19]])
  })

  test('are fewer when there are fewer, and leave out what is not known', () => {
    const nearest = new Nearest(4)
    for (const [i, square] of [3, NaN, 1].entries()) nearest.offer(i, square)
    expect(nearest.indices.slice(0, nearest.count)).toEqual(Int32Array.of(2, 0))
    nearest.clear()
    expect([nearest.count, nearest.limit]).toEqual([0, Infinity])
  })
})
