import type { EventMessage } from '@orrery/protocol'

/** What does not matter afterwards: sightings, turns, and the steps of maneuvers. */
const PASSING: ReadonlySet<EventMessage['event']> = new Set([
  'sighted',
  'lost',
  'locked',
  'maneuver_sample',
  'maneuver_phase',
])

/** The newest of one ship, and of all ships together. */
const SHIP_EVENTS_MAX = 32
const EVENTS_MAX = 20_000

/** What happened to ships whose pilots were away, in memory. */
export interface MissedEvents {
  note(event: EventMessage): void
  /** those of a ship, oldest first; they are forgotten */
  take(shipId: string): readonly EventMessage[]
  clear(): void
}

export function createMissedEvents(): MissedEvents {
  /** by ship; one whose pilot is away for longer comes first */
  const ships = new Map<string, EventMessage[]>()
  let count = 0
  const take: MissedEvents['take'] = (shipId) => {
    const events = ships.get(shipId) ?? []
    ships.delete(shipId)
    count -= events.length
    return events
  }
  return {
    note: (event) => {
      if (PASSING.has(event.event)) return
      const events = ships.get(event.ship_id) ?? []
      ships.set(event.ship_id, events)
      events.push(event)
      count++
      if (events.length > SHIP_EVENTS_MAX) {
        events.shift()
        count--
      }
      if (count > EVENTS_MAX) take(ships.keys().next().value ?? '')
    },
    take,
    clear: () => {
      ships.clear()
      count = 0
    },
  }
}
