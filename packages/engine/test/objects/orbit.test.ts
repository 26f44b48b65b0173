// Law: the osculating orbit of a state is the conic it was made from, of any kind and about any
// pole; its times are those of Kepler's motion; what a conic lacks is null. Method: states made
// here from seeded elements by the textbook, vertical falls from closed formulas.
import { createChance, testSeed } from '@orrery/testkit'
import type { Body } from '@orrery/sim'
import { expect, it } from 'vitest'
import { type Orbit, osculatingOrbit } from '../../src/views/orbit.ts'

const GM = 3.986e14
const RADIUS = 6.371e6
const TURN = 2 * Math.PI

type Triple = [number, number, number]

const body = (pole?: Triple): Body => ({
  name: 'Globe',
  parent: -1,
  gm: GM,
  radius: RADIUS,
  ...(pole && { oblateness: { referenceRadius: RADIUS, j2: 1e-3, pole } }),
})

interface Elements {
  readonly periapsis: number
  readonly eccentricity: number
  readonly inclination: number
  readonly node: number
  readonly argument: number
  readonly anomaly: number
}

/** Turns a vector about an axis of the frame. */
function turned([x, y, z]: Triple, axis: 'x' | 'z', by: number): Triple {
  const [c, s] = [Math.cos(by), Math.sin(by)]
  return axis === 'x' ? [x, c * y - s * z, s * y + c * z] : [c * x - s * y, s * x + c * y, z]
}

/** Position and velocity in the axes of the plane that elements are counted in. */
function stateOf(of: Elements): [r: Triple, v: Triple] {
  const { periapsis, eccentricity: e, anomaly } = of
  const parameter = periapsis * (1 + e)
  const distance = parameter / (1 + e * Math.cos(anomaly))
  const speed = Math.sqrt(GM / parameter)
  const place = (v: Triple): Triple =>
    turned(turned(turned(v, 'z', of.argument), 'x', of.inclination), 'z', of.node)
  return [
    place([distance * Math.cos(anomaly), distance * Math.sin(anomaly), 0]),
    place([-speed * Math.sin(anomaly), speed * (e + Math.cos(anomaly)), 0]),
  ]
}

/** Time since the periapsis that the textbook's equation of each conic gives [s]. */
function timeSince({ periapsis, eccentricity: e, anomaly: angle }: Elements): number {
  const half = Math.tan(angle / 2)
  if (e === 1) return Math.sqrt((2 * periapsis ** 3) / GM) * (half + half ** 3 / 3)
  const rate = Math.sqrt(GM / Math.abs(periapsis / (1 - e)) ** 3)
  const root = Math.sqrt(Math.abs((1 - e) / (1 + e)))
  if (e > 1) {
    const hyperbolic = 2 * Math.atanh(root * half)
    return (e * Math.sinh(hyperbolic) - hyperbolic) / rate
  }
  const eccentric = 2 * Math.atan(root * half)
  return (eccentric - e * Math.sin(eccentric)) / rate
}

const orbitOf = (elements: Elements, pole?: Triple): Orbit =>
  osculatingOrbit(...stateOf(elements), body(pole))

/** How far apart two angles are, a whole turn being none. */
const apart = (a: number | null, b: number): number =>
  a === null ? NaN : Math.abs(TURN / 2 - ((((a - b) % TURN) + 1.5 * TURN) % TURN))

/** Lengths and times of the conic; those of a hyperbola's other end are null. */
function expected(elements: Elements): readonly (number | null)[] {
  const { periapsis, eccentricity: e } = elements
  const axis = periapsis / (1 - e)
  const since = timeSince(elements)
  if (e > 1) return [axis, null, null, since > 0 ? null : -since, null]
  const period = TURN * Math.sqrt(axis ** 3 / GM)
  const next = since > 0 ? period - since : -since
  return [axis, axis * (1 + e) - RADIUS, period, next, period / 2 - since]
}

/** Largest relative difference of two lists; infinite where one value is null alone. */
function difference(some: readonly (number | null)[], others: typeof some): number {
  const differences = some.map((one, i) => {
    const other = others[i]
    if (one === null || other === null) return one === other ? 0 : Infinity
    return Math.abs(one - other) / Math.max(Math.abs(other), 1)
  })
  return Math.max(...differences)
}

it('elements come back from the state they make, with the times of its conic', () => {
  const chance = createChance(testSeed('elements of orbits'))
  for (let i = 0; i < 3000; i++) {
    const e = i % 2 === 0 ? 0.01 + 0.98 * chance.share() : 1.01 + 3 * chance.share()
    const reach = e < 1 ? Math.PI : Math.acos(-1 / e)
    const elements = {
      periapsis: RADIUS * (0.1 + 100 * chance.share()),
      eccentricity: e,
      inclination: 0.01 + (Math.PI - 0.02) * chance.share(),
      node: TURN * chance.share(),
      argument: TURN * chance.share(),
      anomaly: 0.9 * reach * (2 * chance.share() - 1),
    }
    const orbit = orbitOf(elements)
    expect(orbit.plane).toBe('icrf')
    expect(Math.abs(orbit.eccentricity - e)).toBeLessThan(1e-12)
    expect(apart(orbit.inclination, elements.inclination)).toBeLessThan(1e-12)
    expect(apart(orbit.ascendingNode, elements.node)).toBeLessThan(1e-11)
    expect(apart(orbit.argumentOfPeriapsis, elements.argument)).toBeLessThan(1e-11)
    expect(apart(orbit.trueAnomaly, elements.anomaly)).toBeLessThan(1e-11)
    expect((orbit.periapsisAltitude + RADIUS) / elements.periapsis).toBeCloseTo(1, 12)
    expect((orbit.altitude + RADIUS) / Math.hypot(...stateOf(elements)[0])).toBeCloseTo(1, 13)
    const { semiMajorAxis, apoapsisAltitude, period, timeToPeriapsis, timeToApoapsis } = orbit
    const found = [semiMajorAxis, apoapsisAltitude, period, timeToPeriapsis, timeToApoapsis]
    expect(difference(found, expected(elements))).toBeLessThan(1e-9)
  }
})

it('node and inclination count from the equator of a body that has a pole', () => {
  const [elevation, ascension] = [1.125, 4.678]
  const pole: Triple = [
    Math.cos(elevation) * Math.cos(ascension),
    Math.cos(elevation) * Math.sin(ascension),
    Math.sin(elevation),
  ]
  const elements = {
    periapsis: 8e6,
    eccentricity: 0.2,
    inclination: 0.4,
    node: 2,
    argument: 3,
    anomaly: 1,
  }
  // The equator rises a quarter turn east of the pole and is tilted as the pole is from z.
  const icrf = (v: Triple): Triple =>
    turned(turned(v, 'x', Math.PI / 2 - elevation), 'z', ascension + Math.PI / 2)
  const [r, v] = stateOf(elements)
  const orbit = osculatingOrbit(icrf(r), icrf(v), body(pole))
  expect(orbit.plane).toBe('equator')
  expect(orbit.inclination).toBeCloseTo(0.4, 12)
  expect(orbit.ascendingNode).toBeCloseTo(2, 12)
  expect(orbit.argumentOfPeriapsis).toBeCloseTo(3, 12)
  // A pole along z has no such rise: the x axis is the beginning.
  expect(orbitOf(elements, [0, 0, 1]).ascendingNode).toBeCloseTo(2, 12)
})

it('circles and orbits in the plane have what is defined, and places stay unique', () => {
  const round = { periapsis: 7e6, eccentricity: 0, argument: 0, anomaly: 2 }
  const circle = orbitOf({ ...round, inclination: 1, node: 3 })
  expect(circle.ascendingNode).toBeCloseTo(3, 12)
  expect(circle.trueAnomaly).toBeCloseTo(2, 12)
  expect(circle.period! / (TURN * Math.sqrt(7e6 ** 3 / GM))).toBeCloseTo(1, 12)
  const { argumentOfPeriapsis, timeToPeriapsis, timeToApoapsis } = circle
  expect([argumentOfPeriapsis, timeToPeriapsis, timeToApoapsis]).toEqual([null, null, null])

  const flat = { periapsis: 7e6, eccentricity: 0.5, inclination: 0, node: 0 }
  const ellipse = orbitOf({ ...flat, argument: 2, anomaly: 1 })
  expect([ellipse.inclination, ellipse.ascendingNode]).toEqual([0, null])
  expect(ellipse.argumentOfPeriapsis).toBeCloseTo(2, 12)
  expect(ellipse.trueAnomaly).toBeCloseTo(1, 12)
  const both = orbitOf({ ...round, inclination: 0, node: 0 })
  expect([both.ascendingNode, both.argumentOfPeriapsis]).toEqual([null, null])
  expect(both.trueAnomaly).toBeCloseTo(2, 12)
})

it('orbits next to a parabola take the times of one', () => {
  const parabola = {
    periapsis: 1e7,
    eccentricity: 1,
    inclination: 1,
    node: 1,
    argument: 1,
    anomaly: -2,
  }
  const exact = -timeSince(parabola)
  for (const off of [0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9]) {
    const orbit = orbitOf({ ...parabola, eccentricity: 1 + off })
    expect(Math.abs(orbit.timeToPeriapsis! / exact - 1)).toBeLessThan(1e-11 + 10 * Math.abs(off))
  }
})

it('a vertical fall has no plane, and its time to the centre', () => {
  const top = 2e7
  const still = osculatingOrbit([0, top, 0], [0, 0, 0], body())
  const fall = (Math.PI / 2) * Math.sqrt(top ** 3 / (2 * GM))
  expect(still).toMatchObject({
    eccentricity: 1,
    inclination: null,
    ascendingNode: null,
    argumentOfPeriapsis: null,
    trueAnomaly: null,
    periapsisAltitude: -RADIUS,
    apoapsisAltitude: top - RADIUS,
  })
  expect(still.timeToPeriapsis! / fall).toBeCloseTo(1, 12)
  expect(still.period! / (2 * fall)).toBeCloseTo(1, 12)
  const rising = osculatingOrbit([top, 0, 0], [Math.sqrt((2 * GM) / top), 0, 0], body())
  expect(rising.eccentricity).toBe(1)
  expect(rising.inclination).toBeNull()
  expect(Object.values(rising)).not.toContain(NaN)
})
