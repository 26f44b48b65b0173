import { QUANTA_PER_SECOND } from '../lattice.ts'
import { twoSum } from '../math/double-double.ts'
import { SimError } from '../sim-error.ts'
import { type Ephemeris, type MassiveState, nodeOffset } from './ephemeris.ts'
import type { StarSystem } from './star-system.ts'
import { type Drift, type Invariants, drift, massiveInvariants } from './invariants.ts'
import {
  type MassiveKernel,
  copyMassiveState,
  createMassiveState,
  massiveKernel,
} from './massive-step.ts'

/** Every node divisible by this keeps its full state while the ring holds it: 16,384 s. */
export const ANCHOR_NODES = 64

interface Anchor {
  readonly state: MassiveState
  /** evaluated when first asked for */
  drift: Drift | undefined
}

/** The writing end of an ephemeris: the massive bodies at the last node made. */
export interface Integration {
  readonly system: StarSystem
  readonly head: MassiveState
  /** what `driftAt` compares with */
  readonly reference: Invariants
  readonly kernel: MassiveKernel
  /** of the head, when it is written as a node; one triple per body [m/s²] */
  readonly acceleration: Float64Array
  readonly anchors: Anchor[]
}

/**
 * Starts an integration at a state, which becomes its first anchor.
 *
 * @param start      copied
 * @param reference  energy and angular momentum that drift is measured from; those of `start`
 *   when left out
 * @throws {SimError} 'ERR_MASSIVE_STATE' when the state does not fit the system
 */
export function createIntegration(
  system: StarSystem,
  start: MassiveState,
  reference?: Invariants,
  kernel: MassiveKernel = massiveKernel(system),
): Integration {
  const count = system.bodies.length
  if (start.x.length !== 3 * count || !Number.isInteger(start.node)) {
    throw new SimError(
      'ERR_MASSIVE_STATE',
      `A state of ${start.x.length / 3} bodies at node ${start.node} does not fit ${system.name}.`,
    )
  }
  const head = createMassiveState(count)
  copyMassiveState(head, start)
  const integration: Integration = {
    system,
    head,
    reference: Float64Array.from(reference ?? massiveInvariants(system, start)),
    kernel,
    acceleration: new Float64Array(3 * count),
    anchors: [],
  }
  dropAnchor(integration, head.node)
  return integration
}

/**
 * Integrates on to `lastNode` and writes every node into the ring, whose oldest nodes give
 * way. A ring that does not end at the head is restarted there.
 */
export function extendEphemeris(
  integration: Integration,
  ephemeris: Ephemeris,
  lastNode: number,
): void {
  const { head, kernel } = integration
  const { nodeQuanta, span } = ephemeris
  const h = nodeQuanta / QUANTA_PER_SECOND
  // A zeroed ring "ends" at node 0 too, but then holds no second node.
  if (span[1] !== head.node || span[0] >= span[1]) {
    span.fill(head.node)
    writeNode(integration, ephemeris)
  }
  while (head.node < lastNode) {
    kernel.step(head, h)
    head.node++
    // Readers never see a node that is being overwritten.
    if (head.node - span[0] >= ephemeris.capacity) span[0] = head.node - ephemeris.capacity + 1
    writeNode(integration, ephemeris)
    span[1] = head.node
    if (head.node % ANCHOR_NODES === 0) dropAnchor(integration, span[0])
  }
}

/**
 * The full state at the last anchor at or before a node; a copy.
 *
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when none is kept that early
 */
export function anchorAt(integration: Integration, node: number): MassiveState {
  const state = createMassiveState(integration.system.bodies.length)
  copyMassiveState(state, lastAnchor(integration, node).state)
  return state
}

/**
 * Drift of energy and angular momentum at the last anchor at or before a node.
 *
 * @throws {SimError} 'ERR_EPHEMERIS_SPAN' when none is kept that early
 */
export function driftAt(integration: Integration, node: number): Drift {
  const anchor = lastAnchor(integration, node)
  const { system, reference } = integration
  anchor.drift ??= drift(massiveInvariants(system, anchor.state), reference)
  return anchor.drift
}

function lastAnchor(integration: Integration, node: number): Anchor {
  const { anchors, system } = integration
  const anchor = anchors.findLast(({ state }) => state.node <= node)
  if (anchor) return anchor
  throw new SimError(
    'ERR_EPHEMERIS_SPAN',
    `${system.name} keeps no state at or before node ${node}.`,
  )
}

/** Keeps the head; drops (and reuses) anchors that no node from `firstNode` on needs. */
function dropAnchor(integration: Integration, firstNode: number): void {
  const { anchors, head, system } = integration
  const spent =
    anchors.length > 1 && anchors[1].state.node <= firstNode ? anchors.shift() : undefined
  const anchor = spent ?? { state: createMassiveState(system.bodies.length), drift: undefined }
  copyMassiveState(anchor.state, head)
  anchor.drift = undefined
  anchors.push(anchor)
}

/** Writes the head relative to each body's parent, differences taken with low parts. */
function writeNode(integration: Integration, ephemeris: Ephemeris): void {
  const { acceleration, head, kernel } = integration
  const { nodes, parents } = ephemeris
  const { x, xLow, v, vLow } = head
  kernel.accelerate(acceleration, head)
  let at = nodeOffset(ephemeris, head.node)
  for (let body = 0; body < parents.length; body++, at += 9) {
    const parent = parents[body]
    for (let axis = 0; axis < 3; axis++) {
      const own = 3 * body + axis
      const above = 3 * parent + axis
      if (parent < 0) {
        nodes[at + axis] = x[own]
        nodes[at + 3 + axis] = v[own]
        nodes[at + 6 + axis] = acceleration[own]
      } else {
        // Far out a last bit is a millimetre, so the difference is rounded once, not twice.
        const [gap, rest] = twoSum(x[own], -x[above])
        nodes[at + axis] = gap + (rest + (xLow[own] - xLow[above]))
        nodes[at + 3 + axis] = v[own] - v[above] + (vLow[own] - vLow[above])
        nodes[at + 6 + axis] = acceleration[own] - acceleration[above]
      }
    }
  }
}
