// Law: a point is left out only if its image lies outside the picture, or a ray from the camera to
// it meets the body nearby first. Goal: no seen point of 40,000 is left out; of the others nearly
// all are. Method: random points against projection and the ray's distance from the body's centre.
import { createChance } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { Ambient } from '../../src/scene/ambient.ts'
import type { Orientation } from '../../src/scene/frame.ts'
import { type Motion, Sight } from '../../src/scene/sight.ts'
import { cross, dot, length, normalize, vector, type Vector } from '@orrery/page-kit'

const SEED = 7
const POINTS = 40_000
const LENS = { width: 1280, height: 720, pixelRatio: 1, focal: 850 }
const RADIUS = 6.4e6
const RIGHT = vector(0.6, 0.8, 0)
const UP = vector(0, 0, 1)
const FORWARD = vector(0.8, -0.6, 0)
const BODY = vector(9e6, -7e6, -3e6)

const chance = createChance(SEED)
const coordinate = (): number => (2 * chance.share() - 1) * 3e7

/** How far its image is from the edge of the picture, negative inside [px]. */
function outside(point: Vector): number {
  const depth = dot(point, FORWARD)
  if (depth <= 0) return Infinity
  const x = Math.abs((LENS.focal * dot(point, RIGHT)) / depth)
  const y = Math.abs((LENS.focal * dot(point, UP)) / depth)
  return Math.max(x - LENS.width / 2, y - LENS.height / 2)
}

/** How near the ray to a point comes to the body's centre before it [radii]; Infinity if beyond. */
function ray(point: Vector): number {
  const distance = length(point)
  const along = dot(point, BODY) / distance
  if (along <= 0 || along >= distance) return Infinity
  return Math.sqrt(dot(BODY, BODY) - along ** 2) / RADIUS
}

/** Points that may have moved anyhow. */
function leaping(count: number): Motion {
  return { isNear: new Uint8Array(count), pace: Infinity }
}

function foundBy(
  sight: Sight,
  points: Float64Array,
  axes: Orientation,
  motion: Motion,
): readonly number[] {
  const count = sight.find(points, axes, LENS, motion)
  return [...sight.found.subarray(0, count)]
}

it(`finds the points that a picture shows (seed ${SEED})`, () => {
  const ambient = new Ambient()
  ambient.uniforms.shade.value.set(BODY[0], BODY[1], BODY[2], RADIUS)
  const points = Float64Array.from({ length: 3 * POINTS }, coordinate)
  const unknown = [NaN, NaN, NaN]
  const sight = new Sight(ambient)
  const axes = { right: RIGHT, up: UP, forward: FORWARD }
  const all = Float64Array.from([...unknown, ...points, ...unknown])
  const found = new Set(foundBy(sight, all, axes, leaping(POINTS + 2)))
  const missed: Vector[] = []
  const counts = { seen: 0, hidden: 0 }
  for (let i = 0; i < POINTS; i++) {
    const point = vector(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    const isInside = outside(point) < 0
    const isFree = ray(point) > 1
    if (isInside && isFree) {
      counts.seen++
      if (!found.has(i + 1)) missed.push(point)
    } else if (isInside) counts.hidden++
  }
  expect(missed).toEqual([])
  expect(counts.seen).toBeGreaterThan(500)
  expect(counts.hidden).toBeGreaterThan(500)
  expect(found.size).toBeLessThan(1.5 * counts.seen)
  expect(found.has(0) || found.has(POINTS + 1)).toBe(false)
})

it(`finds the same where few points are looked at in each picture (seed ${SEED})`, () => {
  const count = 4000
  const [frames, pace] = [200, 5]
  const ambient = new Ambient()
  const points = Float64Array.from({ length: 3 * count }, coordinate)
  const isNear = Uint8Array.from({ length: count }, () => (chance.oneIn(20) ? 1 : 0))
  const sight = new Sight(ambient)
  const forward = vector(...FORWARD)
  for (let frame = 0; frame < frames; frame++) {
    const turn = chance.oneIn(40) ? 1 : 0.01
    for (let axis = 0; axis < 3; axis++) forward[axis] += turn * (chance.share() - 0.5)
    normalize(forward, forward)
    const right = normalize(vector(), cross(vector(), forward, UP))
    const axes = { right, up: cross(vector(), right, forward), forward }
    for (let i = 0; i < count; i++) {
      const place = points.subarray(3 * i, 3 * i + 3)
      const far = isNear[i] === 1 ? 3e7 : (length(place) * pace) / LENS.focal / 2
      for (let axis = 0; axis < 3; axis++) place[axis] += far * (chance.share() - 0.5)
    }
    const found = foundBy(sight, points, axes, { isNear, pace })
    const expected = foundBy(new Sight(ambient), points, axes, leaping(count))
    expect(found).toEqual(expected)
  }
})
