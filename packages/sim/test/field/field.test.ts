/**
 * Law: a ship feels Newton of every body and J2 of its reference body and of that one's parent,
 * each minus the same at the reference body; a far planet and its moon pull from their
 * barycentre. Method: a moon near a very oblate planet, with the terms written out at random
 * points about every body.
 */
import {
  type StateVector,
  type Body,
  attachEphemeris,
  bodyStates,
  createIntegration,
  createMassiveState,
  ephemerisLength,
  extendEphemeris,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { accelerationAt, createFields, writeStage } from '../../src/field/field.ts'
import { shipKernel } from '../../src/field/ship-kernel.ts'
import { STAGE, createStepScratch } from '../../src/field/step-scratch.ts'
import { dice } from '../hull.ts'

const oblateness = { referenceRadius: 6e7, j2: 0.02, pole: [0.36, 0.48, 0.8] } as const
const BODIES: readonly Body[] = [
  { name: 'Star', parent: -1, gm: 1e20, radius: 7e8 },
  { name: 'Planet', parent: 0, gm: 1e17, radius: 6e7, oblateness },
  { name: 'Moon', parent: 1, gm: 6e12, radius: 2e6, oblateness: { ...oblateness, j2: 1e-5 } },
  { name: 'Far planet', parent: 0, gm: 9e15, radius: 7e7 },
  { name: 'Far moon', parent: 3, gm: 3e12, radius: 2e6 },
]

/** Offsets of the two moons from their planets [m]. */
const MOONS = [
  [1.5e8, 9e7, 6e7],
  [8e8, -3e8, 2e8],
] as const

/** What pulls together, by reference body. */
const TOGETHER = [
  [[0], [1], [2], [3], [4]],
  [[0], [1], [2], [3, 4]],
  [[0], [1], [2], [3, 4]],
  [[0], [1, 2], [3], [4]],
]

const system = { id: 'test', name: 'Test', position: [0, 0, 0], bodies: BODIES } as const

it.each([0, 1, 2, 3])('is the sum of its terms about body %i', (reference) => {
  const state = createMassiveState(BODIES.length)
  const planet = [5e11, 1e10, -2e10]
  const far = [-3e12, 2e11, 1e11]
  const moons = [planet, far].map((place, i) => place.map((x, axis) => x + MOONS[i][axis]))
  state.x.set([0, 0, 0, planet, moons[0], far, moons[1]].flat())
  const nodes = new Float64Array(ephemerisLength(system, 2))
  const ephemeris = attachEphemeris(system, nodes, new Float64Array(2))
  extendEphemeris(createIntegration(system, state), ephemeris, 1)
  const allocate = (length: number): Float64Array => new Float64Array(length)
  const field = createFields(ephemeris, shipKernel, allocate)[reference]
  const [stage] = createStepScratch(BODIES.length, allocate).stages
  const places = states(3 * BODIES.length)
  bodyStates(places, ephemeris, reference, 5000, 0.5)
  writeStage(stage, field, 5000, 0.5)
  const rows = TOGETHER[reference]
  const last = rows.filter((row) => row[0] === reference)
  const ordered = [...rows.filter((row) => row[0] !== reference), ...last]
  expect(stage.numbers[STAGE.bodies]).toBe(ordered.length)
  for (const [row, together] of ordered.entries()) {
    const gm = together.reduce((sum, body) => sum + BODIES[body].gm, 0)
    const placed = [0, 1, 2].map((axis) =>
      together.reduce((sum, i) => sum + (BODIES[i].gm / gm) * places.r[3 * i + axis], 0),
    )
    const found = [...stage.table.subarray(4 * row, 4 * row + 4)]
    expect(found[3], `row ${row}`).toBe(gm)
    // 3e12 m in a double.
    for (const axis of [0, 1, 2]) expect(Math.abs(found[axis] - placed[axis])).toBeLessThan(1e-3)
  }
  const { direction } = dice(10 + reference)
  const found = new Float64Array(3)
  for (let i = 0; i < 50; i++) {
    const point = direction(3).map((x) => 4 * BODIES[reference].radius * x)
    accelerationAt(found, stage, Float64Array.from(point), shipKernel)
    const here = terms(places.r, reference, point)
    const there = terms(places.r, reference, [0, 0, 0])
    const wanted = here.map((x, axis) => x - there[axis])
    const miss = Math.hypot(...wanted.map((x, axis) => x - found[axis]))
    expect(miss / Math.hypot(...wanted)).toBeLessThan(1e-12)
  }
})

/** The terms at a point, without those of a body at that point. */
function terms(places: Float64Array, reference: number, point: readonly number[]): number[] {
  const sum = [0, 0, 0]
  for (const [j, { gm, oblateness }] of BODIES.entries()) {
    const d = point.map((x, axis) => x - places[3 * j + axis])
    const r = Math.hypot(...d)
    if (r === 0) continue
    const zonal = j === reference || j === BODIES[reference].parent ? oblateness : undefined
    const { j2, referenceRadius, pole } = zonal ?? { ...BODIES[1].oblateness!, j2: 0 }
    const sine = d.reduce((along, x, axis) => along + x * pole[axis], 0) / r
    const c = 1.5 * j2 * (referenceRadius / r) ** 2
    for (let axis = 0; axis < 3; axis++) {
      const radial = (d[axis] / r) * (1 + c * (1 - 5 * sine * sine))
      sum[axis] -= (gm / (r * r)) * (radial + 2 * c * sine * pole[axis])
    }
  }
  return sum
}

function states(length: number): StateVector {
  return { r: new Float64Array(length), v: new Float64Array(length) }
}
