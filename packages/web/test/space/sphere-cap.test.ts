// Law: each cell that has a corner within the cap is chosen, and each chosen one is there once;
// a narrow cap takes a small part of the sphere.
import { createChance, testSeed } from '@orrery/testkit/chance'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { SphereCap, sphereGrid } from '../../src/space/sphere-cap.ts'
import { angleBetween, vector, type Vector } from '@orrery/page-kit'

const ROWS = 48
const CAPS = byTier({ gate: 15, night: 40 })
const grid = sphereGrid(ROWS)
const ALL = 2 * 2 * ROWS * ROWS

function directionOf(vertex: number): Vector {
  const [x, y, z] = grid.directions.subarray(3 * vertex, 3 * vertex + 3)
  return vector(x, y, z)
}

/** Triangles, each as its three vertices. */
function triangles({ index, count }: SphereCap): readonly (readonly number[])[] {
  return Array.from({ length: count / 3 }, (_, i) => [...index.subarray(3 * i, 3 * i + 3)])
}

const whole = new SphereCap(grid)
whole.choose(vector(1), Math.PI)
const everyTriangle = triangles(whole)

test('with random caps', () => {
  const chance = createChance(testSeed('caps'))
  const cap = new SphereCap(grid)
  expect(everyTriangle).toHaveLength(ALL)
  for (let i = 0; i < CAPS; i++) {
    const part = (): number => 2 * chance.share() - 1
    const middle = vector(part(), part(), part())
    const radius = Math.PI * chance.share()
    cap.choose(middle, radius)
    const keys = triangles(cap).map(String)
    const chosen = new Set(keys)
    expect(chosen.size).toBe(keys.length)
    const isWithin = (vertex: number): boolean => {
      return angleBetween(directionOf(vertex), middle) < radius
    }
    const missing = everyTriangle.filter((vertices) => {
      return vertices.some(isWithin) && !chosen.has(String(vertices))
    })
    expect(missing).toEqual([])
  }
})

test('from a low orbit a tenth of the sphere is seen, the same for a while', () => {
  const cap = new SphereCap(grid)
  expect(cap.choose(vector(1, 0, 0.2), 0.35)).toBe(true)
  expect(cap.count / 3).toBeLessThan(0.13 * ALL)
  expect(cap.choose(vector(1, 0.001, 0.2), 0.35)).toBe(false)
  expect(cap.choose(vector(-1, 0, 0), 0.35)).toBe(true)
})

test('cells that are left out are in no cap', () => {
  const cap = new SphereCap(sphereGrid(12, (row) => row < 2))
  expect(cap.choose(vector(0, 0, 1), 0.5)).toBe(false)
  expect(cap.count).toBe(0)
  expect(cap.choose(vector(0, 0, -1), 0.5)).toBe(true)
  expect(cap.count).toBe(2 * 3 * 2 * 24)
})
