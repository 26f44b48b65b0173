// Goal: the catalog is the solar system that its sources describe. Method: structure, poles
// against their listed angles, the fixed list of zonal terms, sources on every data file.
import { readFileSync } from 'node:fs'
import { bodyIndex, solStateJ2000, solSystem } from '@orrery/catalog'
import { describe, expect, test } from 'vitest'

const data = (name: string) =>
  JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8'))
const constants = data('sol-bodies.json')
const start = data('sol-state-j2000.json')

describe('solar system', () => {
  test('has 34 bodies, the Sun first, parents before children', () => {
    expect(solSystem.bodies.length).toBe(34)
    expect(solSystem.bodies[0]).toMatchObject({ name: 'Sun', parent: -1 })
    for (const [i, { parent }] of solSystem.bodies.entries()) expect(parent).toBeLessThan(i)
    const parentOf = (name: string): string =>
      solSystem.bodies[solSystem.bodies[bodyIndex(solSystem, name)].parent].name
    expect(
      ['Moon', 'Phobos', 'Io', 'Titan', 'Triton', 'Charon', 'Ceres', 'Eris'].map(parentOf),
    ).toEqual(['Earth', 'Mars', 'Jupiter', 'Saturn', 'Neptune', 'Pluto', 'Sun', 'Sun'])
  })

  test('names are found in any case, and only whole', () => {
    expect(bodyIndex(solSystem, 'eARTH')).toBe(3)
    expect(bodyIndex(solSystem, 'Ear')).toBe(-1)
    expect(bodyIndex(solSystem, '')).toBe(-1)
  })

  test('11 bodies are oblate, Mars and the giants to J4', () => {
    const oblate = solSystem.bodies.filter((body) => body.oblateness)
    expect(oblate.length).toBe(11)
    const fourth = oblate.filter((body) => body.oblateness?.j4 !== undefined)
    expect(fourth.map((body) => body.name)).toEqual([
      'Mars',
      'Jupiter',
      'Saturn',
      'Uranus',
      'Neptune',
    ])
  })

  test('poles are the unit vectors of the listed angles', () => {
    // Angles of up to 318 degrees are rounded to 4e-16 when they become radians here.
    for (const body of constants.bodies) {
      const ra = (body.axis_right_ascension_deg * Math.PI) / 180
      const dec = (body.axis_declination_deg * Math.PI) / 180
      const expected = [Math.cos(dec) * Math.cos(ra), Math.cos(dec) * Math.sin(ra), Math.sin(dec)]
      for (let axis = 0; axis < 3; axis++) {
        expect(Math.abs(body.pole[axis] - expected[axis])).toBeLessThan(1e-15)
      }
    }
  })

  test('the start state is the printed one in metres, at node 0', () => {
    const state = solStateJ2000()
    const earth = 3 * bodyIndex(solSystem, 'Earth')
    expect(state.node).toBe(0)
    expect(state.x[earth] / 1000).toBeCloseTo(start.bodies.Earth.r_km[0], 6)
    expect(state.v[earth + 2] / 1000).toBeCloseTo(start.bodies.Earth.v_km_s[2], 15)
    expect(state.xLow.every((value) => value === 0)).toBe(true)
    expect(solStateJ2000().x).not.toBe(state.x)
  })

  test('every data file names its source, epoch and frame', () => {
    for (const file of [constants, start]) {
      expect(file.source).toMatch(/Principia/)
      expect(file.epoch_jd_tdb).toBe(2451545)
      expect(file.frame).toMatch(/ICRF/)
    }
  })
})
