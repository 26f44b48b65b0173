import { cross, dot } from '../../math/triple.ts'
import { referenceAxes } from '../../orbits/reference-plane.ts'
import { type Guide, complete, fail, isInPhase } from '../guide.ts'
import { MEMORY, ORBIT_ORDER } from '../../state/plan-memory.ts'
import { beginOrbit, findPresentOrbit, flyOrbit, noteErrors } from './orbit-flight.ts'
import { flySpiral, isSlow } from './spiral.ts'

/** Values of `ORBIT_ORDER` that leave an element as it is. */
const ANY_E = -1
const ANY_COSINE = -2

/** Sine of an inclination below which an orbit has no node. */
const SINE_MIN = 1e-6

const axes = new Float64Array(9)
const node = new Float64Array(3)

/**
 * Changes any of size, eccentricity, inclination and node of the orbit about the reference body;
 * what is not named stays.
 */
export function setOrbit(guide: Guide): void {
  const { row, reference, spheres, state } = guide
  if (isInPhase(guide, 'thrusting') || isInPhase(guide, 'coasting')) return spiral(guide)
  if (!isInPhase(guide, 'planning')) {
    if (flyOrbit(guide, followPlane, 1)) complete(guide)
    return
  }
  findPresentOrbit(guide)
  row[MEMORY.a] = row[ORBIT_ORDER.a] > 0 ? row[ORBIT_ORDER.a] : guide.orbit.a
  row[MEMORY.e] = row[ORBIT_ORDER.e] === ANY_E ? guide.orbit.e : row[ORBIT_ORDER.e]
  followPlane(guide)
  const periapsis = row[MEMORY.a] * (1 - row[MEMORY.e])
  const apoapsis = row[MEMORY.a] * (1 + row[MEMORY.e])
  const isAbove = periapsis > state.system.bodies[reference].radius
  if (!(isAbove && apoapsis < spheres[reference])) fail(guide, 'unreachable')
  else if (noteErrors(guide) <= 1) complete(guide)
  else if (isSlow(guide)) spiral(guide)
  else beginOrbit(guide)
}

function spiral(guide: Guide): void {
  findPresentOrbit(guide)
  followPlane(guide)
  if (flySpiral(guide)) complete(guide)
}

/** Writes the normal of the nearest plane with the inclination and node that are wanted. */
function followPlane({ row, reference, state, orbit }: Guide): void {
  referenceAxes(axes, state.system.bodies[reference])
  findNode(row, orbit.normal)
  let cosine = row[ORBIT_ORDER.cosInclination]
  let sine = row[ORBIT_ORDER.sinInclination]
  if (cosine === ANY_COSINE) {
    cosine = dot(orbit.normal, 0, axes, 6)
    sine = Math.sqrt(Math.max(0, 1 - cosine * cosine))
  }
  cross(row, MEMORY.normal, node, 0, axes, 6)
  for (let i = 0; i < 3; i++) {
    row[MEMORY.normal + i] = cosine * axes[6 + i] + sine * row[MEMORY.normal + i]
  }
}

/** Unit vector to the wanted node; the present one unless the order names another. */
function findNode(row: Float64Array, normal: Float64Array): void {
  const x = row[ORBIT_ORDER.nodeX]
  const y = row[ORBIT_ORDER.nodeY]
  const length = Math.sqrt(x * x + y * y)
  cross(node, 0, axes, 6, normal, 0)
  const sine = Math.sqrt(dot(node, 0, node, 0))
  for (let i = 0; i < 3; i++) {
    if (length > 0) node[i] = (x * axes[i] + y * axes[3 + i]) / length
    else node[i] = sine > SINE_MIN ? node[i] / sine : axes[i]
  }
}
