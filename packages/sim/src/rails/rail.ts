import { dot } from '../math/triple.ts'
import type { Ephemeris } from '../ephemeris/ephemeris.ts'
import { groupGm, groupMomentum, groupState } from '../ephemeris/moon-group.ts'
import type { StateVector } from '../math/state-vector.ts'
import { type EquatorialOrbit, equatorialState } from './equatorial-orbit.ts'
import { type LagrangeNumber, lagrangeState } from './lagrange-point.ts'

/** A place that moves with a pair of bodies, of which the second counts with its moons. */
export interface LagrangePoint {
  readonly kind: 'lagrange'
  /** index of the primary */
  readonly parent: number
  /** index of the secondary, whose parent is the primary */
  readonly secondary: number
  readonly point: LagrangeNumber
}

/** What a station or gate runs on: a function of the lattice index, with nothing to integrate. */
export type Rail = EquatorialOrbit | LagrangePoint

const pair = { r: new Float64Array(3), v: new Float64Array(3), momentum: new Float64Array(6) }

/**
 * State on a rail relative to the rail's parent body at lattice index n + offset.
 *
 * @param offset  quanta after n, 0 up to 1
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when a Lagrange point's ephemeris does not reach n
 */
export function railState(
  out: StateVector,
  ephemeris: Ephemeris,
  rail: Rail,
  n: number,
  offset: number,
): void {
  if (rail.kind === 'orbit') return equatorialState(out, rail, n, offset)
  const { parent, secondary, point } = rail
  const { bodies } = ephemeris.system
  groupState(pair, ephemeris, secondary, n, offset)
  groupMomentum(pair.momentum, ephemeris, secondary, n, offset)
  const gm = groupGm(ephemeris, secondary)
  const mu = gm / (bodies[parent].gm + gm)
  return lagrangeState(out, pair, mu, point)
}

/**
 * The axis that equatorial orbits of a body run about: its pole where that is known, else the
 * normal of its own orbit at lattice index n, to which moons and close planets stand nearly
 * upright; the z axis for a root without a pole.
 *
 * @returns unit vector
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function equatorialPole(
  ephemeris: Ephemeris,
  body: number,
  n: number,
): readonly [number, number, number] {
  const { oblateness, parent } = ephemeris.system.bodies[body]
  if (oblateness) return oblateness.pole
  if (parent < 0) return [0, 0, 1]
  const { momentum } = pair
  groupMomentum(momentum, ephemeris, body, n, 0)
  const length = Math.sqrt(dot(momentum, 0, momentum, 0))
  return [momentum[0] / length, momentum[1] / length, momentum[2] / length]
}
