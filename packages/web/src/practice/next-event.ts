/** What happens next to a ship, as far ahead as forecasts reach. */
import type { Flight } from '@orrery/client/flight'
import { namesOf } from '../forecast/forecasts.ts'
import { type NextMark, nextMarks } from '../forecast/next-marks.ts'

/** Each is asked for where nothing happens within the one before, the last is the most [h]. */
const HOURS = [4, 32, 128, 384]

/** What is nearer has just happened [s]. */
const NOW_SECONDS = 1

/** Undefined where nothing happens. @throws {ClientError} as `Flight.forecast` */
export async function nextEvent(flight: Flight): Promise<NextMark | undefined> {
  for (const hours of HOURS) {
    const now = flight.clock.now()
    const forecast = await flight.forecast(flight.ship.id, { hours })
    const marks = nextMarks(forecast, { now, ...namesOf(flight) })
    const next = marks.find(({ seconds }) => seconds > NOW_SECONDS)
    if (next || forecast.end !== 'asked') return next
  }
  return undefined
}
