import { ELEMENT_ERRORS, type PlanEvent, type ShipClass } from '@orrery/sim'
import type { FailureReason, ManeuverPhase } from '../world/maneuver.ts'

/** What a ship does in a phase, in words. */
export const PHASE_TEXTS: Readonly<Record<ManeuverPhase, string>> = {
  seeking: 'Waiting for a first sight of the target',
  locked: 'The hull points where it should',
  free: 'The hull turns freely',
  planning: 'A plan is searched for',
  waiting: 'Waiting for the next burn',
  turning: 'The hull turns',
  burning: 'The engine burns',
  trimming: 'What the burn has left is trimmed',
  coasting: 'On the way without thrust',
  correcting: 'The way is corrected',
  approaching: 'Approaching the target',
  arriving: "Inside the target's sphere of influence",
  capturing: 'Braking into orbit',
  thrusting: 'Low thrust',
  holding: 'Holding the position',
  docking: 'Waiting for the dock',
}

/** Why a maneuver failed, in words. */
export const REASON_TEXTS: Readonly<Record<FailureReason, string>> = {
  none: 'No reason is known',
  out_of_fuel: 'The fuel does not suffice',
  unreachable: 'The target cannot be reached',
  timed_out: 'The time is over',
  target_lost: 'The target is lost',
  impact: 'The ship would run into a body',
  let_go: 'The wheels cannot hold the hull',
  late: 'The hull does not point along a burn at its time',
  frozen: 'The ship cannot be flown',
}

/** Why a flight failed, and what it takes, where that is known. */
export function failureText(
  { reason, needs }: Pick<PlanEvent, 'reason' | 'needs'>,
  { dryMass, exhaustVelocity }: Pick<ShipClass, 'dryMass' | 'exhaustVelocity'>,
): string {
  if (!needs) return REASON_TEXTS[reason]
  const tonnes = (dryMass * Math.expm1(needs.deltaV / exhaustVelocity)) / 1000
  const deltaV = `${(needs.deltaV / 1000).toFixed(2)} km/s, ${tonnes.toPrecision(3)} t of fuel`
  return `${REASON_TEXTS[reason]}: it takes ${deltaV}, ${timeText(needs.seconds)}`
}

/** That a flight ends so, and when. */
export function foreseenText(seconds: number, why: string): string {
  return `Flown ahead, it would fail in ${timeText(seconds)}: ${why}`
}

function timeText(seconds: number): string {
  const hours = seconds / 3600
  if (hours < 1) return `${Math.ceil(seconds / 60)} minutes`
  return hours < 48 ? `${hours.toPrecision(3)} hours` : `${Math.ceil(hours / 24)} days`
}

/** Errors by name; null where none is known. */
export function elementErrors(errors: readonly (number | null)[]): Record<string, number> | null {
  const known = ELEMENT_ERRORS.flatMap((name, i) => {
    const value = errors[i]
    return value === null ? [] : [[name, value] as const]
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}
