import { QUANTA_PER_SECOND } from '../lattice.ts'
import type { StateVector } from '../math/state-vector.ts'
import { SimError } from '../sim-error.ts'
import { type StarSystem, requireStarSystem } from './star-system.ts'

/** The massive bodies at one node, to the last bit: true values are x + xLow and v + vLow. */
export interface MassiveState {
  /** multiple of `NODE_QUANTA` quanta since J2000.0 TDB; negative before */
  node: number
  /** barycentric, one triple per body [m] */
  readonly x: Float64Array
  /** [m/s] */
  readonly v: Float64Array
  readonly xLow: Float64Array
  readonly vLow: Float64Array
  /** work of the post-Newtonian term since the ledger began, times G: one double-double */
  readonly energyWork: Float64Array
  /** angular impulse of zonal and post-Newtonian terms, times G: three double-doubles */
  readonly angularWork: Float64Array
}

/** Quanta between two nodes of the massive bodies: 256 s. */
export const NODE_QUANTA = 16384

/** Seconds between two nodes. */
export const NODE_SECONDS = 256

/** x, v, a of one body at one node. */
export const NODE_DOUBLES = 9

/**
 * A ring of nodes on shared memory: x, v, a of every body relative to its parent (the root
 * relative to the barycentre). One writer; any number of readers, in any thread.
 */
export interface Ephemeris {
  readonly system: StarSystem
  readonly nodes: Float64Array
  /** first and last node held */
  readonly span: Float64Array
  readonly capacity: number
  /** from one node to the next */
  readonly nodeQuanta: number
  readonly parents: Int32Array
  /** lineage[i · bodies + j] is 1 when j is i itself or an ancestor of it */
  readonly lineage: Uint8Array
}

/** Doubles that a ring of `capacity` nodes takes. */
export function ephemerisLength(system: StarSystem, capacity: number): number {
  return capacity * system.bodies.length * NODE_DOUBLES
}

/**
 * Views a ring that `extendEphemeris` fills, in this thread or another. A zeroed ring is empty.
 *
 * @param nodes       `ephemerisLength` doubles
 * @param span        two doubles
 * @param nodeQuanta  distance of nodes; that of the massive bodies' own when left out
 * @throws {SimError} 'ERR_EPHEMERIS_BUFFER' when a length is wrong, 'ERR_STAR_SYSTEM' when a mass
 *   or radius is not positive and finite, a pole no unit vector, a parent not before its child
 */
export function attachEphemeris(
  system: StarSystem,
  nodes: Float64Array,
  span: Float64Array,
  nodeQuanta: number = NODE_QUANTA,
): Ephemeris {
  requireStarSystem(system)
  const count = system.bodies.length
  const capacity = nodes.length / ephemerisLength(system, 1)
  if (!Number.isInteger(capacity) || capacity < 2 || span.length !== 2) {
    throw new SimError(
      'ERR_EPHEMERIS_BUFFER',
      `Ring of ${nodes.length} doubles, span of ${span.length}: no fit for ${count} bodies.`,
    )
  }
  const parents = Int32Array.from(system.bodies, (body) => body.parent)
  const lineage = new Uint8Array(count * count)
  for (let i = 0; i < count; i++) {
    for (let j = i; j >= 0; j = parents[j]) lineage[i * count + j] = 1
  }
  return { system, nodes, span, capacity, nodeQuanta, parents, lineage }
}

/** Offset of a node in the ring; for the writer. */
export function nodeOffset(ephemeris: Ephemeris, node: number): number {
  const { capacity, parents } = ephemeris
  return (node - capacity * Math.floor(node / capacity)) * parents.length * NODE_DOUBLES
}

/** Position, velocity and acceleration of a body at a node that is held, from its parent. */
export function nodeState(ephemeris: Ephemeris, body: number, node: number): Float64Array {
  const at = nodeOffset(ephemeris, node) + NODE_DOUBLES * body
  return ephemeris.nodes.slice(at, at + NODE_DOUBLES)
}

/** Turns positions relative to each parent into positions relative to `reference`, in place. */
function chain(
  out: Float64Array,
  parents: Int32Array,
  lineage: Uint8Array,
  reference: number,
): void {
  const count = parents.length
  let x = 0
  let y = 0
  let z = 0
  for (let body = reference; body >= 0; body = parents[body]) {
    const linkX = out[3 * body]
    const linkY = out[3 * body + 1]
    const linkZ = out[3 * body + 2]
    out[3 * body] = x
    out[3 * body + 1] = y
    out[3 * body + 2] = z
    x -= linkX
    y -= linkY
    z -= linkZ
  }
  for (let body = 1; body < count; body++) {
    if (reference >= 0 && lineage[reference * count + body] === 1) continue
    const above = 3 * parents[body]
    out[3 * body] += out[above]
    out[3 * body + 1] += out[above + 1]
    out[3 * body + 2] += out[above + 2]
  }
}

/**
 * State of one body relative to body `center` (-1: the barycentre).
 *
 * @param n       lattice index
 * @param offset  quanta after n; need not be whole, may leave the node
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function bodyState(
  out: StateVector,
  ephemeris: Ephemeris,
  body: number,
  center: number,
  n: number,
  offset: number,
): void {
  const { nodes, parents } = ephemeris
  const { from, to, t, h } = between(ephemeris, n, offset)
  const position = positionWeights(t, h)
  const velocity = velocityWeights(t, h)
  out.r.fill(0, 0, 3)
  out.v.fill(0, 0, 3)
  let up = body
  let down = center
  // Parents stand before children, so the larger index is never above the smaller one: both
  // walks meet at the nearest common ancestor, small vectors first.
  while (up !== down) {
    const sign = up > down ? 1 : -1
    const link = up > down ? up : down
    const at = NODE_DOUBLES * link
    for (let axis = 0; axis < 3; axis++) {
      const p = from + at + axis
      const q = to + at + axis
      out.r[axis] += sign * blend(nodes, p, q, position)
      out.v[axis] += sign * blendRate(nodes, p, q, velocity)
    }
    if (up > down) up = parents[up]
    else down = parents[down]
  }
}

/**
 * States of all bodies relative to body `reference` (-1: the barycentre) in one pass: what
 * `bodyState` gives for each, to rounding. They are combined along the chain of parents, so that
 * nothing passes through the barycentre.
 *
 * @param out     one triple of each per body
 * @param n       lattice index
 * @param offset  quanta after n; need not be whole, may leave the node
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function bodyStates(
  { r, v }: StateVector,
  ephemeris: Ephemeris,
  reference: number,
  n: number,
  offset = 0,
): void {
  const { nodes, parents, lineage } = ephemeris
  const { from, to, t, h } = between(ephemeris, n, offset)
  const position = positionWeights(t, h)
  const velocity = velocityWeights(t, h)
  for (let body = 0; body < parents.length; body++) {
    for (let axis = 0; axis < 3; axis++) {
      const p = from + NODE_DOUBLES * body + axis
      const q = to + NODE_DOUBLES * body + axis
      r[3 * body + axis] = blend(nodes, p, q, position)
      v[3 * body + axis] = blendRate(nodes, p, q, velocity)
    }
  }
  chain(r, parents, lineage, reference)
  chain(v, parents, lineage, reference)
}

/** Place of a moment: the node before it, offsets of the two around it, the share passed. */
export interface Between {
  readonly node: number
  readonly from: number
  readonly to: number
  /** 0 up to 1 */
  readonly t: number
  /** from node to node [s] */
  readonly h: number
}

export function between(ephemeris: Ephemeris, n: number, offset: number): Between {
  const { nodeQuanta } = ephemeris
  const start = Math.floor(n / nodeQuanta)
  const quanta = n - nodeQuanta * start + offset
  const passed = Math.floor(quanta / nodeQuanta)
  const node = start + passed
  requireSpan(ephemeris, node)
  return {
    node,
    from: nodeOffset(ephemeris, node),
    to: nodeOffset(ephemeris, node + 1),
    t: (quanta - nodeQuanta * passed) / nodeQuanta,
    h: nodeQuanta / QUANTA_PER_SECOND,
  }
}

/**
 * Weights of a quintic Hermite interpolation: of the difference of positions, and of velocity
 * and acceleration at both ends.
 */
export interface Weights {
  readonly x1: number
  readonly v0: number
  readonly v1: number
  readonly a0: number
  readonly a1: number
}

export function positionWeights(t: number, h: number): Weights {
  const u = 1 - t
  return {
    x1: t * t * t * (10 - t * (15 - 6 * t)),
    v0: h * (t * u * u * u * (1 + 3 * t)),
    v1: h * (-t * t * t * u * (4 - 3 * t)),
    a0: 0.5 * h * h * (t * t * u * u * u),
    a1: 0.5 * h * h * (t * t * t * u * u),
  }
}

function velocityWeights(t: number, h: number): Weights {
  const u = 1 - t
  return {
    x1: (30 * t * t * u * u) / h,
    v0: u * u * (1 + t * (2 - 15 * t)),
    v1: -t * t * (12 - t * (28 - 15 * t)),
    a0: 0.5 * h * (t * u * u * (2 - 5 * t)),
    a1: 0.5 * h * (t * t * u * (3 - 5 * t)),
  }
}

/** One coordinate between nodes p and q; at p itself exactly the node's value. */
function blend(nodes: Float64Array, p: number, q: number, w: Weights): number {
  return (
    nodes[p] +
    (w.x1 * (nodes[q] - nodes[p]) +
      (w.v0 * nodes[p + 3] + w.v1 * nodes[q + 3] + (w.a0 * nodes[p + 6] + w.a1 * nodes[q + 6])))
  )
}

/** The rate of that coordinate. */
function blendRate(nodes: Float64Array, p: number, q: number, w: Weights): number {
  return (
    w.x1 * (nodes[q] - nodes[p]) +
    (w.v0 * nodes[p + 3] + w.v1 * nodes[q + 3]) +
    (w.a0 * nodes[p + 6] + w.a1 * nodes[q + 6])
  )
}

function requireSpan(ephemeris: Ephemeris, node: number): void {
  const { span } = ephemeris
  // Both neighbours always, even where only one has weight: what can be read must not depend
  // on the writer's progress. NaN fails too.
  if (node >= span[0] && node + 1 <= span[1]) return
  throw new SimError(
    'ERR_EPHEMERIS_SPAN',
    `Node ${node} of ${ephemeris.system.name} lies outside ${span[0]} to ${span[1] - 1}.`,
  )
}
