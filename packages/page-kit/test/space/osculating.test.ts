// Law: what the elements promise happens on the way. Method: states made from elements, flown by
// Runge and Kutta's method in units in which the body pulls with 1.
import { expect, test } from 'vitest'
import { type Osculating, osculating } from '../../src/space/osculating.ts'
import { type Vector, dot, length, rotate, vector } from '../../src/space/vector.ts'

const POLE = vector(0, 0, 1)

/** Periapsis, eccentricity, inclination, true anomaly. */
const ORBITS: readonly (readonly [string, number, number, number, number])[] = [
  ['nearly a circle, climbing', 1, 0.01, 0.5, 1],
  ['an ellipse, falling', 0.5, 0.6, 1.2, 4],
  ['an ellipse at its apoapsis', 0.3, 0.7, 3, Math.PI],
  ['a retrograde ellipse', 2, 0.3, 2.5, 2],
  ['a hyperbola on its way in', 0.8, 1.5, 0.3, 4.9],
  ['a hyperbola on its way out', 0.8, 1.5, 0.3, 1.2],
]

interface State {
  r: Vector
  v: Vector
}

function stateOf(periapsis: number, e: number, inclination: number, anomaly: number): State {
  const p = periapsis * (1 + e)
  const [c, s] = [Math.cos(anomaly), Math.sin(anomaly)]
  const distance = p / (1 + e * c)
  const speed = Math.sqrt(1 / p)
  const tilted = (plane: Vector): Vector => {
    const turned = rotate(vector(), plane, POLE, 0.7)
    const risen = rotate(vector(), turned, vector(1, 0, 0), inclination)
    return rotate(vector(), risen, POLE, -1.9)
  }
  return {
    r: tilted(vector(distance * c, distance * s)),
    v: tilted(vector(-speed * s, speed * (e + c))),
  }
}

function sum(a: Vector, b: Vector, factor: number): Vector {
  return a.map((part, k) => part + factor * b[k])
}

function pull(r: Vector): Vector {
  return r.map((part) => -part / length(r) ** 3)
}

function flown({ r, v }: State, seconds: number): State {
  const steps = 20_000
  const h = seconds / steps
  for (let i = 0; i < steps; i++) {
    const a1 = pull(r)
    const v2 = sum(v, a1, h / 2)
    const a2 = pull(sum(r, v, h / 2))
    const v3 = sum(v, a2, h / 2)
    const a3 = pull(sum(r, v2, h / 2))
    const v4 = sum(v, a3, h)
    const a4 = pull(sum(r, v3, h))
    r = r.map((part, k) => part + (h / 6) * (v[k] + 2 * v2[k] + 2 * v3[k] + v4[k]))
    v = v.map((part, k) => part + (h / 6) * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]))
  }
  return { r, v }
}

function orbitOf({ r, v }: State): Osculating {
  return osculating({ position: r, velocity: v, gm: 1 }, POLE)
}

test.each(ORBITS)('%s has its elements', (_, periapsis, e, inclination, anomaly) => {
  const orbit = orbitOf(stateOf(periapsis, e, inclination, anomaly))
  expect(orbit.eccentricity).toBeCloseTo(e, 12)
  expect(orbit.periapsis).toBeCloseTo(periapsis, 12)
  expect(orbit.inclination).toBeCloseTo(inclination, 12)
  expect(orbit.trueAnomaly).toBeCloseTo(anomaly, 10)
  expect(orbit.semiMajorAxis).toBeCloseTo(periapsis / (1 - e), 10)
  const { apoapsis, excessSpeed } = orbit
  const size = periapsis / (1 - e)
  const isClosed = e < 1
  expect(isClosed ? apoapsis : excessSpeed).toBeCloseTo(
    isClosed ? size * (1 + e) : Math.sqrt(-1 / size),
    10,
  )
  expect(isClosed ? excessSpeed : 1 / apoapsis).toBe(isClosed ? NaN : 0)
})

test.each(ORBITS)('%s passes its apsides when it says', (_, periapsis, e, inclination, anomaly) => {
  const state = stateOf(periapsis, e, inclination, anomaly)
  const orbit = orbitOf(state)
  const low = flown(state, orbit.timeToPeriapsis)
  expect(length(low.r)).toBeCloseTo(orbit.periapsis, 8)
  expect(dot(low.r, low.v)).toBeCloseTo(0, 6)
  expect(orbit.timeToPeriapsis < 0).toBe(e > 1 && anomaly < Math.PI)
})

const ELLIPSES = ORBITS.filter(([, , e]) => e < 1)

test.each(ELLIPSES)('%s comes round', (_, periapsis, e, inclination, anomaly) => {
  const state = stateOf(periapsis, e, inclination, anomaly)
  const orbit = orbitOf(state)
  const high = flown(state, orbit.timeToApoapsis)
  expect(length(high.r)).toBeCloseTo(orbit.apoapsis, 8)
  const round = flown(state, orbit.period)
  for (const k of [0, 1, 2]) expect(round.r[k]).toBeCloseTo(state.r[k], 6)
})

test('a circle has no apsides, a fall along the vertical no plane', () => {
  const circle = orbitOf(stateOf(1, 0, 0.4, 2))
  expect(circle.timeToPeriapsis).toBeNaN()
  expect(circle.timeToApoapsis).toBeNaN()
  const fall = orbitOf({ r: vector(1, 0, 0), v: vector(-0.5, 0, 0) })
  expect(fall.inclination).toBeNaN()
  expect(fall.periapsis).toBe(0)
  const high = flown({ r: vector(1, 0, 0), v: vector(0.5, 0, 0) }, 0.4)
  expect(orbitOf({ r: vector(1, 0, 0), v: vector(0.5, 0, 0) }).timeToApoapsis).toBeCloseTo(
    orbitOf(high).timeToApoapsis + 0.4,
    8,
  )
})
