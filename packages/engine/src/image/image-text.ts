import * as v from 'valibot'
import type { Control } from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { count, endedManeuver, openManeuver, wellFormed, whole } from './image-schema.ts'
import { keptControl } from '../orders/kept-control.ts'
import type { PendingControl } from '../world/intake.ts'
import type { StoredManeuvers } from '../maneuvers/maneuver-log.ts'
import {
  type EndedManeuver,
  MANEUVER_LEVELS,
  type ManeuverLevel,
  type OpenManeuver,
} from '../world/maneuver.ts'
import { type KeptRules, keptRules } from '../orders/rule.ts'
import type { RosterEntry } from '../world/roster.ts'

/** Data of single ships beside the state; immutable. */
export interface Kept {
  readonly roster: readonly Pick<RosterEntry, 'number' | 'shipId' | 'name'>[]
  readonly level: ManeuverLevel
  /** numbers of the ships whose every event is emitted */
  readonly debugged: readonly number[]
  /** maneuvers under way, by ship number */
  readonly open: readonly (readonly [number, OpenManeuver])[]
  /** the last ones, by ship number */
  readonly ended: readonly (readonly [number, EndedManeuver])[]
  readonly rules: readonly KeptRules[]
  readonly pending: readonly Pick<PendingControl, 'ship' | 'index' | 'sequence' | 'control'>[]
}

/** Rows encoded at a time: less than a millisecond of work. */
const SLICE_ROWS = 1024

const encoder = new TextEncoder()

/** Encodes it as JSON, a slice at a time; the caller may yield in between. */
export function* keptText(kept: Kept): Generator<undefined, Uint8Array[]> {
  const { roster, level, debugged, open, ended, rules, pending } = kept
  const parts: Uint8Array[] = []
  function* write<Row>(name: string, rows: readonly Row[], value: (row: Row) => unknown) {
    parts.push(encoder.encode(`"${name}":[`))
    for (let begin = 0; begin < rows.length; begin += SLICE_ROWS) {
      const slice = JSON.stringify(rows.slice(begin, begin + SLICE_ROWS).map(value))
      parts.push(encoder.encode((begin > 0 ? ',' : '') + slice.slice(1, -1)))
      yield
    }
    parts.push(encoder.encode('],'))
  }
  parts.push(encoder.encode('{'))
  yield* write('roster', roster, ({ number, shipId, name }) => [number, shipId, name])
  yield* write('debugged', debugged, (number) => number)
  yield* write('open', open, ([ship, maneuver]) => ({ ship, ...maneuver }))
  yield* write('ended', ended, ([ship, maneuver]) => ({ ship, ...maneuver }))
  yield* write('rules', rules, (list) => list)
  yield* write('pending', pending, ({ ship, index, sequence, control }) => {
    return { ship: ship.number, index, sequence, control }
  })
  parts.push(encoder.encode(`"level":"${level}"}`))
  return parts
}

/** The text, parsed. */
export interface KeptText extends StoredManeuvers {
  readonly roster: readonly (readonly [number: number, shipId: string, name: string])[]
  readonly rules: readonly KeptRules[]
  /** by ship number */
  readonly pending: readonly { ship: number; index: number; sequence: number; control: Control }[]
}

const keptTextSchema: v.GenericSchema<unknown, KeptText> = v.object({
  roster: v.array(v.tuple([count, v.string(), v.string()])),
  level: v.picklist(MANEUVER_LEVELS),
  debugged: v.array(count),
  open: v.array(openManeuver),
  // An image of the release before has neither.
  ended: v.optional(v.array(endedManeuver), []),
  rules: v.optional(v.array(keptRules), []),
  pending: v.array(
    v.object({
      ship: count,
      index: whole,
      sequence: count,
      control: keptControl,
    }),
  ),
})

/** @throws {EngineError} 'ERR_IMAGE' saying what is wrong */
export function readKept(text: Uint8Array): KeptText {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(text))
  } catch (cause) {
    throw new EngineError('ERR_IMAGE', 'The image holds a text that is no JSON.', { cause })
  }
  return wellFormed(keptTextSchema, value, 'text')
}
