import { POINTINGS } from '../state/pointings.ts'
import { BURN_FRAMES, type BurnFrame, FRAME_CODE, NODE } from '../state/burn-node.ts'
import { NODE_DOUBLES, PLAN_NODE_DOUBLES } from '../state/plan-size.ts'

/** Pointings that a burn can hold: they follow the trajectory about the reference body. */
export const BURN_POINTINGS = [
  'prograde',
  'retrograde',
  'normal',
  'antinormal',
  'radial_out',
  'radial_in',
] as const

/** When a burn of a plan takes place. */
interface TimedBurn {
  /** lattice index */
  readonly index: number
  /** what of the burn is there: its start, or the middle of its time */
  readonly anchor: 'start' | 'center'
  /** above 0, to 1 */
  readonly throttle: number
}

/** A Δv [m/s] along the axes of a frame, which are those at `index` on the way without the burn. */
export interface FrameBurn extends TimedBurn {
  readonly frame: BurnFrame
  /** body index, instead of the reference body */
  readonly body?: number
  readonly vector: readonly [number, number, number]
}

/** A Δv [m/s] or a duration [s] with the nose held in a pointing. */
export interface PointedBurn extends TimedBurn {
  readonly pointing: (typeof BURN_POINTINGS)[number]
  readonly deltaV?: number
  readonly seconds?: number
}

/** One burn of a plan. */
export type BurnNode = FrameBurn | PointedBurn

/** Writes burns to a row of as many as a plan can have, zeros behind. */
export function writeNodes(
  out: Float64Array,
  nodes: readonly BurnNode[] = [],
  begin: number = 0,
): void {
  out.fill(0, begin, begin + PLAN_NODE_DOUBLES)
  for (const [i, node] of nodes.entries()) {
    const at = begin + NODE_DOUBLES * i
    out[at + NODE.index] = node.index
    out[at + NODE.centered] = node.anchor === 'center' ? 1 : 0
    out[at + NODE.throttle] = node.throttle
    if ('frame' in node) {
      out[at + NODE.aim] = FRAME_CODE + BURN_FRAMES.indexOf(node.frame)
      out[at + NODE.body] = node.body ?? -1
      out.set(node.vector, at + NODE.vector)
    } else {
      out[at + NODE.aim] = POINTINGS.indexOf(node.pointing)
      out[at + NODE.body] = -1
      out[at + NODE.deltaV] = node.deltaV ?? 0
      out[at + NODE.seconds] = node.seconds ?? 0
    }
  }
}

/** As it comes back from JSON: fields in one order, none undefined, and no -0. */
export function plainNode(node: BurnNode): BurnNode {
  const { index, anchor, throttle } = node
  const timed = { index: index + 0, anchor, throttle: throttle + 0 }
  if ('frame' in node) {
    const { frame, body, vector } = node
    return {
      ...timed,
      frame,
      ...(body !== undefined && { body }),
      vector: [vector[0] + 0, vector[1] + 0, vector[2] + 0],
    }
  }
  const { pointing, deltaV, seconds } = node
  return {
    ...timed,
    pointing,
    ...(deltaV !== undefined && { deltaV: deltaV + 0 }),
    ...(seconds !== undefined && { seconds: seconds + 0 }),
  }
}
