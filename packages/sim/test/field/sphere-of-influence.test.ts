/**
 * Law: a sphere of influence has the published radius, wherever on its orbit the body is, and ends
 * half way to the other body of a close pair.
 */
import { type MassiveState, createMassiveState, spheresOfInfluence } from '@orrery/sim'
import { expect, it } from 'vitest'

const SUN = 1.32712440018e20
const EARTH = 3.986004418e14

/** Radius of a body's sphere about its parent, with its state at a share of its orbit. */
function sphere(gm: number, parentGm: number, start: MassiveState): number {
  const body = { name: 'Body', parent: -1, gm: parentGm, radius: 1 }
  const bodies = [body, { ...body, parent: 0, gm }]
  return spheresOfInfluence({ id: 'pair', name: 'Pair', position: [0, 0, 0], bodies }, start)[1]
}

/** A pair at its closest (or, with e < 0, its farthest), the parent in motion. */
function start(total: number, semiMajorAxis: number, e: number): MassiveState {
  const state = createMassiveState(2)
  const speed = Math.sqrt(((total / semiMajorAxis) * (1 + e)) / (1 - e))
  state.x.set([1e10, 2e10, -3e10, 1e10, 2e10, -3e10])
  state.v.set([300, -200, 100, 300, -200, 100])
  state.x[3] += 0.6 * semiMajorAxis * (1 - e)
  state.x[5] += 0.8 * semiMajorAxis * (1 - e)
  state.v[4] += speed
  return state
}

/** @source Curtis, Orbital Mechanics for Engineering Students, 4th ed., table A.2 */
it.each([
  { name: 'Mercury', gm: 2.2032e13, parentGm: SUN, axis: 5.791e10, radius: 1.12e8 },
  { name: 'Earth', gm: EARTH, parentGm: SUN, axis: 1.496e11, radius: 9.25e8 },
  { name: 'Moon', gm: 4.9048695e12, parentGm: EARTH, axis: 3.844e8, radius: 6.61e7 },
  { name: 'Jupiter', gm: 1.26686534e17, parentGm: SUN, axis: 7.786e11, radius: 4.82e10 },
])('has the published radius at $name', ({ gm, parentGm, axis, radius }) => {
  for (const e of [0, 0.2, -0.2]) {
    const found = sphere(gm, parentGm, start(gm + parentGm, axis, e))
    expect(found / radius, `e = ${e}`).toBeCloseTo(1, 2)
  }
})

it('of a star ends half way to its like at their closest', () => {
  for (const e of [0.5, -0.5]) {
    expect(sphere(SUN, SUN, start(2 * SUN, 1e12, e)) / 0.25e12).toBeCloseTo(1, 12)
  }
})

it('of a body that is not bound follows from its distance', () => {
  const escape = start(2 * SUN, 1e12, 0)
  escape.v[4] *= 2
  expect(sphere(SUN, SUN, escape) / 0.5e12).toBeCloseTo(1, 12)
  const light = start(SUN, 1e12, 0)
  light.v[4] *= 2
  // (1e-5)^(2/5) = 0.01
  expect(sphere(1e-5 * SUN, SUN, light) / 1e10).toBeCloseTo(1, 12)
})

it('of the root has no end', () => {
  const root = { name: 'Root', parent: -1, gm: 1, radius: 1 }
  const system = { id: 'one', name: 'One', position: [0, 0, 0] as const, bodies: [root] }
  expect(spheresOfInfluence(system, createMassiveState(1))).toEqual(Float64Array.of(Infinity))
})
