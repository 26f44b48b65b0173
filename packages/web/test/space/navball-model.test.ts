// Law: hulls turned by known angles from the local horizon read those angles, and each mark is in
// the middle of the ball when the nose points at it.
import { expect, test } from 'vitest'
import { createNavballChange } from '../../src/space/navball-change.ts'
import {
  type NavballModel,
  type Sighting,
  createNavballModel,
  writeNavballModel,
} from '../../src/space/navball-model.ts'
import { cross, dot, normalize, vector, type Vector } from '@orrery/page-kit'

const RADIAN = Math.PI / 180

/** Over a place on the equator, on the way east. */
const SIGHTING: Sighting = {
  attitude: Float64Array.of(1, 0, 0, 0),
  position: vector(0, 7e6, 0),
  velocity: vector(-7500, 20, 30),
  pole: vector(0, 0, 1),
  target: vector(300, 400, -50),
  sun: vector(-1.5e11, 1e10, 3e10),
  maneuver: undefined,
}

function product([a, b, c, d]: Float64Array, [w, x, y, z]: Float64Array): Float64Array {
  return Float64Array.of(
    a * w - b * x - c * y - d * z,
    a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x,
    a * z + b * y - c * x + d * w,
  )
}

function turn(axis: readonly [number, number, number], degrees: number): Float64Array {
  const half = (degrees / 2) * RADIAN
  return Float64Array.of(Math.cos(half), ...axis.map((part) => Math.sin(half) * part))
}

/** A hull with its nose to the north and its wings level at the place of the sighting. */
const NORTHWARD = Float64Array.of(0.5, -0.5, -0.5, -0.5)

function seen(sighting: Partial<Sighting>): NavballModel {
  const model = createNavballModel()
  writeNavballModel(model, { ...SIGHTING, ...sighting })
  return model
}

test.each([
  [0, 0, 0],
  [90, 0, 0],
  [45, 30, 20],
  [200, -70, 170],
  [359, 89, -100],
  [123, 10, -179],
])('heading %i°, pitch %i°, roll %i°', (heading, pitch, roll) => {
  const yawed = product(NORTHWARD, turn([0, 0, 1], -heading))
  const pitched = product(yawed, turn([0, 1, 0], -pitch))
  const model = seen({ attitude: product(pitched, turn([1, 0, 0], roll)) })
  expect(model.heading / RADIAN).toBeCloseTo(heading, 8)
  expect(model.pitch / RADIAN).toBeCloseTo(pitch, 8)
  expect(model.roll / RADIAN).toBeCloseTo(roll, 8)
  const axes = [model.east, model.north, model.up]
  for (const [i, a] of axes.entries()) {
    for (const [j, b] of axes.entries()) expect(dot(a, b)).toBeCloseTo(i === j ? 1 : 0, 12)
  }
  // East, north and up are right-handed; right, up and ahead are left-handed.
  expect(dot(cross(vector(), model.east, model.north), model.up)).toBeCloseTo(-1, 12)
})

/** A hull with its nose along a direction. */
function pointed(direction: Vector): Float64Array {
  const [x, y, z] = normalize(vector(), direction)
  const attitude = Float64Array.of(1 + x, 0, -z, y)
  const size = Math.hypot(...attitude)
  return attitude.map((part) => part / size)
}

test('each mark is in the middle when the nose points at it', () => {
  const { position, velocity, target, sun } = SIGHTING
  const normal = cross(vector(), position, velocity)
  const directions = { prograde: velocity, normal, radial_out: position, target, sun }
  for (const [mark, direction] of Object.entries(directions)) {
    const model = seen({ attitude: pointed(direction!) })
    const middle = model.marks[mark as keyof typeof directions]
    expect([...middle]).toEqual([0, 0, 1].map((part) => expect.closeTo(part, 6)))
  }
})

test('opposite marks are opposite, and what is not known has no place', () => {
  const { marks } = seen({ target: undefined })
  for (const [a, b] of [
    [marks.prograde, marks.retrograde],
    [marks.normal, marks.antinormal],
    [marks.radial_out, marks.radial_in],
  ]) {
    for (const k of [0, 1, 2]) expect(a[k] + b[k]).toBe(0)
  }
  for (const mark of [marks.target, marks.antitarget, marks.maneuver]) expect(mark[2]).toBeNaN()
})

test('over a pole headings count from the way it flies', () => {
  const model = seen({ position: vector(0, 0, 7e6), attitude: pointed(SIGHTING.velocity) })
  expect(Math.sin(model.heading)).toBeCloseTo(0, 6)
  expect(Math.cos(model.heading)).toBeCloseTo(1, 10)
})

test('a mark that appears or goes is another picture, one that stays unknown is not', () => {
  const change = createNavballChange()
  const none = { target: undefined }
  expect(change.note(seen(none))).toBe(true)
  expect(change.note(seen(none))).toBe(false)
  expect(change.note(seen({}))).toBe(true)
  expect(change.note(seen({}))).toBe(false)
  expect(change.note(seen(none))).toBe(true)
  change.forget()
  expect(change.note(seen(none))).toBe(true)
})
