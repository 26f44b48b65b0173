import {
  CONTROL_QUANTA,
  type ForecastTarget,
  QUANTA_PER_SECOND,
  anchorAt,
  boundaryAtOrAfter,
} from '@orrery/sim'
import { requireSound } from '../orders/sound-control.ts'
import { requireReachable } from '../commands/reachable-orbit.ts'
import { requirePossible } from '../orders/possible-control.ts'
import { EngineError } from '../engine-error.ts'
import { hasBroken } from '../image/image.ts'
import { requireJumpgate } from '../objects/jumpgates.ts'
import { namedBody } from '../world/named-body.ts'
import { shipEntry } from '../world/roster.ts'
import { requireStation } from '../objects/stations.ts'
import { type ShipPlace, type Universe, requireShip } from '../world/universe.ts'
import { type World, startNode } from '../world/world.ts'
import { type ControlOrder, copyShips } from './copied-ships.ts'
import {
  PREDICTION_SECONDS_MAX,
  type PredictionRequest,
  SUPPOSED_ORDERS_MAX,
} from './prediction-request.ts'
import type { PredictionTask } from './trajectory.ts'

/**
 * Copies what a prediction is made from, at the published index; between ticks.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN' also of a target, 'ERR_IN_TRANSIT', 'ERR_BODY_UNKNOWN',
 *   'ERR_STATION_UNKNOWN', 'ERR_JUMPGATE_UNKNOWN', 'ERR_CONTROL', 'ERR_TICK_BROKEN', and
 *   'ERR_PREDICTION' when a time is out of range
 */
export function predictionTask(universe: Universe, request: PredictionRequest): PredictionTask {
  const { shipId, seconds } = request
  const place = requireShip(universe, shipId)
  const { world, entry } = place
  if (hasBroken(world)) {
    throw new EngineError('ERR_TICK_BROKEN', 'A tick has broken; the next one has to complete it.')
  }
  if (!(seconds > 0 && seconds <= PREDICTION_SECONDS_MAX)) {
    throw unsound(`${seconds} s are not between 0 and ${PREDICTION_SECONDS_MAX}.`)
  }
  const { index, flight, integration, setup, state } = world
  const target = targetOf(world, request)
  const { buffer, system } = state
  return {
    ...(request.toEnd && {
      toEnd: true,
      start: anchorAt(integration, startNode(index)),
      massiveKernel: setup.massiveKernel,
    }),
    place: { buffer, system, territory: flight.territory },
    index,
    until: index + seconds * QUANTA_PER_SECOND,
    copies: copyShips(world, entry, supposedOrders(place, request), target?.number),
    target,
  }
}

/** Where a request's target is found; a ship has a number, too. */
function targetOf(
  world: World,
  { target }: PredictionRequest,
): (ForecastTarget & { readonly number?: number }) | undefined {
  if (!target) return undefined
  if ('body' in target) return { body: namedBody(world, target.body) }
  if ('shipId' in target) {
    const { slot, number } = shipEntry(world, target.shipId)
    return { slot, number, name: target }
  }
  const id =
    'stationId' in target
      ? world.railed.has(target.stationId)
        ? target.stationId
        : requireStation(world, target.stationId)
      : requireJumpgate(world, target.jumpgateId)
  return { row: world.roster.rails.get(id)!, name: target }
}

/** When supposed orders act: as if given now or later, and after those that wait. */
function supposedOrders(
  { world, entry }: ShipPlace,
  { orders = [], seconds }: PredictionRequest,
): ControlOrder[] {
  const { intake, index: now } = world
  if (orders.length > SUPPOSED_ORDERS_MAX) {
    throw unsound(`${orders.length} orders are more than ${SUPPOSED_ORDERS_MAX}.`)
  }
  let last = intake.lastOfShip.get(entry.number)?.last.index ?? 0
  return orders.map(({ after, control }, i) => {
    requireSound(control)
    requirePossible(world.state, entry.slot, control)
    requireReachable(world, control)
    if (!(after >= 0 && after <= seconds)) {
      throw unsound(`An order after ${after} s is not within the ${seconds} s ahead.`)
    }
    const given = boundaryAtOrAfter(now + 1 + after * QUANTA_PER_SECOND, CONTROL_QUANTA)
    last = Math.max(last, given)
    return { index: last, sequence: intake.sequence + 1 + i, control }
  })
}

function unsound(message: string): EngineError {
  return new EngineError('ERR_PREDICTION', message)
}
