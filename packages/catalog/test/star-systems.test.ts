// Goal: every star system of the game is one that a world can begin with at any date of play, and
// keeps what nature keeps. Method: structure and sources of the data; checkpoints against the
// start state and against a span integrated again, bit for bit; the two systems beside Sol (Sol
// has tests of its own) for momentum, energy and what is read between nodes.
import { readFileSync } from 'node:fs'
import {
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  type MassiveState,
  NODE_QUANTA,
  NODE_SECONDS,
  SRKN14A,
  type StarSystem,
  createForceModel,
  drift,
  massiveInvariants,
  massiveStateAt,
  spheresOfInfluence,
  stepMassive,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'
import { ephemerisAround, motionAt } from './sky.ts'

const YEAR_NODES = (365.25 * 86400) / NODE_SECONDS

const checkpointsOf = (url: URL) => parseCheckpoints(readFileSync(url))

function bits(state: MassiveState): Uint8Array[] {
  const { x, v, xLow, vLow, energyWork, angularWork } = state
  return [x, v, xLow, vLow, energyWork, angularWork].map((array) => new Uint8Array(array.buffer))
}

/** Length of the mean of vectors, weighted with GM. */
function weightedMean({ bodies }: StarSystem, vectors: Float64Array): number {
  const all = bodies.reduce((sum, { gm }) => sum + gm, 0)
  const mean = [0, 1, 2].map((k) =>
    bodies.reduce((sum, { gm }, i) => sum + (gm / all) * vectors[3 * i + k], 0),
  )
  return Math.hypot(...mean)
}

describe('the list of star systems', () => {
  test('begins with Sol and holds two real ones more', () => {
    expect(STAR_SYSTEMS.map(({ system }) => system.id)).toEqual([
      'sol',
      'alpha-centauri',
      'trappist-1',
    ])
    const [sol] = STAR_SYSTEMS
    expect(sol.system).toBe(solSystem)
    expect(bits(sol.startState())).toEqual(bits(solStateJ2000()))
    const homes = STAR_SYSTEMS.map(({ system, home }) => system.bodies[home].name)
    expect(homes).toEqual(['Earth', 'Proxima b', 'TRAPPIST-1 e'])
  })

  test('puts them where they are: 1.33 and 12.5 parsecs away, along ICRF axes', () => {
    const parsec = (149597870700 * 648000) / Math.PI
    const [sol, alphaCentauri, trappist1] = STAR_SYSTEMS.map(({ system }) =>
      system.position.map((value) => value / parsec),
    )
    expect(sol).toEqual([0, 0, 0])
    expect(Math.hypot(...alphaCentauri)).toBeCloseTo(1.33, 2)
    expect(Math.hypot(...trappist1)).toBeCloseTo(12.467, 3)
    // Declinations of -60.8° and -5.0°.
    expect(alphaCentauri[2] / Math.hypot(...alphaCentauri)).toBeCloseTo(-0.873, 2)
    expect(trappist1[2] / Math.hypot(...trappist1)).toBeCloseTo(-0.0879, 3)
  })

  test('gives every body a name of its own, mass, size, and a parent before it', () => {
    const names = STAR_SYSTEMS.flatMap(({ system }) => system.bodies.map(({ name }) => name))
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    for (const { bodies } of STAR_SYSTEMS.map(({ system }) => system)) {
      for (const [i, { parent, gm, radius }] of bodies.entries()) {
        expect(parent < 0).toBe(i === 0)
        expect(parent).toBeLessThan(i)
        expect(gm).toBeGreaterThan(0)
        expect(radius).toBeGreaterThan(1000)
      }
    }
  })

  test('gives every body a sphere of influence outside itself and inside its orbit', () => {
    for (const { system, startState } of STAR_SYSTEMS) {
      const start = startState()
      const spheres = spheresOfInfluence(system, start)
      expect(spheres[0]).toBe(Infinity)
      const wrong = system.bodies.filter(({ name, parent, radius }, i) => {
        if (parent < 0) return false
        const d = [0, 1, 2].map((k) => start.x[3 * i + k] - start.x[3 * parent + k])
        // Phobos is the exception in nature: its sphere is inside it.
        const clear = spheres[i] > radius || name === 'Phobos'
        return !(clear && spheres[i] < 0.55 * Math.hypot(...d))
      })
      expect(wrong).toEqual([])
    }
    const [, alphaCentauri] = STAR_SYSTEMS
    const spheres = spheresOfInfluence(alphaCentauri.system, alphaCentauri.startState())
    // A and B come as near as 11.2 au to each other; Proxima stays thousands away.
    expect(spheres[1] / 149597870700).toBeCloseTo(5.6, 1)
    expect(spheres[2] / 149597870700).toBeGreaterThan(2000)
  })

  test.each(['alpha-centauri', 'trappist-1'])('%s has a source for each number', (id) => {
    const file = JSON.parse(
      readFileSync(new URL(`../data/${id}-published.json`, import.meta.url), 'utf8'),
    )
    const sources = Object.keys(file.sources)
    const named = (value: unknown): string[] =>
      value === null || typeof value !== 'object'
        ? []
        : Object.entries(value).flatMap(([key, inner]) =>
            key.endsWith('source') ? [String(inner)] : named(inner),
          )
    expect(named(file).length).toBeGreaterThan(file.bodies.length)
    const unknown = named(file).filter((text) => !sources.some((source) => text.includes(source)))
    expect(unknown).toEqual([])
    expect(file.bodies.every((body: object) => 'source' in body)).toBe(true)
    expect(file.frame).toMatch(/ICRS/)
  })
})

describe.each(STAR_SYSTEMS.slice(1))('$system.name', (entry) => {
  const { system, startState } = entry
  const checkpoints = checkpointsOf(entry.checkpointsUrl)
  const { firstNode, spacing, count } = checkpoints
  const last = firstNode + (count - 1) * spacing

  test('has checkpoints from 2015 to 2050, at most 2^22 s apart, from its start state on', () => {
    expect(firstNode).toBeLessThan(15 * YEAR_NODES)
    expect(last).toBeGreaterThan(51 * YEAR_NODES)
    expect(spacing * NODE_SECONDS).toBeLessThanOrEqual(2 ** 22)
    expect(firstNode % spacing).toBe(0)
    expect(bits(checkpointAtOrBefore(checkpoints, firstNode))).toEqual(bits(startState()))
  })

  test('has a last span that is remade bit for bit', () => {
    const remade = massiveStateAt(system, checkpointAtOrBefore(checkpoints, last - 1), last)
    expect(bits(remade)).toEqual(bits(checkpointAtOrBefore(checkpoints, last)))
  })

  test('has its centre of mass at rest in the origin, and keeps it there', () => {
    for (const node of [firstNode, last]) {
      const { x, v } = checkpointAtOrBefore(checkpoints, node)
      // Proxima's place is a double that counts in quarters of a metre.
      expect(weightedMean(system, x)).toBeLessThan(0.5)
      expect(weightedMean(system, v)).toBeLessThan(1e-12)
    }
  })

  test('keeps energy and angular momentum over a year', () => {
    const reference = massiveInvariants(system, startState())
    for (let node = firstNode; node <= firstNode + YEAR_NODES; node += spacing) {
      const state = checkpointAtOrBefore(checkpoints, node)
      const { energy, momentum } = drift(massiveInvariants(system, state), reference)
      expect(Math.abs(energy)).toBeLessThan(1e-14)
      expect(Math.abs(momentum)).toBeLessThan(1e-14)
    }
  })

  test('is read between nodes within 1 mm, or the last bit of a distance', () => {
    const node = Math.floor(26 * YEAR_NODES)
    const ephemeris = ephemerisAround(entry, node * NODE_QUANTA)
    const state = massiveStateAt(system, checkpointAtOrBefore(checkpoints, node), node)
    stepMassive(createForceModel(system), SRKN14A, state, NODE_SECONDS / 2)
    for (const [body, { parent }] of system.bodies.entries()) {
      const { r } = motionAt(ephemeris, body, parent, node * NODE_QUANTA + NODE_QUANTA / 2)
      for (let k = 0; k < 3; k++) {
        const [own, above] = [3 * body + k, 3 * parent + k]
        const high = parent < 0 ? state.x[own] : state.x[own] - state.x[above]
        const low = parent < 0 ? state.xLow[own] : state.xLow[own] - state.xLow[above]
        const allowed = 1e-3 + 2 * Number.EPSILON * Math.abs(high)
        expect(Math.abs(r[k] - high - low)).toBeLessThan(allowed)
      }
    }
  })
})
