/** The maneuver under way and the last one in words. */
import type { OwnShipState } from '@orrery/client'
import { maneuverTitle } from '../orders/maneuvers.ts'
import { waitText } from '../forecast/next-marks.ts'
import { distanceText, speedText } from '../quantities/quantities.ts'
import type { ManeuverState } from '../orders/ship-doing.ts'

/** @param nowMs  game time [Unix ms]; NaN before it is known */
export function maneuverFacts(maneuver: ManeuverState, nowMs: number): readonly string[] {
  const { delta_v: spent, distance, expected_delta_v: expected } = maneuver
  const until = (time: string | null): string | undefined => {
    const seconds = (Date.parse(time ?? '') - nowMs) / 1000
    return seconds >= 0 ? waitText(seconds) : undefined
  }
  const [burn, end] = [until(maneuver.next_burn_at), until(maneuver.expected_end)]
  return [
    `${speedText(spent)} spent${expected === null ? '' : ` of some ${speedText(expected)}`}`,
    ...(distance === null ? [] : [`${distanceText(distance)} to go`]),
    ...(burn === undefined ? [] : [`next burn in ${burn}`]),
    ...(end === undefined ? [] : [`there in ${end}`]),
  ]
}

const OUTCOMES = { completed: 'complete', failed: 'failed', aborted: 'aborted' }

/** Such as `Last maneuver: Transfer, failed: the target cannot be reached.` */
export function lastManeuverText(last: NonNullable<OwnShipState['last_maneuver']>): string {
  const { maneuver, outcome, status_text: text } = last
  const why = outcome === 'failed' && text !== null ? `: ${lowerFirst(text)}` : ''
  return `Last maneuver: ${maneuverTitle(maneuver)}, ${OUTCOMES[outcome]}${why}.`
}

/** A text inside a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
