import { type Ephemeris, NODE_DOUBLES, between, positionWeights } from './ephemeris.ts'

/**
 * The interval of an ephemeris around one moment, copied for kernels: weights of the quintic,
 * then planes of three values per body: x, v and a at its first node, the same at its last, and
 * room for the positions at the moment.
 */
export interface NodePair {
  readonly block: Float64Array
  /** values from one plane to the next: even, so that vectors of two fit */
  readonly plane: number
  /** first node held; NaN before the first use */
  node: number
}

/** Places in a pair's block. */
export const PAIR = { x1: 0, v0: 1, v1: 2, a0: 3, a1: 4, planes: 6 } as const
const PLANES = 7

/** Two pairs, of even and of odd nodes: then a step across a node copies none twice. */
export type NodePairs = readonly [NodePair, NodePair]

export function createNodePairs(
  { parents }: Ephemeris,
  allocate: (length: number) => Float64Array,
): NodePairs {
  const plane = 2 * Math.ceil((3 * parents.length) / 2)
  const create = (): NodePair => {
    return { block: allocate(PAIR.planes + PLANES * plane), plane, node: NaN }
  }
  return [create(), create()]
}

/**
 * The pair with the nodes around a moment, and the weights at it. A node never changes, so they
 * are copied only when they are others than before.
 *
 * @param n       lattice index
 * @param offset  quanta after n; need not be whole, may leave the node
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when the ring does not hold both neighbouring nodes
 */
export function nodePairAt(
  pairs: NodePairs,
  ephemeris: Ephemeris,
  n: number,
  offset: number,
): NodePair {
  const { node, from, to, t, h } = between(ephemeris, n, offset)
  const pair = node % 2 === 0 ? pairs[0] : pairs[1]
  const { block } = pair
  const weights = positionWeights(t, h)
  block[PAIR.x1] = weights.x1
  block[PAIR.v0] = weights.v0
  block[PAIR.v1] = weights.v1
  block[PAIR.a0] = weights.a0
  block[PAIR.a1] = weights.a1
  if (pair.node === node) return pair
  copyNode(pair, ephemeris, from, 0)
  copyNode(pair, ephemeris, to, 3)
  pair.node = node
  return pair
}

function copyNode(
  { block, plane }: NodePair,
  { nodes, parents }: Ephemeris,
  from: number,
  firstPlane: number,
): void {
  for (let body = 0; body < parents.length; body++) {
    for (let part = 0; part < 3; part++) {
      const to = PAIR.planes + (firstPlane + part) * plane + 3 * body
      const at = from + NODE_DOUBLES * body + 3 * part
      for (let axis = 0; axis < 3; axis++) block[to + axis] = nodes[at + axis]
    }
  }
}
