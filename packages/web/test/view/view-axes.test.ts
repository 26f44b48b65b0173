// Law: beside a ship the ground is below, all around its orbit, and the camera stays where it was
// when the ground ceases to be below.
import { expect, test } from 'vitest'
import { GroundAxes, aimAlong, armOf } from '../../src/view/view-axes.ts'
import { ViewCamera } from '../../src/view/view-camera.ts'
import {
  BodyChain,
  cross,
  dot,
  fill,
  length,
  normalize,
  vector,
  type Vector,
} from '@orrery/page-kit'

const RADIUS = 7e6

/** On a circular orbit about a tilted axis, with the direction of flight. */
function onOrbit(offset: Vector, angle: number): Vector {
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  fill(offset, RADIUS * c, RADIUS * s * 0.6, RADIUS * s * 0.8)
  return vector(-s, c * 0.6, c * 0.8)
}

test('the axes stay along the flight of a circular orbit, and at right angles', () => {
  const axes = new GroundAxes()
  const offset = vector()
  axes.begin(offset, onOrbit(offset, 0))
  for (let angle = 0; angle < 6.3; angle += 0.01) {
    const along = onOrbit(offset, angle)
    axes.follow(offset)
    expect(dot(axes.first, along)).toBeCloseTo(1, 9)
    expect(dot(axes.pole, normalize(vector(), offset))).toBeCloseTo(1, 12)
    expect(dot(axes.second, cross(vector(), axes.pole, axes.first))).toBeCloseTo(1, 12)
  }
})

test('a direction comes back from its angles', () => {
  const axes = new GroundAxes()
  axes.begin(vector(1, 2, 3), vector(3, -1, 0.2))
  const arm = armOf(vector(), axes, { yaw: 2.7, pitch: -0.3, distance: 120 })
  const aim = aimAlong(arm, 120, axes)
  expect([aim.yaw, aim.pitch]).toEqual([expect.closeTo(2.7, 12), expect.closeTo(-0.3, 12)])
})

test('a camera beside a ship keeps the ground below, and goes far away without a leap', () => {
  const chain = new BodyChain([-1])
  const camera = new ViewCamera(chain)
  const focus = { body: 0, offset: vector() }
  const along = onOrbit(focus.offset, 0)
  camera.lookAt(focus, { aim: { yaw: 3, pitch: 0.3, distance: 100 }, least: 5, along }, 0)
  camera.settle()
  let nowMs = 0
  for (let angle = 0; angle < 6.3; angle += 0.1) {
    onOrbit(focus.offset, angle)
    camera.advance((nowMs += 5000))
    const below = normalize(vector(), focus.offset)
    expect(dot(camera.right, below)).toBeCloseTo(0, 9)
    expect(dot(camera.forward, below)).toBeCloseTo(-Math.sin(0.3), 9)
  }
  let before = camera.place.offset.slice()
  for (let i = 0; i < 400; i++) {
    camera.zoom(1.03)
    camera.advance((nowMs += 16))
    const { offset } = camera.place
    const moved = length(fill(vector(), ...difference(offset, before)))
    expect(moved).toBeLessThan(0.2 * length(fill(vector(), ...difference(offset, focus.offset))))
    before = offset.slice()
  }
  expect(length(fill(vector(), ...difference(before, focus.offset)))).toBeGreaterThan(RADIUS)
})

function difference(a: Vector, b: Vector): [number, number, number] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
