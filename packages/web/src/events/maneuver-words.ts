/** The maneuver under way and the last one in words. */
import type { OwnShipState } from '@orrery/client'
import { lowerFirst, say } from '../languages/say.ts'
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
    expected === null
      ? say('{deltaV} spent', { deltaV: speedText(spent) })
      : say('{deltaV} spent of some {expected}', {
          deltaV: speedText(spent),
          expected: speedText(expected),
        }),
    ...(distance === null ? [] : [say('{distance} to go', { distance: distanceText(distance) })]),
    ...(burn === undefined ? [] : [say('next burn in {burn}', { burn })]),
    ...(end === undefined ? [] : [say('there in {end}', { end })]),
  ]
}

const OUTCOMES = {
  completed: say('complete'),
  failed: say('failed'),
  aborted: say('aborted'),
}

/** Such as `Last maneuver: Transfer, failed: the target cannot be reached.` */
export function lastManeuverText(last: NonNullable<OwnShipState['last_maneuver']>): string {
  const { maneuver, outcome, status_text: text } = last
  const why = outcome === 'failed' && text !== null ? `: ${lowerFirst(text)}` : ''
  return say('Last maneuver: {maneuver}, {outcome}{why}.', {
    maneuver: maneuverTitle(maneuver),
    outcome: OUTCOMES[outcome],
    why,
  })
}
