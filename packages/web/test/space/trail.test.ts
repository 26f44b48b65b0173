import { describe, expect, test } from 'vitest'
import { TRAIL_VERTICES, Trail } from '../../src/space/trail.ts'
import { vector } from '@orrery/page-kit'

const RADIUS = 6.8e6
const SPEED = 7660
const RATE = SPEED / RADIUS

/** Moves along a circle in steps of so many seconds. */
function flown(trail: Trail, until: number, step: number, from: number = 0): void {
  for (let t = from; t <= until; t += step) {
    const [c, s] = [Math.cos(RATE * t), Math.sin(RATE * t)]
    trail.note(3, t, vector(RADIUS * c, RADIUS * s), vector(-SPEED * s, SPEED * c))
  }
}

function line(trail: Trail): { x: number; y: number }[] {
  const out = new Float64Array(3 * TRAIL_VERTICES)
  const count = trail.vertices(out)
  return Array.from({ length: count }, (_, i) => ({ x: out[3 * i], y: out[3 * i + 1] }))
}

describe('a trail', () => {
  test('begins at the thing, and every vertex is on its way', () => {
    const trail = new Trail()
    flown(trail, 3000, 7)
    const vertices = line(trail)
    const last = RATE * 2996
    expect(vertices[0].x).toBeCloseTo(RADIUS * Math.cos(last), 3)
    expect(vertices[0].y).toBeCloseTo(RADIUS * Math.sin(last), 3)
    // A cubic over 3° of a circle is off by less than a metre.
    for (const { x, y } of vertices) expect(Math.abs(Math.hypot(x, y) - RADIUS)).toBeLessThan(1)
    const { x, y } = vertices[vertices.length - 1]
    expect(Math.hypot(x - RADIUS, y)).toBeLessThan(1)
  })

  test('has vertices within metres of the thing, for a camera beside it', () => {
    const trail = new Trail()
    flown(trail, 3000, 7)
    const [first, second] = line(trail)
    expect(Math.hypot(second.x - first.x, second.y - first.y)).toBeLessThan(60)
  })

  test('is bounded, and forgets the oldest', () => {
    const trail = new Trail()
    flown(trail, 60_000, 20)
    const vertices = line(trail)
    expect(vertices.length).toBeLessThanOrEqual(TRAIL_VERTICES)
    expect(vertices.length).toBeGreaterThan(TRAIL_VERTICES - 8)
  })

  test('begins again about another body, after a leap, and when time runs back', () => {
    for (const restart of [
      (trail: Trail) => trail.note(4, 3001, vector(RADIUS), vector(0, SPEED)),
      (trail: Trail) => trail.note(3, 3001, vector(-2 * RADIUS), vector(0, SPEED)),
      (trail: Trail) => flown(trail, 0, 7),
    ]) {
      const trail = new Trail()
      flown(trail, 3000, 7)
      restart(trail)
      const [first, ...rest] = line(trail)
      for (const { x, y } of rest) expect(Math.hypot(x - first.x, y - first.y)).toBe(0)
    }
  })

  test('of a thing that has not been seen has no vertices', () => {
    expect(line(new Trail())).toEqual([])
  })
})
