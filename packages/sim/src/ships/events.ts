import type { WorldState } from '../state/state.ts'
import { EVENTS_MAX } from '../state/layout.ts'

/** What can happen to a ship, as kept in `eventKind`, in their order at one index. */
export const EVENT_KINDS = ['sighted', 'lost', 'impact', 'frozen', 'locked', 'let_go'] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Something that happened to a ship, once committed. */
export interface ShipEvent {
  readonly kind: EventKind
  /** lattice index */
  readonly index: number
  readonly shipNumber: number
  /** body it ran into, or its reference body */
  readonly body: number
  /** to the ship it points at, when it has locked on one [m]; else 0 */
  readonly distance: number
}

/** Notes an event; called again after an interruption it is noted twice, and read once. */
export function noteEvent(
  state: WorldState,
  kind: EventKind,
  slot: number,
  index: number,
  body: number,
  distance = 0,
): void {
  const { events, eventCount, ships } = state
  const row = Atomics.add(eventCount, 0, 1)
  if (row >= EVENTS_MAX) return
  events.eventIndex[row] = index
  events.eventShip[row] = ships.shipNumber[slot]
  events.eventBody[row] = body
  events.eventDistance[row] = distance
  events.eventKind[row] = EVENT_KINDS.indexOf(kind)
}

/** The events of a tick in order of index, ship and kind, each once, and how many found no room. */
export function takeEvents(state: WorldState): { events: ShipEvent[]; lost: number } {
  const { events, eventCount } = state
  const noted = Atomics.exchange(eventCount, 0, 0)
  if (noted === 0) return { events: [], lost: 0 }
  const rows = Array.from({ length: Math.min(noted, EVENTS_MAX) }, (_, row) => row)
  const { eventIndex, eventShip, eventKind } = events
  const order = (a: number, b: number): number =>
    eventIndex[a] - eventIndex[b] || eventShip[a] - eventShip[b] || eventKind[a] - eventKind[b]
  rows.sort(order)
  const once = rows.filter((row, i) => i === 0 || order(rows[i - 1], row) !== 0)
  return {
    events: once.map((row) => ({
      kind: EVENT_KINDS[eventKind[row]],
      index: eventIndex[row],
      shipNumber: eventShip[row],
      body: events.eventBody[row],
      distance: events.eventDistance[row],
    })),
    lost: Math.max(0, noted - EVENTS_MAX),
  }
}
