// Law: Earth is turned by the Earth rotation angle, moons show their planet one side, and all axes
// are right-handed.
import { expect, test } from 'vitest'
import { type BodyAxes, bodyAxes } from '../../src/space/body-axes.ts'
import { cross, dot, normalize, vector } from '@orrery/page-kit'

const NORTH = vector(0, 0, 1)

function axesOf(body: Parameters<typeof bodyAxes>[1], ms: number): BodyAxes {
  const axes = { meridian: vector(), east: vector(), pole: vector() }
  bodyAxes(axes, body, ms)
  return axes
}

// At noon of J2000 as the almanac has it; then sidereal time at 0 h less precession since J2000.
test.each([
  ['2000-01-01T12:00:00Z', 280.461],
  ['2024-03-20T00:00:00Z', 178.02 - 0.31],
  ['2026-11-23T00:00:00Z', 61.98 - 0.344],
])('Greenwich at %s', (date, degrees) => {
  const toParent = vector(1.5e11, 0, 0)
  const { meridian } = axesOf({ name: 'Earth', pole: NORTH, toParent }, Date.parse(date))
  const angle = (Math.atan2(meridian[1], meridian[0]) * 180) / Math.PI
  expect(Math.abs(((angle - degrees + 540) % 360) - 180)).toBeLessThan(0.02)
})

test.each(['Earth', 'Jupiter', 'Moon', 'Venus'])('%s has right-handed unit axes', (name) => {
  const pole = normalize(vector(), vector(0.2, -0.4, 0.9))
  const toParent = vector(3e8, -2e8, 5e7)
  const axes = axesOf({ name, pole, toParent }, 1.8e12)
  const { meridian, east } = axes
  expect(dot(meridian, pole)).toBeCloseTo(0, 12)
  expect(dot(meridian, meridian)).toBeCloseTo(1, 12)
  const third = cross(vector(), meridian, east)
  for (const k of [0, 1, 2]) expect(third[k]).toBeCloseTo(pole[k], 12)
})

test('the Moon shows Earth its middle', () => {
  const toParent = vector(3e8, -2e8, 5e7)
  const { meridian, east } = axesOf({ name: 'Moon', pole: NORTH, toParent }, 1.8e12)
  expect(dot(meridian, toParent)).toBeGreaterThan(3.5e8)
  expect(dot(east, toParent)).toBeCloseTo(0, 4)
})
