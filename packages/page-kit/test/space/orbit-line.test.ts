// Law: all vertices lie on the conic of the state, the object is one of them exactly, and beside it
// the line has the direction of its velocity at every scale.
import { expect, test } from 'vitest'
import { OBJECT_VERTEX, ORBIT_VERTICES, orbitVertices } from '../../src/space/orbit-line.ts'
import { type Vector, cross, dot, length, vector } from '../../src/space/vector.ts'

const SUN = 1.327_124_400_419_4e20

/** Speed over that of a circle, and angle of the velocity to the radius. */
const ORBITS: readonly (readonly [string, number, number])[] = [
  ['circle', 1, Math.PI / 2],
  ['ellipse at its periapsis', 1.2, Math.PI / 2],
  ['ellipse', 1.1, 1],
  ['long ellipse', 1.4, 0.7],
  ['hyperbola at its periapsis', 1.8, Math.PI / 2],
  ['hyperbola on its way out', 2.2, 0.4],
  ['hyperbola on its way in', 2.2, 2.6],
]

const DISTANCE = 4.5e12

function state(factor: number, angle: number): { position: Vector; velocity: Vector; gm: number } {
  const speed = factor * Math.sqrt(SUN / DISTANCE)
  const velocity = vector(speed * Math.cos(angle), speed * Math.sin(angle) * 0.8)
  velocity[2] = speed * Math.sin(angle) * 0.6
  return { position: vector(DISTANCE, 0, 0), velocity, gm: SUN }
}

test.each(ORBITS)('%s', (_, factor, angle) => {
  const orbit = state(factor, angle)
  const { position, velocity, gm } = orbit
  const out = new Float64Array(3 * ORBIT_VERTICES)
  expect(orbitVertices(out, orbit)).toBe(true)
  const momentum = cross(vector(), position, velocity)
  const parameter = dot(momentum, momentum) / gm
  const eccentric = cross(vector(), velocity, momentum)
  for (const k of [0, 1, 2]) eccentric[k] = eccentric[k] / gm - position[k] / DISTANCE
  for (let i = 0; i < ORBIT_VERTICES; i++) {
    const offset = out.subarray(3 * i, 3 * i + 3)
    const r = vector(...[0, 1, 2].map((k) => position[k] + offset[k]))
    // The conic: r + e · r = p, in the plane of the momentum.
    expect(Math.abs(length(r) + dot(eccentric, r) - parameter)).toBeLessThan(length(r) * 1e-11)
    expect(Math.abs(dot(r, momentum))).toBeLessThan(length(r) * length(momentum) * 1e-12)
  }
  expect(length(out.subarray(3 * OBJECT_VERTEX, 3 * OBJECT_VERTEX + 3))).toBe(0)
})

test.each(ORBITS)('%s: beside the object the line is its tangent', (_, factor, angle) => {
  const orbit = state(factor, angle)
  const out = new Float64Array(3 * ORBIT_VERTICES)
  orbitVertices(out, orbit)
  for (const side of [-1, 1]) {
    let before = 0
    for (let i = 1; i < 20; i++) {
      const at = 3 * (OBJECT_VERTEX + side * i)
      const offset = out.subarray(at, at + 3)
      const size = length(offset)
      expect(size).toBeGreaterThan(before)
      before = size
      const along = (side * dot(offset, orbit.velocity)) / (size * length(orbit.velocity))
      expect(1 - along).toBeLessThan(1e-12)
    }
  }
})

test('a fall along a straight line has no orbit to draw', () => {
  const out = new Float64Array(3 * ORBIT_VERTICES)
  const position = vector(1e9, 0, 0)
  expect(orbitVertices(out, { position, velocity: vector(-5, 0, 0), gm: SUN })).toBe(false)
  expect(orbitVertices(out, { position, velocity: vector(), gm: SUN })).toBe(false)
})
