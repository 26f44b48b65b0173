// Law: what is in the middle of the map stands still, at a pixel of a metre and whatever the
// distance from the star, and a point of the picture stays under the pointer that zooms.
import { expect, test } from 'vitest'
import { MapView, SCALE_MIN } from '../../src/map/map-view.ts'
import { addScaled, BodyChain, vector, type Vector } from '@orrery/page-kit'

const AU = 1.495978707e11

/** A star, a planet as far as Neptune, and its moon. */
function chain(): BodyChain {
  const made = new BodyChain([-1, 0, 1])
  made.relative.set([1e9, -2e8, 3e7, 30 * AU, 3 * AU, -AU, 3e8, 1e8, 2e8])
  return made
}

function view(): MapView {
  const made = new MapView()
  made.resize(1000, 600)
  made.turnTo(0.7, 0.4)
  return made
}

function seen(made: MapView, bodies: BodyChain, body: number, offset: Vector): [number, number] {
  const point = { x: 0, y: 0 }
  made.project(point, bodies.difference(vector(), made.center, { body, offset }))
  return [point.x, point.y]
}

test('a hull at the moon of a far planet stands still at a pixel of a metre', () => {
  const bodies = chain()
  const made = view()
  const ship = vector(2_100_000.3, -340_000.7, 77_000.1)
  const beside = addScaled(vector(), ship, made.right, 25)
  for (let i = 0; i < 500; i++) {
    // A second of game time: all move on by kilometres.
    for (let k = 0; k < 9; k++)
      bodies.relative[k] += [3, 1, 2, 4500.1, 3000.7, 90.3, 900.9, 5, 7][k]
    for (const place of [ship, beside]) addScaled(place, place, vector(1500.123, -700.5, 31.7), 1)
    made.lookAt(2, ship, 1)
    expect(seen(made, bodies, 2, ship)).toEqual([500, 300])
    const [x, y] = seen(made, bodies, 2, beside)
    expect(x).toBeCloseTo(525, 6)
    expect(y).toBeCloseTo(300, 6)
  }
})

test('zooms from a star system to a part of a hull about the point under the pointer', () => {
  const bodies = chain()
  const made = view()
  made.lookAt(0, vector(), 1e10)
  const pointer = { x: 812, y: 145 }
  const under = made.offsetAt(vector(), pointer)
  for (let i = 0; i < 300; i++) {
    made.zoom(0.8, pointer)
    const [x, y] = seen(made, bodies, 0, under)
    // The place is given from the star: a double has so many digits there.
    const rounding = (1e-3 * AU * 2 ** -40) / made.scale
    expect(Math.hypot(x - pointer.x, y - pointer.y)).toBeLessThan(1e-6 + 100 * rounding)
  }
  expect(made.scale).toBe(SCALE_MIN)
})

test('moves with another body without a change of the picture', () => {
  const bodies = chain()
  const made = view()
  made.lookAt(0, vector(30 * AU, 3 * AU, 0), 1e6)
  const place = vector(1e6, 2e6, -3e6)
  const before = seen(made, bodies, 2, place)
  made.moveWith(2, bodies)
  expect(made.center.body).toBe(2)
  const after = seen(made, bodies, 2, place)
  expect(after[0]).toBeCloseTo(before[0], 6)
  expect(after[1]).toBeCloseTo(before[1], 6)
})
