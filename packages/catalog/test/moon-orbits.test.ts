// Goal: the moons whose phase this force model cannot hold (Mars lacks C22, Saturn its higher
// zonals) keep size, shape and tilt of their orbits. Method: ten years of checkpoints, of Phobos
// fifty, as what goes there and back hides 1.5e-8 in ten; each moon's own energy must neither
// spread nor drift, and the means of e and i, which oscillate about them, must be those that JPL
// publishes.
import { readFileSync } from 'node:fs'
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solSystem,
} from '@orrery/catalog'
import type { MassiveState } from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { ownOrbit } from '@orrery/testkit/own-orbit'

const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
const statesOf = (count: number): MassiveState[] =>
  Array.from({ length: count }, (_, k) =>
    checkpointAtOrBefore(checkpoints, k * checkpoints.spacing),
  )

const DEGREE = Math.PI / 180

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value) / values.length
const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values)

/**
 * Mean elements e and i [degrees], the latter to the Laplace plane, which is the equator within
 * 0.01° but for Deimos; and how far the own energy may move: there and back, and for good.
 *
 * @source JPL Solar System Dynamics, planetary satellite mean elements
 */
const MOONS = [
  { name: 'Phobos', count: 767, e: 0.0151, i: 1.075, back: 1e-6, forGood: 1e-8 },
  { name: 'Mimas', count: 151, e: 0.0196, i: 1.572, back: 5e-5, forGood: 5e-6 },
  { name: 'Enceladus', count: 151, e: 0.0047, i: 0.009, back: 5e-5, forGood: 5e-6 },
  { name: 'Tethys', count: 151, e: 0.0001, i: 1.091, back: 1e-4, forGood: 5e-6 },
  { name: 'Dione', count: 151, e: 0.0022, i: 0.028, back: 1e-4, forGood: 5e-6 },
]

describe('years of a moon of its own planet', () => {
  test.each(MOONS)('$name keeps its orbit', ({ name, count, e, i, back, forGood }) => {
    const body = bodyIndex(solSystem, name)
    const orbits = statesOf(count).map((state) => ownOrbit(solSystem, state, body))
    const sizes = orbits.map(({ a }) => a)
    const size = mean(sizes)
    expect(spread(sizes) / size).toBeLessThan(back)
    const half = Math.floor(count / 2)
    const shift = mean(sizes.slice(half + 1)) - mean(sizes.slice(0, half))
    expect(Math.abs(shift) / size).toBeLessThan(forGood)
    // The flattening alone adds up to 0.001 to the osculating e of an orbit that is a circle.
    expect(Math.abs(mean(orbits.map((orbit) => orbit.e)) - e)).toBeLessThan(1e-3)
    expect(spread(orbits.map((orbit) => orbit.e))).toBeLessThan(6e-3)
    expect(Math.abs(mean(orbits.map((orbit) => orbit.i)) - i * DEGREE)).toBeLessThan(0.01 * DEGREE)
    expect(spread(orbits.map((orbit) => orbit.i))).toBeLessThan(0.04 * DEGREE)
  })

  test('Deimos stays 1.788° off a plane that is 0.889° off the equator', () => {
    const body = bodyIndex(solSystem, 'Deimos')
    const orbits = statesOf(151).map((state) => ownOrbit(solSystem, state, body))
    const sizes = orbits.map(({ a }) => a)
    expect(spread(sizes) / mean(sizes)).toBeLessThan(2e-5)
    expect(Math.max(...orbits.map(({ e }) => e))).toBeLessThan(1e-3)
    const tilts = orbits.map(({ i }) => i / DEGREE)
    expect(Math.min(...tilts)).toBeGreaterThan(1.788 - 0.889 - 0.01)
    expect(Math.max(...tilts)).toBeLessThan(1.788 + 0.889 + 0.01)
  })
})
