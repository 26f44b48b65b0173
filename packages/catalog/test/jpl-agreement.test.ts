// Goal: the bodies are where JPL puts them. Method: integrate from J2000 to JD 2451564.587 and,
// from the checkpoint below, to 2010-01-04; compare relative to the parent with JPL Horizons. The
// speeds of eleven moons were fitted to the first date, so that the second is their judge.
// Left out: Pluto and Charon (JPL's two epochs disagree by 26,000 km), Phobos and Deimos (need
// C22 of Mars), Mimas to Dione (need Saturn's higher zonals), Eris at the near date (its row
// there is 7,800 km off the orbit that both other dates share).
import { readFileSync } from 'node:fs'
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  NODE_QUANTA,
  type Ephemeris,
  type MassiveState,
  attachEphemeris,
  bodyState,
  createIntegration,
  createMassiveState,
  createStateVector,
  drift,
  driftAt,
  ephemerisLength,
  extendEphemeris,
  massiveInvariants,
  massiveStateAt,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'

interface Horizons {
  readonly bodies: Readonly<Record<string, { readonly r_km: readonly number[] }>>
}

const horizons = (name: string): Horizons =>
  JSON.parse(readFileSync(new URL(`data/check-state-${name}.json`, import.meta.url), 'utf8'))

function ephemerisFrom(start: MassiveState): Ephemeris {
  const nodes = new Float64Array(ephemerisLength(solSystem, 2))
  const ephemeris = attachEphemeris(solSystem, nodes, new Float64Array(2))
  extendEphemeris(createIntegration(solSystem, start), ephemeris, start.node + 1)
  return ephemeris
}

/** Distance to JPL's place, relative to the parent [km]. */
function missKm(ephemeris: Ephemeris, jpl: Horizons, name: string, quanta: number): number {
  const state = createStateVector()
  const body = bodyIndex(solSystem, name)
  const { parent } = solSystem.bodies[body]
  const n = Math.floor(quanta)
  bodyState(state, ephemeris, body, parent, n, quanta - n)
  const own = jpl.bodies[name].r_km
  const above = jpl.bodies[solSystem.bodies[parent].name].r_km
  return Math.hypot(...own.map((value, axis) => state.r[axis] / 1000 - (value - above[axis])))
}

function worst(
  ephemeris: Ephemeris,
  jpl: Horizons,
  quanta: number,
  limits: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(limits)
    .map(([name, limit]) => ({ name, limit, miss: missKm(ephemeris, jpl, name, quanta) }))
    .filter(({ limit, miss }) => !(miss <= limit))
    .map(({ name, limit, miss }) => `${name}: ${miss.toFixed(2)} km, limit ${limit} km`)
}

describe('agreement with JPL', () => {
  const quanta = (2451564.58715491 - 2451545) * 86400 * 64
  const near = massiveStateAt(solSystem, solStateJ2000(), Math.floor(quanta / NODE_QUANTA))

  test('19.6 days after J2000: planets within 100 m but for Saturn, fitted moons 200 m', () => {
    const jpl = horizons('jd2451564.587')
    const limits = {
      Mercury: 0.01,
      Venus: 0.01,
      Earth: 0.01,
      Moon: 0.01,
      Mars: 0.01,
      Ceres: 0.01,
      Vesta: 0.01,
      Jupiter: 0.1,
      Io: 0.01,
      Europa: 0.01,
      Ganymede: 0.01,
      Callisto: 0.02,
      Saturn: 2,
      Titan: 0.2,
      Iapetus: 5,
      Uranus: 0.01,
      Miranda: 0.01,
      Ariel: 0.01,
      Umbriel: 0.01,
      Titania: 0.01,
      Oberon: 0.01,
      Neptune: 0.01,
      Triton: 5,
    }
    expect(worst(ephemerisFrom(near), jpl, quanta, limits)).toEqual([])
  })

  test('after 19.6 days energy and angular momentum hold to 1e-14, by their ledgers', () => {
    const reference = massiveInvariants(solSystem, solStateJ2000())
    const held = drift(massiveInvariants(solSystem, near), reference)
    expect(Math.abs(held.energy)).toBeLessThan(1e-14)
    expect(Math.abs(held.momentum)).toBeLessThan(1e-14)
    const { energyWork, angularWork } = createMassiveState(solSystem.bodies.length)
    const bare = { ...near, energyWork, angularWork }
    const lost = drift(massiveInvariants(solSystem, bare), reference)
    expect(Math.abs(lost.energy)).toBeGreaterThan(1e-12)
    expect(Math.abs(lost.momentum)).toBeGreaterThan(1e-12)
  })

  test('10 years after J2000, from a checkpoint', () => {
    const late = (2455200.5 - 2451545) * 86400 * 64
    const node = Math.floor(late / NODE_QUANTA)
    const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
    const state = massiveStateAt(solSystem, checkpointAtOrBefore(checkpoints, node), node)
    const limits = {
      Mercury: 5,
      Venus: 5,
      Earth: 5,
      Moon: 5,
      Mars: 10,
      Ceres: 15,
      Vesta: 5,
      Eris: 5,
      Jupiter: 100,
      Saturn: 100,
      Uranus: 5,
      Neptune: 5,
      Io: 20,
      Europa: 20,
      Ganymede: 10,
      Callisto: 3,
      Titan: 150,
      Miranda: 3,
      Ariel: 3,
      Umbriel: 3,
      Titania: 5,
      Oberon: 3,
    }
    expect(worst(ephemerisFrom(state), horizons('jd2455200.5'), late, limits)).toEqual([])
    const reference = massiveInvariants(solSystem, solStateJ2000())
    const integration = createIntegration(solSystem, state, reference)
    expect(Math.abs(driftAt(integration, node).energy)).toBeLessThan(1e-14)
    expect(Math.abs(driftAt(integration, node).momentum)).toBeLessThan(1e-14)
  })
})
