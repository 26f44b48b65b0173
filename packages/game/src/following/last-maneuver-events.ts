import type { ManeuverEvent } from '@orrery/engine'

/** More than an owner has not written when it dies. */
const EVENTS_MAX = 10_000

/** The last events of what is followed: the owner's own last may not have been written. */
export function lastManeuverEvents(): {
  readonly events: readonly ManeuverEvent[]
  readonly add: (event: ManeuverEvent) => void
} {
  const events: ManeuverEvent[] = []
  return {
    events,
    add: (event) => {
      events.push(event)
      if (events.length > EVENTS_MAX) events.shift()
    },
  }
}
