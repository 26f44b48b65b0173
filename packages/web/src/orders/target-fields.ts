/** What orders are directed at, as messages name it. */
import type { Thing } from '../readings/thing.ts'

export interface TargetFields {
  readonly target_body?: string | undefined
  readonly target_ship_id?: string | undefined
  readonly target_station_id?: string | undefined
  readonly target_jumpgate_id?: string | undefined
}

/** A thing as a message names it. */
export function targetFields(thing: Thing): { readonly [Field in keyof TargetFields]?: string } {
  if (thing.kind === 'body') return { target_body: thing.name }
  return { [`target_${thing.kind}_id`]: thing.id }
}

/** What a message is directed at. */
export function thingOfFields(fields: TargetFields): Thing | undefined {
  const { target_body: body, target_ship_id: ship, target_station_id: station } = fields
  if (body !== undefined) return { kind: 'body', name: body }
  if (ship !== undefined) return { kind: 'ship', id: ship }
  if (station !== undefined) return { kind: 'station', id: station }
  const { target_jumpgate_id: gate } = fields
  return gate === undefined ? undefined : { kind: 'jumpgate', id: gate }
}
