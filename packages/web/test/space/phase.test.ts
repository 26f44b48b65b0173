// Law: the lit part of a disc is that of the geometry, whatever the distances.
import { expect, test } from 'vitest'
import { fractionLit, lambertPhase, phaseAngle } from '../../src/space/phase.ts'
import { vector } from '@orrery/page-kit'

test('full, half, new, and between', () => {
  const star = vector(1.5e11, 0, 0)
  expect(fractionLit(star, vector(3, 0, 0))).toBe(1)
  expect(fractionLit(star, vector(0, 4e8, 0))).toBeCloseTo(0.5, 15)
  expect(fractionLit(star, vector(-1, 0, 0))).toBe(0)
  expect(fractionLit(star, vector(1, Math.sqrt(3), 0))).toBeCloseTo(0.75, 15)
  expect(phaseAngle(star, vector(-1e-9, 0, 0))).toBe(Math.PI)
})

test("a sphere's brightness falls from 1 to 0, to 1/π at half", () => {
  expect(lambertPhase(0)).toBe(1)
  expect(lambertPhase(Math.PI / 2)).toBeCloseTo(1 / Math.PI, 15)
  expect(lambertPhase(Math.PI)).toBeCloseTo(0, 15)
  for (let angle = 0.1; angle < Math.PI; angle += 0.1) {
    expect(lambertPhase(angle)).toBeLessThan(lambertPhase(angle - 0.1))
  }
})
