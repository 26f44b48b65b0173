/**
 * Law: on an orbit about an oblate body the mean elements stay, up to terms of second order, while
 * the osculating ones swing by kilometres; the way to the mean state and back leads to the start.
 */
import {
  type Body,
  conicOf,
  createConic,
  createStateVector,
  meanAxis,
  meanState,
  osculatingState,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { oblateState } from '../../src/guidance/oblate-state.ts'

const earth: Body = {
  name: 'Earth',
  gm: 3.986004418e14,
  radius: 6_371_008,
  parent: -1,
  oblateness: { j2: 1.08263e-3, referenceRadius: 6_378_137, pole: [0.6, 0, 0.8] },
}

const second = (earth.oblateness!.j2 * earth.oblateness!.referenceRadius ** 2) ** 2

/** At the periapsis, over the equator. */
function orbit(a: number, e: number, inclination: number): ReturnType<typeof createStateVector> {
  const state = createStateVector()
  const speed = Math.sqrt((earth.gm * (1 + e)) / (a * (1 - e)))
  const [along, up] = [Math.cos(inclination), Math.sin(inclination)]
  state.r.set([0, a * (1 - e), 0])
  state.v.set([-0.8 * along * speed + 0.6 * up * speed, 0, 0.6 * along * speed + 0.8 * up * speed])
  return state
}

const orbits: [a: number, e: number, inclination: number][] = [
  [7e6, 0, 0],
  [7e6, 0, Math.PI],
  [7e6, 1e-4, 0.9],
  [7e6, 1e-3, 1.6],
  [8e6, 0.1, 1.2],
  [2.44e7, 0.7, 0.5],
  [6.5e7, 0.89, 2.1],
]

it.each(orbits)('keeps a = %d m, e = %d, i = %d', (a, e, inclination) => {
  const start = orbit(a, e, inclination)
  const state = createStateVector()
  const mean = createStateVector()
  const conic = createConic()
  osculatingState(state, start, earth)
  meanState(mean, state, earth)
  for (let i = 0; i < 3; i++) expect(mean.r[i]).toBeCloseTo(start.r[i], 2)
  // Short ones: the integration must be closer than the law.
  const steps = 5000
  const seconds = (2 * Math.PI * Math.sqrt(a ** 3 / earth.gm)) / steps
  const share = (40 * second) / (a * (1 - e) * (1 + e)) ** 4
  for (let i = 0; i < steps; i++) {
    oblateState(state, state, earth, seconds)
    meanState(mean, state, earth)
    conicOf(conic, mean, earth.gm)
    expect(Math.abs(conic.a / a - 1)).toBeLessThan(share / (1 - e))
    expect(Math.abs(conic.e - e)).toBeLessThan(share)
  }
})

it.each([0, 0.4, 1, 1.6, 2.5])('knows the mean distance on a circle of i = %d', (inclination) => {
  const state = orbit(7e6, 0, inclination)
  const conic = createConic()
  conicOf(conic, state, earth.gm)
  const axis = meanAxis(conic, earth)
  osculatingState(state, state, earth)
  let sum = 0
  const steps = 500
  for (let i = 0; i < steps; i++) {
    oblateState(state, state, earth, conic.period / steps)
    sum += Math.hypot(...state.r)
  }
  expect(Math.abs(sum / steps - axis)).toBeLessThan(25)
})

it('leaves open orbits, and those about a sphere, as they are', () => {
  const open = orbit(-1e7, 1.7, 0.4)
  const state = createStateVector()
  meanState(state, open, earth)
  expect(state).toEqual(open)
  const { oblateness: _, ...sphere } = earth
  meanState(state, orbit(7e6, 0, 1), sphere)
  expect(state).toEqual(orbit(7e6, 0, 1))
})
