import { readFileSync } from 'node:fs'
import { type CatalogSystem, checkpointAtOrBefore, parseCheckpoints } from '@orrery/catalog'
import {
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  type Ephemeris,
  type StateVector,
  attachEphemeris,
  bodyState,
  createIntegration,
  createStateVector,
  ephemerisLength,
  extendEphemeris,
  massiveStateAt,
} from '@orrery/sim'

const J2000_JD = 2451545

/** Lattice time of a Julian date in TDB; not whole [quanta]. */
export function quantaFromJd(jd: number): number {
  return (jd - J2000_JD) * 86400 * QUANTA_PER_SECOND
}

/** Nodes on either side of a date that `ephemerisAround` holds: an hour and a quarter. */
const AROUND_NODES = 18

/** The ephemeris of a system around a date, from the checkpoint before it. */
export function ephemerisAround(entry: CatalogSystem, quanta: number): Ephemeris {
  const { system, checkpointsUrl } = entry
  const node = Math.floor(quanta / NODE_QUANTA)
  const checkpoints = parseCheckpoints(readFileSync(checkpointsUrl))
  const first = node - AROUND_NODES
  const start = massiveStateAt(system, checkpointAtOrBefore(checkpoints, first), first)
  const nodes = new Float64Array(ephemerisLength(system, 2 * AROUND_NODES + 2))
  const ephemeris = attachEphemeris(system, nodes, new Float64Array(2))
  extendEphemeris(createIntegration(system, start), ephemeris, node + AROUND_NODES)
  return ephemeris
}

/** Motion of a body relative to another at a lattice time that need not be whole. */
export function motionAt(
  ephemeris: Ephemeris,
  body: number,
  center: number,
  quanta: number,
): StateVector {
  const state = createStateVector()
  const n = Math.floor(quanta)
  bodyState(state, ephemeris, body, center, n, quanta - n)
  return state
}

/**
 * When a planet passes in front of its star, seen from Sol: across the sky it is nearest then,
 * within an hour of a date.
 *
 * @returns seconds after the date; NaN when there is no such passage
 */
export function passage(entry: CatalogSystem, name: string, jd: number): number {
  const { bodies, position } = entry.system
  const body = bodies.findIndex((candidate) => candidate.name === name)
  const { parent } = bodies[body]
  const date = quantaFromJd(jd)
  const ephemeris = ephemerisAround(entry, date)
  const star = motionAt(ephemeris, parent, -1, date).r
  const place = position.map((value, k) => value + star[k])
  const away = place.map((value) => value / Math.hypot(...place))
  const sky = (quanta: number): { depth: number; opening: number } => {
    const { r, v } = motionAt(ephemeris, body, parent, quanta)
    const depth = away.reduce((sum, value, k) => sum + value * r[k], 0)
    const speed = away.reduce((sum, value, k) => sum + value * v[k], 0)
    const opening = away.reduce(
      (sum, value, k) => sum + (r[k] - depth * value) * (v[k] - speed * value),
      0,
    )
    return { depth, opening }
  }
  let early = date - (AROUND_NODES - 1) * NODE_QUANTA
  let late = date + (AROUND_NODES - 1) * NODE_QUANTA
  if (!(sky(early).opening < 0 && sky(late).opening > 0)) return NaN
  for (let i = 0; i < 60; i++) {
    const middle = (early + late) / 2
    if (sky(middle).opening < 0) early = middle
    else late = middle
  }
  return sky(early).depth < 0 ? (early - date) / QUANTA_PER_SECOND : NaN
}
