import { cross, dot } from '../../math/triple.ts'
import { referenceAxes } from '../../orbits/reference-plane.ts'
import { type Guide, complete, fail, isInPhase } from '../guide.ts'
import { HEIGHTS, MEMORY, ORBIT_ORDER } from '../../state/plan-memory.ts'
import { beginOrbit, flyOrbit, noteErrors } from '../burns/orbit-flight.ts'
import { passBy } from '../burns/passage.ts'
import {
  bodyOf,
  findPresentOrbit,
  hasLeft,
  lasts,
  orderedAxis,
  wantAxis,
} from '../burns/present-orbit.ts'
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
  const { row } = guide
  if (hasLeft(guide)) return passBy(guide)
  if (isInPhase(guide, 'thrusting') || isInPhase(guide, 'coasting')) return spiral(guide)
  if (!isInPhase(guide, 'planning')) {
    if (flyOrbit(guide, followPlane, 1)) complete(guide)
    return
  }
  findPresentOrbit(guide)
  followPlane(guide)
  const axis = wantShape(guide)
  if (!lasts(guide, axis, row[MEMORY.e])) fail(guide, 'unreachable')
  else if (noteErrors(guide) <= 1) complete(guide)
  else if (isSlow(guide)) spiral(guide)
  else beginOrbit(guide)
}

/** Writes the wanted size and shape; returns the axis as the order counts it [m]. */
function wantShape(guide: Guide): number {
  const { row, orbit } = guide
  const [first, second] = [row[ORBIT_ORDER.a], row[ORBIT_ORDER.e]]
  let axis = orderedAxis(guide)
  let e = orbit.e
  if (row[ORBIT_ORDER.reading] >= HEIGHTS) {
    const ground = bodyOf(guide).radius
    const low = first < 0 ? axis * (1 - e) : ground + first
    const high = second < 0 ? axis * (1 + e) : ground + second
    axis = 0.5 * (low + high)
    e = Math.abs(high - low) / (high + low)
  } else {
    if (first > 0) axis = first
    if (second !== ANY_E) e = second
  }
  row[MEMORY.e] = e
  wantAxis(guide, axis)
  return axis
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
