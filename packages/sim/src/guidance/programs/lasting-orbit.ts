import { type StateVector, createStateVector } from '../../math/state-vector.ts'
import { dot } from '../../math/triple.ts'
import { conicOf, createConic } from '../../orbits/conic.ts'
import type { Guide } from '../guide.ts'
import { targetAhead } from './legs.ts'

/** Places of a target's orbit that are looked at. */
const LOOKS = 16

const place = createStateVector()
const circuit = createConic()

/** Whether an orbit about a body ends in the ground. */
export function sinks({ state }: Guide, from: StateVector, body: number): boolean {
  const { gm, radius } = state.system.bodies[body]
  conicOf(circuit, from, gm)
  const returns = circuit.period < Infinity || dot(from.r, 0, from.v, 0) < 0
  return returns && circuit.periapsis <= radius
}

/** The same of the target's orbit about its body. */
export function targetSinks(guide: Guide): boolean {
  targetAhead(place, guide, guide.n)
  return sinks(guide, place, guide.targetReference)
}

/** Whether the target's orbit leaves the sphere of influence of its body. */
export function targetLeaves(guide: Guide): boolean {
  const { n, spheres, state, targetReference } = guide
  targetAhead(place, guide, n)
  conicOf(circuit, place, state.system.bodies[targetReference].gm)
  return circuit.apoapsis >= spheres[targetReference]
}

/** Whether it has left that before a lattice index. */
export function targetLeavesBefore(guide: Guide, index: number): boolean {
  const { n, spheres, targetReference } = guide
  const edge = spheres[targetReference]
  for (let i = 1; i <= LOOKS; i++) {
    targetAhead(place, guide, n + Math.floor(((index - n) * i) / LOOKS))
    if (dot(place.r, 0, place.r, 0) > edge * edge) return true
  }
  return false
}
