// Law: the camera keeps a body in the middle from 10⁻⁴ of its radius above it to beyond the system,
// and a flight from one body to another begins where the camera was and ends where it is led.
import { expect, test } from 'vitest'
import { type Aim, aimAlong } from '../../src/view/view-axes.ts'
import { ViewCamera } from '../../src/view/view-camera.ts'
import { BodyChain, dot, length, normalize, vector, type Vector } from '@orrery/page-kit'

const DEIMOS_RADIUS = 6200

function chain(): BodyChain {
  const made = new BodyChain([-1, 0, 1])
  made.relative.set([1e9, 0, 0, 2e11, 1e11, 0, 2.3e7, 0, 1e6])
  return made
}

function camera(made: BodyChain): ViewCamera {
  const found = new ViewCamera(made)
  lookAt(found, 2, { yaw: 1, pitch: 0.3, distance: 1e5 })
  found.settle()
  found.advance(0)
  return found
}

function lookAt(moved: ViewCamera, body: number, aim: Aim): void {
  moved.lookAt({ body, offset: vector() }, { least: DEIMOS_RADIUS, aim }, 0)
}

/** From the camera to a body. */
function seen(made: BodyChain, { place }: ViewCamera, body: number): Vector {
  return made.difference(vector(), place, { body, offset: vector() })
}

test('zooms over 12 orders of magnitude, with the body in the middle', () => {
  const made = chain()
  const moved = camera(made)
  for (const [factor, reached] of [
    [0.5, DEIMOS_RADIUS * 1.0001],
    [2, 1e14],
  ]) {
    for (let i = 0; i < 100; i++) moved.zoom(factor)
    moved.settle()
    moved.advance(1000)
    const centre = seen(made, moved, 2)
    expect(length(centre) / reached).toBeCloseTo(1, 4)
    expect(dot(normalize(vector(), centre), moved.forward)).toBeCloseTo(1, 12)
  }
  expect(1e14 / (DEIMOS_RADIUS * 1e-4)).toBeGreaterThan(1e12)
})

test('right, up and forward stay at right angles however it is turned', () => {
  const moved = camera(chain())
  for (let i = 1; i < 200; i++) {
    moved.turn(0.37, i % 7 === 0 ? -1 : 0.2)
    moved.advance(i * 40)
    const { right, up, forward } = moved
    for (const axis of [right, up, forward]) expect(length(axis)).toBeCloseTo(1, 12)
    expect(dot(right, up)).toBeCloseTo(0, 12)
    expect(dot(right, forward)).toBeCloseTo(0, 12)
    expect(dot(up, forward)).toBeCloseTo(0, 12)
  }
})

test('flies from where it was to where it is led', () => {
  const made = chain()
  const moved = camera(made)
  const before = seen(made, moved, 0)
  lookAt(moved, 0, aimAlong(vector(1, 2, 0.5), 4e9))
  moved.advance(0)
  const start = seen(made, moved, 0)
  for (const k of [0, 1, 2]) expect(Math.abs(start[k] - before[k])).toBeLessThan(2e11 * 1e-9)
  let size = length(start)
  for (let ms = 50; moved.isFlying; ms += 50) {
    moved.advance(ms)
    const now = length(seen(made, moved, 0))
    expect(now).toBeLessThanOrEqual(size)
    size = now
  }
  const end = seen(made, moved, 0)
  expect(length(end)).toBeCloseTo(4e9, 0)
  expect(dot(normalize(vector(), end), normalize(vector(), vector(1, 2, 0.5)))).toBeCloseTo(-1, 9)
  expect(dot(normalize(vector(), end), moved.forward)).toBeCloseTo(1, 9)
})

test('people who want no motion see the end at once', () => {
  const made = chain()
  const moved = camera(made)
  moved.isCalm = true
  lookAt(moved, 1, { yaw: 0, pitch: 0, distance: 5e8 })
  moved.advance(16)
  expect(length(seen(made, moved, 1))).toBeCloseTo(5e8, 0)
})
