/** Whether the own ship still flies a forecast. */
import { type Flight, type Forecast, createShipSample } from '@orrery/client/flight'

/** A forecast that the ship has left by more is wrong: metres, and a share of the distance. */
const OFF_METRES = 5
const OFF_SHARE = 1e-7

const flown = createShipSample()
const due = createShipSample()

/** Whether the ship is not where a forecast has it, or beyond its end. */
export function isOffCourse({ world, ship, clock }: Flight, forecast: Forecast): boolean {
  const now = clock.now()
  if (!world.shipAt(flown, ship.id, now)) return false
  if (!forecast.stateAt(due, now)) return now > forecast.to && !isLast(forecast)
  if (due.body !== flown.body) return true
  const miss = Math.hypot(...due.r.map((value, axis) => value - flown.r[axis]))
  return miss > OFF_METRES + OFF_SHARE * Math.hypot(...flown.r)
}

/** Whether nothing follows the end of a forecast. */
export function isLast({ end }: Pick<Forecast, 'end'>): boolean {
  return end === 'impact' || end === 'frozen'
}
