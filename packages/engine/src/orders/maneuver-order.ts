import {
  ACTIVITIES,
  type FlownManeuver,
  type ManeuverOrder,
  PLAN_PARAMS,
  type StarSystem,
} from '@orrery/sim'
import * as v from 'valibot'
import { burnNodes } from './burn-node.ts'

/** What the autopilot can be ordered to fly. */
export const FLOWN: readonly FlownManeuver[] = ACTIVITIES.filter(
  (activity): activity is FlownManeuver => activity !== 'none' && activity !== 'docked',
)

const real = v.pipe(v.number(), v.finite())
const text = v.pipe(v.string(), v.nonEmpty())
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Longest time that a maneuver may take: ten years [s]. */
export const TIMEOUT_MAX = 315_576_000

/** A maneuver in a journal or an image. */
export const maneuverOrder: v.GenericSchema<unknown, ManeuverOrder> = v.strictObject({
  maneuver: v.picklist(FLOWN),
  body: v.exactOptional(index),
  stationId: v.exactOptional(text),
  jumpgateId: v.exactOptional(text),
  ship: v.exactOptional(index),
  timeout: v.pipe(real, v.minValue(1), v.maxValue(TIMEOUT_MAX)),
  params: v.pipe(v.array(real), v.maxLength(PLAN_PARAMS)),
  nodes: v.exactOptional(burnNodes),
})

/** What is wrong with an order, in a sentence; undefined for a sound one. */
export function maneuverFault(order: ManeuverOrder): string | undefined {
  const { body, stationId, jumpgateId, ship, maneuver } = order
  const parsed = v.safeParse(maneuverOrder, order)
  if (!parsed.success) {
    const [issue] = parsed.issues
    return `A maneuver is broken at ${v.getDotPath(issue) ?? 'itself'}: ${issue.message}.`
  }
  if ((maneuver === 'plan') !== (order.nodes !== undefined)) return 'A plan alone has nodes.'
  const targets = [body, stationId, jumpgateId, ship].filter((target) => target !== undefined)
  const wanted = TARGETS_OF[maneuver].some((kind) => order[kind] !== undefined)
  if (targets.length > 1) return 'A maneuver has one target.'
  if (TARGETS_OF[maneuver].length > 0 && !wanted) {
    return `${maneuver} needs a target: ${TARGETS_OF[maneuver].join(', ')}.`
  }
  return targets.length > 0 && !wanted ? `${maneuver} takes no such target.` : undefined
}

type TargetKey = 'body' | 'stationId' | 'jumpgateId' | 'ship'

/** What each maneuver can be directed at. */
const TARGETS_OF: Readonly<Record<FlownManeuver, readonly TargetKey[]>> = {
  circularize: [],
  set_orbit: [],
  transfer: ['body'],
  rendezvous: ['stationId', 'jumpgateId', 'ship'],
  hold_station: ['stationId', 'jumpgateId', 'ship'],
  escape: [],
  dock: ['stationId'],
  plan: [],
}

/** The first body of an order, or of a burn in it, that is none of the system's. */
export function unknownBody(
  { bodies }: StarSystem,
  { body = 0, nodes = [] }: Pick<ManeuverOrder, 'body' | 'nodes'>,
): number | undefined {
  const frames = nodes.map((node) => ('frame' in node ? (node.body ?? 0) : 0))
  return [body, ...frames].find((each) => each >= bodies.length)
}
