import { createChance, testSeed } from '@orrery/testkit'
import { describe, expect, test } from 'vitest'
import { attitudeAlong, turnAboutAxis, turned } from '../../src/space/attitude.ts'
import { cross, dot, normalize, rotate, vector, type Vector } from '@orrery/page-kit'

const chance = createChance(testSeed('attitude'))

function direction(): Vector {
  const parts = [0, 1, 2].map(() => 2 * chance.share() - 1)
  return normalize(vector(), vector(...parts))
}

function expectNear(a: Vector, b: Vector): void {
  for (const axis of [0, 1, 2]) expect(a[axis]).toBeCloseTo(b[axis], 12)
}

describe('attitudes', () => {
  test.for(Array.from({ length: 30 }, (_, i) => i))('have +z along and +y beside, %i', () => {
    const [along, beside] = [direction(), direction()]
    const q = new Float64Array(4)
    attitudeAlong(q, along, beside)
    expect(Math.hypot(...q)).toBeCloseTo(1, 12)
    expectNear(turned(vector(), q, vector(0, 0, 1)), along)
    const y = turned(vector(), q, vector(0, 1, 0))
    expect(dot(y, along)).toBeCloseTo(0, 12)
    expect(dot(y, beside)).toBeGreaterThan(0)
    expect(dot(cross(vector(), along, beside), y)).toBeCloseTo(0, 12)
    expectNear(turned(vector(), q, vector(1, 0, 0)), cross(vector(), y, along))
  })

  test('exist where both directions are one', () => {
    const q = new Float64Array(4)
    for (const along of [vector(1, 0, 0), vector(0, 0, 1)]) {
      attitudeAlong(q, along, along)
      expect(Math.hypot(...q)).toBeCloseTo(1, 12)
      expectNear(turned(vector(), q, vector(0, 0, 1)), along)
    }
  })

  test('turn about their own axis', () => {
    const [along, beside] = [direction(), direction()]
    const [q, later] = [new Float64Array(4), new Float64Array(4)]
    attitudeAlong(q, along, beside)
    turnAboutAxis(later, q, 0.7)
    expect(Math.hypot(...later)).toBeCloseTo(1, 12)
    const x = turned(vector(), q, vector(1, 0, 0))
    expectNear(turned(vector(), later, vector(1, 0, 0)), rotate(vector(), x, along, 0.7))
    expectNear(turned(vector(), later, vector(0, 0, 1)), along)
  })
})
