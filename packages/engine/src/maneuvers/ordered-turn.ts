import type { StarSystem } from '@orrery/sim'
import type { ManeuverType, OrderedTurn } from '../world/maneuver.ts'

export function typeOf({ pointing, order: flown }: OrderedTurn): ManeuverType {
  if (flown) return flown.maneuver
  return pointing === 'rest' ? 'kill_rotation' : 'attitude'
}

/** Name of the body that a maneuver is directed at; null without one. */
export function targetBodyOf(
  { bodies }: StarSystem,
  { body, order: flown }: OrderedTurn,
): string | null {
  const target = flown?.body ?? body
  return target === undefined ? null : bodies[target].name
}
