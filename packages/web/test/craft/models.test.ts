import { describe, expect, test } from 'vitest'
import { type Figures, classHull } from '../../src/craft/class-hull.ts'
import { COURIER_RADIUS, courierModel } from '../../src/craft/courier-model.ts'
import { GATE_RADIUS, gateRing, gateVeil } from '../../src/craft/gate-model.ts'
import { Solid } from '../../src/craft/solid.ts'
import { STATION_RADIUS, stationSpine, stationWheel } from '../../src/craft/station-model.ts'

/** Together a picture of 12 near and 52 far ships stays below this. */
const TRIANGLES_MAX = 12_000

/** Four that differ, and figures at the ends of what is drawn. */
const CLASSES: readonly (readonly [string, Figures])[] = [
  ['a shuttle', figures(6e3, 4e3, 1.2e5, [9_700, 45_000])],
  ['a tug', figures(12e3, 18e3, 9e5, [54_000, 91_000])],
  ['a freighter', figures(60e3, 90e3, 3e5, [750_000, 8_375_000])],
  ['a probe', figures(400, 600, 500, [112, 356])],
  ['a needle', figures(1e4, 9e4, 1e5, [100, 4e7])],
  ['a plate', figures(1e4, 10, 1e8, [8e6, 4e6])],
  ['a plate without thrust', figures(1e3, 1e7, 1e-3, [8e4, 4e4])],
]

function figures(
  dryMass: number,
  fuelCapacity: number,
  thrustMax: number,
  [around, across]: readonly [number, number],
): Figures {
  return { dryMass, fuelCapacity, thrustMax, inertia: [around, across, across] }
}

function hullOf(one: Figures, sides: number): Solid {
  return classHull(one).draw(new Solid(), sides)
}

const MODELS: readonly (readonly [string, Solid, number])[] = [
  ...CLASSES.map(([name, one]) => [name, hullOf(one, 16), COURIER_RADIUS] as const),
  ['a ship', courierModel(16), COURIER_RADIUS],
  ['a ship from afar', courierModel(6), COURIER_RADIUS],
  ['the wheel of a station', stationWheel(), STATION_RADIUS],
  ['the spine of a station', stationSpine(), STATION_RADIUS],
  ['the ring of a gate', gateRing(), GATE_RADIUS],
  ['the veil of a gate', gateVeil(), GATE_RADIUS],
]

describe.for(MODELS)('%s', ([, solid, radius]) => {
  const geometry = solid.geometry()
  const index = [...(geometry.getIndex()?.array ?? [])]
  const triple = (name: string, i: number): number[] =>
    [0, 1, 2].map((axis) => geometry.getAttribute(name).getComponent(i, axis))

  test('is within its radius, and has few triangles', () => {
    const { count } = geometry.getAttribute('position')
    const distances = Array.from({ length: count }, (_, i) => Math.hypot(...triple('position', i)))
    expect(Math.max(...distances)).toBeLessThanOrEqual(radius)
    expect(solid.triangles).toBeLessThan(TRIANGLES_MAX)
  })

  test('has faces that are seen from outside, as their normals say', () => {
    const wrong: unknown[] = []
    for (let at = 0; at < index.length; at += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => triple('position', index[at + k]))
      const u = b.map((part, axis) => part - a[axis])
      const w = c.map((part, axis) => part - a[axis])
      const face = [0, 1, 2].map(
        (k) => u[(k + 1) % 3] * w[(k + 2) % 3] - u[(k + 2) % 3] * w[(k + 1) % 3],
      )
      for (const k of [0, 1, 2]) {
        const normal = triple('normal', index[at + k])
        if (!(Math.abs(Math.hypot(...normal) - 1) < 5e-6)) wrong.push({ at, k, normal })
        // A triangle that ends in one point of its axis has no face.
        if (Math.hypot(...face) < 1e-6) continue
        const outwards = normal.reduce((sum, part, axis) => sum + part * face[axis], 0)
        if (!(outwards > 0)) wrong.push({ at, k, outwards })
      }
    }
    expect(wrong).toEqual([])
  })
})

test('hulls of unlike classes are unlike', () => {
  const shapes = CLASSES.slice(0, 4).map(([, one]) => hullOf(one, 6).triangles)
  expect(new Set(shapes).size).toBe(4)
})
