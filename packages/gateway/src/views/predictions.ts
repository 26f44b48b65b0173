import type { Predictor, ShipPrediction } from '@orrery/engine'
import {
  type Places,
  type PredictedLeg,
  type PredictionLeg,
  type PredictionMark,
  type PredictionRequest,
  type PredictionResponse,
  controlOf,
} from '@orrery/protocol'
import { type Mark, QUANTA_PER_SECOND, RECORD_DOUBLES } from '@orrery/sim'
import { placesOf } from './places.ts'
import { timestamp } from './wire-views.ts'
import type { ServedEngine } from './served-engine.ts'

/** Who asks. */
interface Asking {
  readonly shipId: string
  /** of the client */
  readonly address: string
}

/**
 * The trajectory of a pilot's ship as it was asked for.
 *
 * @throws {EngineError} with a `pilotErrorCode`, when it is refused
 */
export async function predictionResponse(
  request: PredictionRequest,
  { shipId, address }: Asking,
  engine: ServedEngine,
  predictor: Pick<Predictor, 'predict'>,
): Promise<PredictionResponse> {
  const { hours, to_end: toEnd = false, orders = [] } = request
  const places = placesOf(engine, shipId)
  const supposed = orders.map(({ after = 0, order }) => {
    return { after, control: controlOf(order, places) }
  })
  const seconds = 3600 * hours
  const asked = { shipId, seconds, toEnd, orders: supposed, ...targetOf(request, places) }
  const prediction = await predictor.predict(asked, address)
  return written(prediction)
}

function targetOf(
  request: PredictionRequest,
  places: Places,
): Pick<Parameters<Predictor['predict']>[0], 'target'> {
  const { target_body: body, target_ship_id: ship } = request
  const { target_station_id: station, target_jumpgate_id: gate } = request
  if (body !== undefined) {
    places.body(body, 'target_body')
    return { target: { body } }
  }
  if (ship !== undefined) {
    places.ship(ship, 'target_ship_id')
    return { target: { shipId: ship.toLowerCase() } }
  }
  if (station !== undefined) {
    return { target: { stationId: places.anchorage(station, 'target_station_id') } }
  }
  if (gate === undefined) return {}
  return { target: { jumpgateId: places.jumpgate(gate, 'target_jumpgate_id') } }
}

function written(prediction: ShipPrediction): PredictionResponse {
  const { shipId, systemId, from, to, end, legs, marks, marksLeftOut } = prediction
  const { deltaV, fuel, flightLegs } = prediction
  return {
    ship_id: shipId,
    system_id: systemId,
    game_time: timestamp(from),
    until: timestamp(to),
    end,
    legs: legs.map(({ body, records }) => {
      return { reference_body: body, records: rows(records, from) }
    }),
    marks: marks.map((mark) => writtenMark(mark, from)),
    marks_left_out: marksLeftOut,
    delta_v: deltaV,
    fuel,
    flight_legs: flightLegs.map((leg) => writtenLeg(leg, from)),
    modules_left_out: prediction.modulesLeftOut,
  }
}

function writtenLeg(leg: ShipPrediction['flightLegs'][number], from: number): PredictedLeg {
  return {
    from_body: leg.fromBody,
    ...(leg.body !== undefined && { body: leg.body }),
    seconds: (leg.arrivesAt - from) / QUANTA_PER_SECOND,
    seconds_uncertainty: leg.secondsUncertainty,
    delta_v: leg.deltaV,
    delta_v_uncertainty: leg.deltaVUncertainty,
  }
}

function rows(records: Float64Array, from: number): PredictionLeg['records'] {
  return Array.from({ length: records.length / RECORD_DOUBLES }, (_, i) => {
    const [index, x, y, z, vx, vy, vz] = records.subarray(RECORD_DOUBLES * i)
    return [(index - from) / QUANTA_PER_SECOND, x, y, z, vx, vy, vz]
  })
}

function writtenMark({ kind, index, ...mark }: Mark, from: number): PredictionMark {
  const { fromBody, shipId, stationId, jumpgateId, deltaV, ...same } = mark
  return {
    mark: kind,
    seconds: (index - from) / QUANTA_PER_SECOND,
    ...same,
    ...(fromBody !== undefined && { from_body: fromBody }),
    ...(shipId !== undefined && { ship_id: shipId }),
    ...(stationId !== undefined && { station_id: stationId }),
    ...(jumpgateId !== undefined && { jumpgate_id: jumpgateId }),
    ...(deltaV !== undefined && { delta_v: deltaV }),
  }
}
