import { SPIN } from '../attitude/pointing.ts'
import { POINTINGS } from '../state/pointings.ts'
import { ACTIVITIES, TARGETS, type TargetKind } from '../state/activity.ts'
import { PLAN_NODE_DOUBLES, PLAN_PARAMS } from '../state/plan-size.ts'
import {
  ORDERS_ABORT,
  ORDERS_ATTITUDE,
  ORDERS_DELTA_V,
  ORDERS_MANEUVER,
  ORDERS_POINTING,
  ORDERS_SECONDS,
  ORDERS_THRUST,
  ORDERS_UNDOCK,
  ORDERS_UNLOADING,
} from '../chunks/orders.ts'
import type { ActionColumns, OrderColumns } from '../state/state.ts'
import { writeNodes } from './burn-node.ts'
import { type Control, watchedBy } from './control.ts'
import type { ManeuverOrder } from './maneuver-order.ts'

/** Where a state keeps what orders name. */
export interface OrderPlaces {
  /** slot of a ship by its number; -1 when it is gone */
  slotOf(shipNumber: number): number
  /** row of a station or gate in the table of rails by its id; -1 when it is gone */
  railOf(id: string): number
}

/** Writes what a ship is ordered into a row of the order table, or of the actions of rules. */
export function writeControl(
  orders: ActionColumns | OrderColumns,
  row: number,
  control: Control,
  places: OrderPlaces,
): void {
  const { thrustLevel, deltaV, seconds, attitude, pointing, angularRate } = control
  const { unloading, abort, undock, maneuver } = control
  orders.orderFields[row] =
    (thrustLevel === undefined ? 0 : ORDERS_THRUST) +
    (deltaV === undefined ? 0 : ORDERS_DELTA_V) +
    (seconds === undefined ? 0 : ORDERS_SECONDS) +
    (attitude === undefined && angularRate === undefined ? 0 : ORDERS_ATTITUDE) +
    (pointing === undefined ? 0 : ORDERS_POINTING) +
    (undock === undefined ? 0 : ORDERS_UNDOCK) +
    (unloading === undefined ? 0 : ORDERS_UNLOADING) +
    (maneuver === undefined ? 0 : ORDERS_MANEUVER) +
    (abort ? ORDERS_ABORT : 0)
  orders.orderBurn[row] = deltaV ?? seconds ?? 0
  orders.orderThrustLevel[row] = thrustLevel ?? 0
  orders.orderAttitude.set(angularRate ? [...angularRate, 0] : (attitude ?? [1, 0, 0, 0]), 4 * row)
  orders.orderPointing[row] = angularRate ? SPIN : POINTINGS.indexOf(pointing ?? 'hold')
  orders.orderWheelsKept[row] = unloading === false ? 1 : 0
  orders.orderReference[row] = -1
  if (maneuver) writeManeuver(orders, row, maneuver)
  writeTarget(orders, row, places, maneuver ?? { ...control, ship: control.target })
  const target = watchedBy(control)
  orders.orderTarget[row] = target > 0 ? places.slotOf(target) : -1
  orders.orderTargetNumber[row] = target
}

/** What an order is directed at; `ship` is a number. */
interface OrderTarget {
  readonly body?: number | undefined
  readonly ship?: number | undefined
  readonly stationId?: string | undefined
  readonly jumpgateId?: string | undefined
}

function writeTarget(
  orders: ActionColumns,
  row: number,
  places: OrderPlaces,
  { body, ship, stationId, jumpgateId }: OrderTarget,
): void {
  const railId = stationId ?? jumpgateId
  let kind: TargetKind = 'none'
  if (body !== undefined) kind = 'body'
  else if (railId !== undefined) kind = 'rail'
  else if (ship !== undefined) kind = 'ship'
  orders.orderTargetKind[row] = TARGETS.indexOf(kind)
  orders.orderPlace[row] = body ?? ship ?? (railId === undefined ? -1 : places.railOf(railId))
}

function writeManeuver(
  orders: ActionColumns | OrderColumns,
  row: number,
  { maneuver, timeout, params, nodes }: ManeuverOrder,
): void {
  orders.orderActivity[row] = ACTIVITIES.indexOf(maneuver)
  orders.orderTimeout[row] = timeout
  orders.orderParams.fill(0, PLAN_PARAMS * row, PLAN_PARAMS * (row + 1))
  orders.orderParams.set(nodes ? [nodes.length] : params, PLAN_PARAMS * row)
  if (nodes && 'orderBurnNodes' in orders) {
    writeNodes(orders.orderBurnNodes, nodes, PLAN_NODE_DOUBLES * row)
  }
}
