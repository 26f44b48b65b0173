import { type StateVector, createStateVector } from '../math/state-vector.ts'
import { type Ephemeris, NODE_DOUBLES, between, bodyState } from './ephemeris.ts'

/** Mass of a body and its moons times G [m³/s²]. */
export function groupGm({ parents, system }: Ephemeris, body: number): number {
  let { gm } = system.bodies[body]
  for (let moon = body + 1; moon < parents.length; moon++) {
    if (parents[moon] === body) gm += system.bodies[moon].gm
  }
  return gm
}

const moonState = createStateVector()

/**
 * State of the centre of mass of a body and its moons relative to the body's parent.
 *
 * @param n       lattice index
 * @param offset  quanta after n; need not be whole, may leave the node
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function groupState(
  out: StateVector,
  ephemeris: Ephemeris,
  body: number,
  n: number,
  offset: number,
): void {
  const { parents, system } = ephemeris
  const gm = groupGm(ephemeris, body)
  bodyState(out, ephemeris, body, parents[body], n, offset)
  for (let moon = body + 1; moon < parents.length; moon++) {
    if (parents[moon] !== body) continue
    const share = system.bodies[moon].gm / gm
    bodyState(moonState, ephemeris, moon, body, n, offset)
    for (let axis = 0; axis < 3; axis++) {
      out.r[axis] += share * moonState.r[axis]
      out.v[axis] += share * moonState.v[axis]
    }
  }
}

const fromNode = new Float64Array(NODE_DOUBLES)
const toNode = new Float64Array(NODE_DOUBLES)

/**
 * Specific angular momentum of that centre of mass, and its rate: the plane of its orbit and how
 * that turns. Between two nodes it is the cubic through both: what positions and velocities there
 * would give has the noise of their last bits.
 *
 * @param out     momentum (0-2) [m²/s] and rate (3-5) [m²/s²]
 * @param n       lattice index
 * @param offset  quanta after n; need not be whole, may leave the node
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function groupMomentum(
  out: Float64Array,
  ephemeris: Ephemeris,
  body: number,
  n: number,
  offset: number,
): void {
  const { from, to, t, h } = between(ephemeris, n, offset)
  groupNode(fromNode, ephemeris, body, from)
  groupNode(toNode, ephemeris, body, to)
  const u = 1 - t
  for (let axis = 0; axis < 3; axis++) {
    const before = product(fromNode, 3, axis)
    const gain = product(toNode, 3, axis) - before
    const fromRate = product(fromNode, 6, axis)
    const toRate = product(toNode, 6, axis)
    out[axis] = before + t * t * (3 - 2 * t) * gain + h * t * u * (u * fromRate - t * toRate)
    out[3 + axis] = (6 * t * u * gain) / h + u * (1 - 3 * t) * fromRate + t * (3 * t - 2) * toRate
  }
}

/** Position, velocity and acceleration of the centre of mass at the node at an offset. */
function groupNode(out: Float64Array, ephemeris: Ephemeris, body: number, at: number): void {
  const { nodes, parents, system } = ephemeris
  const gm = groupGm(ephemeris, body)
  for (let i = 0; i < NODE_DOUBLES; i++) out[i] = nodes[at + NODE_DOUBLES * body + i]
  for (let moon = body + 1; moon < parents.length; moon++) {
    if (parents[moon] !== body) continue
    const share = system.bodies[moon].gm / gm
    for (let i = 0; i < NODE_DOUBLES; i++) out[i] += share * nodes[at + NODE_DOUBLES * moon + i]
  }
}

/** One component of the cross product of a node's position and the triple at an offset. */
function product(node: Float64Array, at: number, axis: number): number {
  const i = (axis + 1) % 3
  const j = (axis + 2) % 3
  return node[i] * node[at + j] - node[j] * node[at + i]
}
