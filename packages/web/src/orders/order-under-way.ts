/** The order of the maneuver under way, to be given again with changes. */
import type { Order } from '@orrery/client'
import type { Session } from '../session/session.ts'
import type { ManeuverStart } from './maneuvers.ts'
import type { ManeuverState } from './ship-doing.ts'
import { thingOfFields } from './target-fields.ts'

export type DockOrder = Extract<Order, { type: 'dock' }>
type StartOrder = ManeuverStart | DockOrder

const given = new WeakMap<Session, StartOrder>()

/** Takes note of an order that the server has accepted. */
export function noteStart(session: Session, order: Order): void {
  if (order.type === 'dock' || order.type === 'maneuver_start') given.set(session, order)
}

/** As it was given here; what another page or a rule has begun, without what is not stated. */
export function orderUnderWay(session: Session, maneuver: ManeuverState): StartOrder {
  const noted = given.get(session)
  const { maneuver: name, target_body: body, target_id: id } = maneuver
  if (noted && nameOf(noted) === name && targetOf(noted) === (body ?? id ?? undefined)) return noted
  if (name === 'dock') return { type: 'dock', station_id: id ?? '' }
  const start = { type: 'maneuver_start', maneuver: name } as ManeuverStart
  if (body !== null) return { ...start, target_body: body }
  if (id === null) return start
  const { world } = session.flight
  const isRow = world.rows().some((row) => row.id === id)
  const { kind = isRow ? 'station' : 'ship' } = world.objects().find((one) => one.id === id) ?? {}
  return { ...start, [`target_${kind}_id`]: id }
}

function nameOf(order: StartOrder): string {
  return order.type === 'dock' ? 'dock' : order.maneuver
}

/** Name or id of what it is directed at. */
function targetOf(order: StartOrder): string | undefined {
  if (order.type === 'dock') return order.station_id
  const thing = thingOfFields(order)
  return thing?.kind === 'body' ? thing.name : thing?.id
}
