import { LIMITS as ENGINE } from '@orrery/engine'
import { LIMITS as GAME } from '@orrery/game'
import { StartError } from '@orrery/http'
import { LIMITS as PROTOCOL } from '@orrery/protocol'
import {
  BEAT_QUANTA,
  BLOCK_QUANTA,
  CONTROL_QUANTA,
  NODE_QUANTA,
  ORDERS_MAX,
  PLAN,
  PLAN_PARAMS,
  QUANTA_PER_SECOND,
  RAILS_MAX,
  RULES_PER_SHIP,
  WATCHERS_MAX,
} from '@orrery/sim'
import { LIMITS as STORE } from '@orrery/store'
import { JOINS_KEPT_MS } from './binary/client-view.ts'
import { KEPT_MS } from './binary/kept-views.ts'
import { HEARTBEAT_MS } from './sockets/heartbeat.ts'
import { PER_SECOND } from './connection/token-bucket.ts'

/** What has to hold, and whether it does. */
export type Relation = readonly [law: string, holds: boolean]

const DAY_NODES = (86_400 * QUANTA_PER_SECOND) / NODE_QUANTA
const PREDICTION_NODES = (ENGINE.predictionSeconds * QUANTA_PER_SECOND) / NODE_QUANTA
const params: number = PLAN.params

const RELATIONS: readonly Relation[] = [
  ['beats are control boundaries', BEAT_QUANTA % CONTROL_QUANTA === 0],
  ['blocks are beats', BLOCK_QUANTA % BEAT_QUANTA === 0],
  ['nodes are blocks', NODE_QUANTA % BLOCK_QUANTA === 0],
  ['a number of 32 bits has one for each rule of a ship', RULES_PER_SHIP <= 32],
  ["a plan's memory begins behind its order", params + PLAN_PARAMS === PLAN.memory],
  ['every station and gate has a rail', ENGINE.worldObjects <= RAILS_MAX],
  ['ships that point leave rows to rules', ENGINE.pointingShips < WATCHERS_MAX],
  ['orders that wait for one ship fit into a tick', ENGINE.pendingPerShip <= ORDERS_MAX],
  ['a tick runs where a day of the ephemeris is complete', ENGINE.nearNodes >= DAY_NODES],
  ['the horizon is beyond that', ENGINE.horizonNodes > ENGINE.nearNodes],
  [
    'the ring holds the horizon, a slice and what is behind',
    ENGINE.ringNodes >= ENGINE.horizonNodes + ENGINE.sliceNodes + ENGINE.pastNodes,
  ],
  [
    'the longest prediction ends before the horizon',
    PREDICTION_NODES + ENGINE.beyondNodes <= ENGINE.horizonNodes,
  ],
  [
    'requests reach as far as predictions',
    3600 * PROTOCOL.predictionHours === ENGINE.predictionSeconds,
  ],
  ['requests suppose as many orders', PROTOCOL.predictionOrders === ENGINE.predictionOrders],
  ['maneuvers may take as long', PROTOCOL.maneuverSeconds === ENGINE.maneuverSeconds],
  ['a ship takes as many orders as a socket', PER_SECOND === ENGINE.ordersPerSecond],
  ['requests list as many maneuver events', PROTOCOL.maneuverEvents === STORE.maneuverEvents],
  ['requests list as many audit entries', PROTOCOL.auditEntries === STORE.auditEntries],
  ['a batch of the journal fits into what may wait', GAME.batchRows <= GAME.waitingRows],
  ['an outcome is unknown no later than that', GAME.unknownMs <= GAME.refusedMs],
  ['who comes back knows which ships joined', JOINS_KEPT_MS >= KEPT_MS + HEARTBEAT_MS],
]

/** @throws {StartError} naming what does not hold */
export function requireLimits(relations: readonly Relation[] = RELATIONS): void {
  const broken = relations.filter(([, holds]) => !holds).map(([law]) => law)
  if (broken.length > 0) throw new StartError(`Limits contradict each other: ${broken.join('; ')}`)
}
