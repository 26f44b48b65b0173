import {
  type Body,
  type MassiveState,
  NODE_SECONDS,
  SPEED_OF_LIGHT,
  SRKN14A,
  type StarSystem,
  createForceModel,
  createMassiveState,
  stepMassive,
} from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import {
  type Axes,
  DEGREE,
  type Motion,
  type SkyFrame,
  axes,
  conjunctionAnomaly,
  orbitMotion,
  skyFrame,
} from './kepler-orbit.ts'

/** Nominal solar and terrestrial values. @source IAU 2015 Resolution B3 */
const GM_SUN = 1.3271244e20 // [m³/s²]
const GM_EARTH = 3.986004e14 // [m³/s²]
const RADIUS_SUN = 6.957e8 // [m]
const RADIUS_EARTH = 6.3781e6 // [m]

/** [m] @source IAU 2012 Resolution B2 */
const AU = 149597870700

const ARCSEC_MILLI = DEGREE / 3.6e6
const DAY = 86400
const JULIAN_YEAR = 365.25 * DAY
const J2000_JD = 2451545

/** A system with the state of its bodies at a node. */
export interface PlacedSystem {
  readonly system: StarSystem
  readonly home: string
  readonly state: MassiveState
}

interface Direction {
  readonly right_ascension_deg: number
  readonly declination_deg: number
  readonly parallax_mas: number
}

interface Track extends Direction {
  readonly proper_motion_ra_mas_year: number
  readonly proper_motion_dec_mas_year: number
  readonly radial_velocity_km_s: number
  readonly epoch_julian_year: number
}

interface PlanetOrbit {
  readonly period_days: number
  readonly conjunction_jd_tdb: number
  readonly e_cos_omega?: number
  readonly e_sin_omega?: number
  readonly inclination_deg?: number
}

interface BodyRow {
  readonly name: string
  readonly parent?: string
  readonly mass_suns?: number
  readonly mass_earths?: number
  readonly mass_of_star?: number
  readonly radius_suns?: number
  readonly radius_earths?: number
  readonly orbit?: PlanetOrbit
}

interface Published {
  readonly id: string
  readonly name: string
  readonly home: string
  readonly bodies: readonly BodyRow[]
}

interface PublishedTrappist1 extends Published {
  readonly direction: Direction
  readonly orbits: { readonly epoch_jd_tdb: number; readonly node_deg: number }
}

interface PublishedAlphaCentauri extends Published {
  readonly direction: Track
  readonly proxima: Track
  readonly pair: {
    readonly period_years: number
    readonly periastron_julian_year: number
    readonly eccentricity: number
    readonly inclination_deg: number
    readonly node_deg: number
    readonly periastron_argument_deg: number
  }
  readonly planets: { readonly inclination_deg: number; readonly node_deg: number }
}

/** Bodies whose common barycentre is at rest in the origin. */
type Group = readonly (Motion & { readonly gm: number })[]

/** One group round another, whose motion about its barycentre is given. */
function joined(inner: Group, outer: Group, motion: Motion): Group {
  const all = totalGm(inner) + totalGm(outer)
  const moved = (group: Group, share: number): Group =>
    group.map(({ gm, r, v }) => ({
      gm,
      r: axes((k) => r[k] + share * motion.r[k]),
      v: axes((k) => v[k] + share * motion.v[k]),
    }))
  return [...moved(inner, -totalGm(outer) / all), ...moved(outer, totalGm(inner) / all)]
}

function totalGm(group: Group): number {
  return group.reduce((sum, { gm }) => sum + gm, 0)
}

function alone(gm: number): Group {
  return [{ gm, r: [0, 0, 0], v: [0, 0, 0] }]
}

/** A planet added to its star and the planets inside its orbit. */
function withPlanet(
  group: Group,
  gm: number,
  orbit: PlanetOrbit,
  at: { readonly jd: number; readonly nodeDeg: number; readonly frame: SkyFrame },
): Group {
  const { e_cos_omega: c = 0, e_sin_omega: s = 0, inclination_deg: inclinationDeg = 90 } = orbit
  const eccentricity = Math.hypot(c, s)
  const periastronArgument = Math.atan2(s, c)
  const period = orbit.period_days * DAY
  const passed = (at.jd - orbit.conjunction_jd_tdb) * DAY
  const motion = orbitMotion(
    {
      gm: totalGm(group) + gm,
      period,
      eccentricity,
      periastronArgument,
      inclination: inclinationDeg * DEGREE,
      node: at.nodeDeg * DEGREE,
    },
    conjunctionAnomaly(eccentricity, periastronArgument) + (2 * Math.PI * passed) / period,
    at.frame,
  )
  return joined(group, alone(gm), motion)
}

/**
 * With the post-Newtonian term a circular orbit has n² = GM/a³·(1 - 3·GM/(c²a)): it keeps its
 * published period when size and speed shrink by GM/(c²a).
 */
function shrunk(group: Group): Group {
  const [star] = group
  return group.map((body) => {
    if (body === star) return body
    const distance = Math.hypot(...body.r)
    const scale = 1 - star.gm / (SPEED_OF_LIGHT * SPEED_OF_LIGHT * distance)
    return {
      gm: body.gm,
      r: axes((k) => scale * body.r[k]),
      v: axes((k) => scale * body.v[k]),
    }
  })
}

async function published<T extends Published>(data: URL, id: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`${id}-published.json`, data), 'utf8'))
}

function bodiesOf(rows: readonly BodyRow[]): readonly Body[] {
  const starGm = (rows[0].mass_suns ?? 0) * GM_SUN
  return rows.map((row) => ({
    name: row.name,
    parent: rows.findIndex(({ name }) => name === row.parent),
    gm:
      (row.mass_suns ?? 0) * GM_SUN +
      (row.mass_earths ?? 0) * GM_EARTH +
      (row.mass_of_star ?? 0) * starGm,
    radius: (row.radius_suns ?? 0) * RADIUS_SUN + (row.radius_earths ?? 0) * RADIUS_EARTH,
  }))
}

function placed(file: Published, position: Axes, group: Group, node: number): PlacedSystem {
  const state = createMassiveState(group.length)
  state.node = node
  const all = totalGm(group)
  for (const k of [0, 1, 2] as const) {
    // What rounding left of momentum and of the barycentre's place.
    const place = group.reduce((sum, { gm, r }) => sum + gm * r[k], 0) / all
    const speed = group.reduce((sum, { gm, v }) => sum + gm * v[k], 0) / all
    for (const [i, { r, v }] of group.entries()) {
      state.x[3 * i + k] = r[k] - place
      state.v[3 * i + k] = v[k] - speed
    }
  }
  const system = { id: file.id, name: file.name, position, bodies: bodiesOf(file.bodies) }
  return { system, home: file.home, state }
}

/** TRAPPIST-1 at the last node before the epoch of its elements. */
export async function trappist1(data: URL): Promise<PlacedSystem> {
  const file = await published<PublishedTrappist1>(data, 'trappist-1')
  const { right_ascension_deg: ra, declination_deg: dec } = file.direction
  const { epoch_jd_tdb: jd, node_deg: nodeDeg } = file.orbits
  const at = { jd, nodeDeg, frame: skyFrame(ra, dec) }
  const gms = bodiesOf(file.bodies).map(({ gm }) => gm)
  let group = alone(gms[0])
  for (const [i, { orbit }] of file.bodies.entries()) {
    if (orbit) group = withPlanet(group, gms[i], orbit, at)
  }
  const nodes = ((jd - J2000_JD) * DAY) / NODE_SECONDS
  const distance = AU / (file.direction.parallax_mas * ARCSEC_MILLI)
  const position = axes((k) => distance * at.frame.away[k])
  const result = placed(file, position, shrunk(group), Math.floor(nodes))
  const past = (nodes - Math.floor(nodes)) * NODE_SECONDS
  stepMassive(createForceModel(result.system), SRKN14A, result.state, -past)
  return result
}

/** Alpha Centauri at the last node before the later of its planets' conjunctions. */
export async function alphaCentauri(data: URL): Promise<PlacedSystem> {
  const file = await published<PublishedAlphaCentauri>(data, 'alpha-centauri')
  const { direction, pair, planets, proxima } = file
  const conjunction = Math.max(...file.bodies.map(({ orbit }) => orbit?.conjunction_jd_tdb ?? 0))
  const node = Math.floor(((conjunction - J2000_JD) * DAY) / NODE_SECONDS)
  const seconds = node * NODE_SECONDS
  const [a, b, c, ...gms] = bodiesOf(file.bodies).map(({ gm }) => gm)
  const period = pair.period_years * JULIAN_YEAR
  const since = seconds - (pair.periastron_julian_year - 2000) * JULIAN_YEAR
  const orbit = orbitMotion(
    {
      gm: a + b,
      period,
      eccentricity: pair.eccentricity,
      periastronArgument: pair.periastron_argument_deg * DEGREE,
      inclination: pair.inclination_deg * DEGREE,
      node: pair.node_deg * DEGREE,
    },
    (2 * Math.PI * since) / period,
    skyFrame(direction.right_ascension_deg, direction.declination_deg),
  )
  const jd = J2000_JD + seconds / DAY
  const frame = skyFrame(proxima.right_ascension_deg, proxima.declination_deg)
  let far = alone(c)
  for (const [i, row] of file.bodies.slice(3).entries()) {
    const sky = { ...row.orbit!, inclination_deg: planets.inclination_deg }
    far = withPlanet(far, gms[i], sky, { jd, nodeDeg: planets.node_deg, frame })
  }
  const near = trackMotion(direction, seconds)
  const away = trackMotion(proxima, seconds)
  const motion = {
    r: axes((k) => away.r[k] - near.r[k]),
    v: axes((k) => away.v[k] - near.v[k]),
  }
  const group = joined(joined(alone(a), alone(b), orbit), far, motion)
  const share = totalGm(far) / totalGm(group)
  return placed(
    file,
    axes((k) => near.r[k] + share * motion.r[k]),
    group,
    node,
  )
}

/** Where a star is and how it moves, from the solar system. */
function trackMotion(track: Track, seconds: number): Motion {
  const { north, east, away } = skyFrame(track.right_ascension_deg, track.declination_deg)
  const distance = AU / (track.parallax_mas * ARCSEC_MILLI)
  const across = (distance * ARCSEC_MILLI) / JULIAN_YEAR
  const toEast = across * track.proper_motion_ra_mas_year
  const toNorth = across * track.proper_motion_dec_mas_year
  const off = 1000 * track.radial_velocity_km_s
  const v = axes((k) => toNorth * north[k] + toEast * east[k] + off * away[k])
  const passed = seconds - (track.epoch_julian_year - 2000) * JULIAN_YEAR
  return { r: axes((k) => distance * away[k] + passed * v[k]), v }
}
