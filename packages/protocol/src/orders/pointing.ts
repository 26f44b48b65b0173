import { POINTINGS, type Pointing } from '@orrery/sim'
import * as v from 'valibot'
import { type Uuid, uuid } from '../identifiers.ts'

/** What a message can turn a hull to; `sun` is the star at the root: a `target` of the hull. */
export type MessagePointing = Pointing | 'sun'

export const MESSAGE_POINTINGS: readonly MessagePointing[] = [...POINTINGS, 'sun']

/** What something is directed at: one of them. */
export interface TargetFields {
  readonly target_ship_id?: Uuid
  readonly target_body?: string
  readonly target_station_id?: Uuid
  readonly target_jumpgate_id?: Uuid
}

export const TARGET_FIELDS = [
  'target_ship_id',
  'target_body',
  'target_station_id',
  'target_jumpgate_id',
] as const

type TextField = v.ExactOptionalSchema<v.GenericSchema<string>, undefined>

const id: TextField = v.exactOptional(uuid)

/** Schemas of {@link TargetFields}. */
export const targetFields: { readonly [Field in keyof TargetFields]-?: TextField } = {
  target_ship_id: id,
  target_body: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64))),
  target_station_id: id,
  target_jumpgate_id: id,
}

export function targetCount(message: TargetFields): number {
  return TARGET_FIELDS.filter((field) => message[field] !== undefined).length
}

/** What is wrong with the target of a pointing, in a sentence. */
export function pointingFault(
  message: TargetFields & { readonly pointing?: MessagePointing },
): string | undefined {
  const wanted = message.pointing === 'target' ? 1 : 0
  if (targetCount(message) === wanted) return undefined
  return `pointing 'target' and one of ${TARGET_FIELDS.join(', ')} go together`
}
