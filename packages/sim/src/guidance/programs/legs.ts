import { bodyState } from '../../ephemeris/ephemeris.ts'
import type { Body } from '../../ephemeris/star-system.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { keplerState } from '../../orbits/kepler.ts'
import type { Guide } from '../guide.ts'
import { PLAN } from '../../state/plan.ts'
import { MEMORY, SIZE_ORDER } from '../../state/plan-memory.ts'

/** Height of a low orbit as a share of the body's radius. */
export const LOW_ORBIT = 0.08

/** Least height as a share of the body's radius: what a periapsis and a last orbit may miss by. */
const LEAST_SHARE = 0.004

/** Share of a sphere of influence that an orbit may fill. */
export const ORBIT_ROOM = 0.5

/**
 * Writes the bodies of the next leg towards the target: to a child of the reference body that is
 * or holds it; or away from the reference body, about its parent, to such a child or to the parent.
 */
export function chooseLeg({ row, reference, state }: Guide): void {
  const { bodies } = state.system
  const target = row[PLAN.target]
  const inside = childTowards(bodies, reference, target)
  const parent = inside < 0 ? bodies[reference].parent : reference
  const across = inside < 0 ? childTowards(bodies, parent, target) : inside
  row[MEMORY.origin] = reference
  row[MEMORY.frame] = parent
  row[MEMORY.goal] = across < 0 ? parent : across
}

/** The child of a body that is the target or holds it; -1 when none does. */
function childTowards(bodies: readonly { parent: number }[], body: number, target: number): number {
  for (let i = target; i >= 0; i = bodies[i].parent) if (bodies[i].parent === body) return i
  return -1
}

/** Radius of the orbit that a leg ends in [m]. */
export function goalRadius({ row, state }: Guide): number {
  const { radius } = state.system.bodies[row[MEMORY.goal]]
  const wanted = row[MEMORY.goal] === row[PLAN.target] ? row[SIZE_ORDER.size] : 0
  return radius + (wanted > 0 ? wanted : LOW_ORBIT * radius)
}

/**
 * Whether the target and the bodies on the way to it, which the present leg does not reach yet,
 * have room for the orbits there.
 */
export function canArrive({ row, spheres, state }: Guide): boolean {
  const { bodies } = state.system
  const target = row[PLAN.target]
  const altitude = row[SIZE_ORDER.size]
  if (altitude > 0 && altitude < leastAltitude(bodies[target].radius)) return false
  for (let body = target; body >= 0; body = bodies[body].parent) {
    if (body === row[MEMORY.frame]) break
    const { radius } = bodies[body]
    const height = body === target && altitude > 0 ? altitude : LOW_ORBIT * radius
    if (!(radius + height < ORBIT_ROOM * spheres[body])) return false
  }
  return true
}

/** The least altitude of a last orbit over a body that an approach is sure to hold [m]. */
export function leastAltitude(radius: number): number {
  return LEAST_SHARE * radius
}

/** Δv from a speed far away to the leg's last orbit [m/s]. */
export function captureDeltaV(guide: Guide, excess2: number): number {
  const { gm } = guide.state.system.bodies[guide.row[MEMORY.goal]]
  const radius = goalRadius(guide)
  return Math.sqrt(excess2 + (2 * gm) / radius) - Math.sqrt(gm / radius)
}

/** out = the pole of a body with an equator, another direction for one without. */
export function poleOr(out: Float64Array, { oblateness }: Body, otherwise: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = oblateness ? oblateness.pole[i] : otherwise[i]
}

const present: StateVector = createStateVector()

/**
 * out = state of a body about the one it circles, at a lattice index: on the two-body orbit that it
 * has now, whatever the ephemeris reaches.
 */
export function bodyAhead(out: StateVector, guide: Guide, body: number, index: number): void {
  const { state, n } = guide
  const { bodies } = state.system
  const { parent, gm } = bodies[body]
  bodyState(present, state.ephemeris, body, parent, n, 0)
  keplerState(out, present, gm + bodies[parent].gm, (index - n) / QUANTA_PER_SECOND)
}
