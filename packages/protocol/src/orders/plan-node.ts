import {
  BURN_FRAMES,
  BURN_POINTINGS,
  type BurnFrame,
  type BurnNode,
  NODES_MAX,
  latticeFromUtc,
} from '@orrery/sim'
import * as v from 'valibot'
import { type Timestamp, timestamp } from '../identifiers.ts'
import { type Vec3, vec3 } from '../vector.ts'
import { count, positive } from '../numbers.ts'
import type { Places } from './places.ts'

export type { BurnFrame }

const ANCHORS = ['center', 'start'] as const

/**
 * A burn of a `plan`, at a lattice `index` or a `game_time`, which is its center in time unless
 * `anchor` is 'start'. It has either
 *
 * - a `frame` and a Δv `vector` [m/s] along its axes: 'inertial' those of ICRF; 'prograde' along
 *   velocity, orbit normal, and outwards across both; 'radial' along position, forwards in the
 *   plane of the orbit, and along its normal; about `body`, or the reference body
 * - a `pointing` that the ship keeps, and a `delta_v` [m/s] or a `duration` [s]
 */
export interface PlanNode {
  readonly index?: number
  readonly game_time?: Timestamp
  readonly anchor?: (typeof ANCHORS)[number]
  /** 1 without it */
  readonly thrust_level?: number
  readonly frame?: BurnFrame
  readonly body?: string
  readonly vector?: Vec3
  readonly pointing?: (typeof BURN_POINTINGS)[number]
  readonly delta_v?: number
  readonly duration?: number
}

const node: v.GenericSchema<PlanNode> = v.object({
  index: v.exactOptional(count),
  game_time: v.exactOptional(timestamp),
  anchor: v.exactOptional(v.picklist(ANCHORS)),
  thrust_level: v.exactOptional(v.pipe(positive, v.maxValue(1))),
  frame: v.exactOptional(v.picklist(BURN_FRAMES)),
  body: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64))),
  vector: v.exactOptional(vec3),
  pointing: v.exactOptional(v.picklist(BURN_POINTINGS)),
  delta_v: v.exactOptional(positive),
  duration: v.exactOptional(positive),
})

/** Schema of the burns of a plan. */
export const planNodes: v.GenericSchema<readonly PlanNode[]> = v.pipe(
  v.array(node),
  v.minLength(1),
  v.maxLength(NODES_MAX),
)

/** What each field must be, for refusals. */
export const NODE_FIELDS: readonly (readonly [string, string])[] = [
  ['nodes', `nodes must be a list of 1 to ${NODES_MAX} burns`],
  ['index', 'index must be a lattice index'],
  ['anchor', `anchor must be one of ${ANCHORS.join(', ')}`],
  ['frame', `frame must be one of ${BURN_FRAMES.join(', ')}`],
  ['vector', 'vector must be {x, y, z} of finite numbers of m/s'],
  ['nodes.thrust_level', 'thrust_level must be a number above 0, at most 1'],
  ['nodes.pointing', `pointing must be one of ${BURN_POINTINGS.join(', ')}`],
]

type Field = keyof PlanNode

/** What is wrong with the burns of a plan whose fields are sound by themselves. */
export function nodesFault(nodes: readonly PlanNode[]): string | undefined {
  for (const [i, each] of nodes.entries()) {
    const fault = nodeFault(each)
    if (fault !== undefined) return `nodes.${i} ${fault}`
  }
  return undefined
}

function nodeFault(each: PlanNode): string | undefined {
  const has = (field: Field): boolean => each[field] !== undefined
  const hasOne = (...fields: Field[]): boolean => fields.filter(has).length === 1
  const { frame, vector } = each
  if (!hasOne('index', 'game_time')) return 'takes either index or game_time'
  if (!hasOne('frame', 'pointing')) return 'takes either frame or pointing'
  if (frame === undefined) {
    const excess = (['body', 'vector'] as const).find(has)
    if (excess) return `takes no ${excess} with a pointing`
    return hasOne('delta_v', 'duration') ? undefined : 'takes either delta_v or duration'
  }
  const excess = (['delta_v', 'duration'] as const).find(has)
  if (excess) return `takes no ${excess} with a frame`
  if (frame === 'inertial' && has('body')) return "takes no body with frame 'inertial'"
  return vector && Math.hypot(vector.x, vector.y, vector.z) > 0
    ? undefined
    : 'takes a vector that is not zero with a frame'
}

/** The burns that nodes order. Throws what `places` does. */
export function orderedNodes(nodes: readonly PlanNode[], places: Places): BurnNode[] {
  return nodes.map((each, i) => {
    const { anchor = 'center', thrust_level: throttle = 1, frame, body, vector } = each
    const index = each.index ?? latticeFromUtc(Date.parse(each.game_time ?? ''))
    const timed = { index, anchor, throttle }
    if (frame && vector) {
      const about = body === undefined ? {} : { body: places.body(body, `nodes.${i}.body`) }
      return { ...timed, frame, ...about, vector: [vector.x, vector.y, vector.z] }
    }
    const { pointing = 'prograde', delta_v: deltaV, duration: seconds } = each
    const amount = deltaV === undefined ? { seconds: seconds ?? 0 } : { deltaV }
    return { ...timed, pointing, ...amount }
  })
}
