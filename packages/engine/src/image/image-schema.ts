import { PHASES, POINTINGS, REASONS } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from '../engine-error.ts'
import type { EndedManeuver, OpenManeuver } from '../world/maneuver.ts'
import { FLOWN, maneuverOrder } from '../orders/maneuver-order.ts'

export const whole: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.safeInteger())
export const count: v.GenericSchema<unknown, number> = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
)

/** w, x, y, z */
export const attitude: v.GenericSchema<unknown, [number, number, number, number]> = v.tuple([
  v.number(),
  v.number(),
  v.number(),
  v.number(),
])

/** A maneuver under way and its ship's number. */
export const openManeuver: v.GenericSchema<unknown, OpenManeuver & { ship: number }> = v.object({
  ship: count,
  pointing: v.nullable(v.picklist(POINTINGS)),
  attitude: v.nullable(attitude),
  target: v.nullable(count),
  targetId: v.nullable(v.string()),
  since: whole,
  phase: v.picklist(['seeking', 'turning', ...PHASES]),
  body: v.exactOptional(count),
  railId: v.exactOptional(v.string()),
  angularRate: v.exactOptional(v.tuple([v.number(), v.number(), v.number()])),
  order: v.exactOptional(maneuverOrder),
})

/** The last maneuver of a ship and its number. */
export const endedManeuver: v.GenericSchema<unknown, EndedManeuver & { ship: number }> = v.object({
  ship: count,
  type: v.picklist(['attitude', 'kill_rotation', ...FLOWN]),
  outcome: v.picklist(['completed', 'aborted', 'failed']),
  phase: v.picklist(['seeking', 'turning', 'locked', 'free', ...PHASES]),
  reason: v.nullable(v.picklist([...REASONS, 'frozen'])),
  statusText: v.nullable(v.string()),
  since: whole,
  endedAt: whole,
  targetId: v.nullable(v.string()),
  targetBody: v.nullable(v.string()),
})

/** @throws {EngineError} 'ERR_IMAGE' naming the place that is not as expected */
export function wellFormed<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
  name: string,
): Output {
  const parsed = v.safeParse(schema, value, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  const place = v.getDotPath(issue) ?? 'itself'
  throw new EngineError('ERR_IMAGE', `The image's ${name} is broken at ${place}: ${issue.message}.`)
}
