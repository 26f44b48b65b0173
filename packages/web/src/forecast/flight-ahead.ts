/** What the own ship will fly, as far ahead as is worth drawing. */
import { ClientError } from '@orrery/client'
import {
  type Flight,
  type Forecast,
  type ForecastRequest,
  type ForecastState,
  createShipSample,
} from '@orrery/client/flight'
import { hoursOfInterest } from '@orrery/page-kit'
import { say } from '../languages/say.ts'
import { isTurn } from '../orders/turns.ts'
import type { Session } from '../session/session.ts'
import type { Thing } from '../readings/thing.ts'

/** An order as if it were given, `after` so many seconds. */
export type SupposedOrder = NonNullable<ForecastRequest['orders']>[number]

/** Most game hours that a forecast reaches. */
export const HOURS_MAX = 384

/** How far ahead [revolutions]: of another ship, an approach may come late. */
const REVOLUTIONS = 2
const REVOLUTIONS_TO_TARGET = 6

/** A maneuver that has not ended is followed so many times further. */
const LONGER = 4

/** A forecast that lacks less than this share is long enough. */
const ENOUGH = 1.1

/** Lattice indices per hour. */
const PER_HOUR = 64 * 3600

export interface AheadOptions {
  /** how far ahead [h]; by the orbit and the maneuver when undefined */
  readonly hours: number | undefined
  readonly target: Thing | undefined
  /** the least [h], where `hours` is undefined */
  readonly atLeast?: number
  readonly orders?: readonly SupposedOrder[]
  /** as if the ship had so much fuel [kg] */
  readonly fuel?: number
  /** a maneuver is under way that will end */
  readonly hasManeuver?: boolean
  /** see `ForecastRequest` */
  readonly draft?: true | Forecast
}

const state = createShipSample()

/**
 * Forecasts the own ship, again and farther until the maneuver and the orbit after it are seen.
 *
 * @throws {ClientError} as `Flight.forecast`
 */
export async function* flightsAhead(
  { flight }: Session,
  {
    hours,
    target,
    atLeast = 0,
    orders = [],
    fuel,
    hasManeuver = startsManeuver(orders),
    draft,
  }: AheadOptions,
): AsyncGenerator<Forecast, void, void> {
  const { world, ship, clock } = flight
  if (!world.shipAt(state, ship.id, clock.now())) {
    throw new ClientError('forecast', say('Nothing is known of the ship yet'))
  }
  let last = draft
  const ask = (span: number): Promise<Forecast> => {
    const request = {
      hours: Math.min(span, HOURS_MAX),
      orders,
      ...(fuel !== undefined && { fuel }),
      ...(last && { draft: last }),
    }
    return (
      flight
        .forecast(ship.id, { ...request, ...targetOf(target, flight) })
        // A target may be out of view.
        .catch((error: unknown) => {
          if (!(error instanceof ClientError && error.code === 'E002' && target)) throw error
          return flight.forecast(ship.id, request)
        })
    )
  }
  if (hours !== undefined) {
    yield await ask(hours)
    return
  }
  const revolutions = target ? REVOLUTIONS_TO_TARGET : REVOLUTIONS
  for (let span = Math.max(hoursFrom(state, flight, revolutions), atLeast); ;) {
    const forecast = await ask(span)
    yield forecast
    last &&= forecast
    if (span >= HOURS_MAX || forecast.end !== 'asked') return
    const due = isUnderWay(forecast, hasManeuver)
      ? LONGER * span
      : hoursAfter(forecast, flight, revolutions)
    if (due <= ENOUGH * span) return
    span = due
  }
}

/** Hours of interest after a burn, by default the last, and until then; 0 without a burn. */
export function hoursAfter(
  forecast: Forecast,
  flight: Flight,
  revolutions: number,
  place = -1,
): number {
  const burn = forecast.marks.filter(({ kind }) => kind === 'burn_end').at(place)?.index
  if (burn === undefined || !forecast.stateAt(state, burn)) return 0
  return (burn - forecast.from) / PER_HOUR + hoursFrom(state, flight, revolutions)
}

function hoursFrom(
  { r, v, reference }: ForecastState,
  { world }: Flight,
  revolutions: number,
): number {
  const gm = world.system?.bodies[reference]?.gm ?? NaN
  return hoursOfInterest({ position: r, velocity: v, gm }, revolutions)
}

function startsManeuver(orders: readonly SupposedOrder[]): boolean {
  return orders.some(({ order }) => order.type === 'maneuver_start' && !isTurn(order.maneuver))
}

/** Whether a maneuver goes on at the end of a forecast. */
function isUnderWay({ marks }: Forecast, hasManeuver: boolean): boolean {
  const last = marks.findLast(({ kind }) => kind.startsWith('maneuver_'))
  if (!last) return hasManeuver
  return last.kind === 'maneuver_phase' && last.phase !== 'holding'
}

function targetOf(thing: Thing | undefined, { ship }: Flight): Pick<ForecastRequest, 'target'> {
  if (!thing || (thing.kind === 'ship' && thing.id === ship.id)) return {}
  if (thing.kind === 'body') return { target: { body: thing.name } }
  if (thing.kind === 'ship') return { target: { shipId: thing.id } }
  if (thing.kind === 'station') return { target: { stationId: thing.id } }
  return { target: { jumpgateId: thing.id } }
}
