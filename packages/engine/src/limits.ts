import { ORDERS_PER_SECOND } from './commands/pilot-rate-limits.ts'
import { TIMEOUT_MAX } from './orders/maneuver-order.ts'
import { BEYOND_NODES } from './prediction/foresight.ts'
import { PREDICTION_SECONDS_MAX, SUPPOSED_ORDERS_MAX } from './prediction/prediction-request.ts'
import { PENDING_PER_SHIP_MAX, POINTING_MAX } from './world/intake.ts'
import { WORLD_OBJECTS_MAX } from './world/placement.ts'
import { HORIZON_NODES, NEAR_NODES, PAST_NODES, RING_NODES, SLICE_NODES } from './world/world.ts'

/** Limits that have to agree with each other, or with those of other packages. */
export const LIMITS: Readonly<
  Record<
    | 'predictionSeconds'
    | 'predictionOrders'
    | 'maneuverSeconds'
    | 'ordersPerSecond'
    | 'pendingPerShip'
    | 'pointingShips'
    | 'worldObjects'
    | 'horizonNodes'
    | 'nearNodes'
    | 'pastNodes'
    | 'ringNodes'
    | 'sliceNodes'
    | 'beyondNodes',
    number
  >
> = {
  predictionSeconds: PREDICTION_SECONDS_MAX,
  predictionOrders: SUPPOSED_ORDERS_MAX,
  maneuverSeconds: TIMEOUT_MAX,
  ordersPerSecond: ORDERS_PER_SECOND,
  pendingPerShip: PENDING_PER_SHIP_MAX,
  pointingShips: POINTING_MAX,
  worldObjects: WORLD_OBJECTS_MAX,
  horizonNodes: HORIZON_NODES,
  nearNodes: NEAR_NODES,
  pastNodes: PAST_NODES,
  ringNodes: RING_NODES,
  sliceNodes: SLICE_NODES,
  beyondNodes: BEYOND_NODES,
}
