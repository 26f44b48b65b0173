import type { WorldState } from './state.ts'
import { EVENTS_MAX } from './layout.ts'
import { PHASES, type Phase, REASONS, type Reason } from './activity.ts'
import { ELEMENT_ERRORS, PLAN } from './plan.ts'

/** What can happen to a ship, as kept in `eventKind`, in their order at one index. */
export const EVENT_KINDS = [
  'sighted',
  'lost',
  'impact',
  'frozen',
  'locked',
  'let_go',
  'burn_ended',
  'maneuver_sample',
  'maneuver_phase',
  'maneuver_completed',
  'maneuver_failed',
  'rule',
  'docked',
  'undocked',
  'refuelled',
  'destroyed',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** Something that happened to a ship, once committed. */
export interface ShipEvent {
  readonly kind: EventKind
  /** lattice index */
  readonly index: number
  readonly shipNumber: number
  /** body it ran into, or its reference body */
  readonly body: number
  /** to the ship it points at, when it has locked on one [m]; a bit per rule that fired; else 0 */
  readonly distance: number
  /** row of the rail that a ship is docked at, or leaves; -1 when that is gone */
  readonly rail?: number
  /** of the autopilot's events */
  readonly plan?: PlanEvent
}

/** What a plan was like at an event of it. */
export interface PlanEvent {
  readonly phase: Phase
  readonly fromPhase: Phase
  /** why it failed */
  readonly reason: Reason
  /** to its target [m] */
  readonly distance: number | null
  /** see `ELEMENT_ERRORS` */
  readonly errors: readonly (number | null)[]
  /** 0 to 1 */
  readonly effectivity: number | null
  /** what a flight takes that failed for want of fuel or time, where that is known */
  readonly needs?: FlightNeeds
}

/** What a flight takes. */
export interface FlightNeeds {
  /** [m/s]; -1 unknown */
  deltaV: number
  /** [s] */
  seconds: number
}

/**
 * Notes an event; called again after an interruption it is noted twice, and read once. Returns its
 * row; -1 when all are taken.
 */
export function noteEvent(
  state: WorldState,
  kind: EventKind,
  slot: number,
  index: number,
  body: number,
  distance = 0,
): number {
  const { events, eventCount, ships } = state
  const row = Atomics.add(eventCount, 0, 1)
  if (row >= EVENTS_MAX) return -1
  events.eventIndex[row] = index
  events.eventShip[row] = ships.shipNumber[slot]
  events.eventBody[row] = body
  events.eventDistance[row] = distance
  events.eventKind[row] = EVENT_KINDS.indexOf(kind)
  return row
}

/**
 * Notes an event of a ship's plan.
 *
 * @param plan  its row, see `PLAN`
 * @param from  the phase before
 * @returns its row; -1 when all are taken
 */
export function notePlan(
  state: WorldState,
  kind: EventKind,
  slot: number,
  index: number,
  plan: Float64Array,
  from: number,
): number {
  const { events, ships } = state
  const body = ships.reference[slot]
  const row = noteEvent(state, kind, slot, index, body, plan[PLAN.distance])
  if (row < 0) return row
  events.eventRail[row] = plan[PLAN.target]
  events.eventPhase[row] = plan[PLAN.phase]
  events.eventFromPhase[row] = from
  events.eventReason[row] = plan[PLAN.reason]
  events.eventEffectivity[row] = plan[PLAN.effectivity]
  events.eventNeeds[2 * row] = -1
  for (let i = 0; i < ERRORS; i++) events.eventErrors[ERRORS * row + i] = plan[PLAN.errors + i]
  return row
}

/** Adds what a flight takes to its event. */
export function noteNeeds({ events }: WorldState, row: number, needs: FlightNeeds): void {
  if (row < 0) return
  events.eventNeeds[2 * row] = needs.deltaV
  events.eventNeeds[2 * row + 1] = needs.seconds
}

const ERRORS = ELEMENT_ERRORS.length

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
      ...(DOCK_KINDS.has(EVENT_KINDS[eventKind[row]]) && { rail: events.eventRail[row] }),
      ...(PLAN_KINDS.has(EVENT_KINDS[eventKind[row]]) && { plan: planEvent(state, row) }),
    })),
    lost: Math.max(0, noted - EVENTS_MAX),
  }
}

const DOCK_KINDS: ReadonlySet<EventKind> = new Set(['docked', 'undocked', 'refuelled'])

const PLAN_KINDS: ReadonlySet<EventKind> = new Set([
  'maneuver_sample',
  'maneuver_phase',
  'maneuver_completed',
  'maneuver_failed',
])

function planEvent({ events }: WorldState, row: number): PlanEvent {
  const [deltaV, seconds] = events.eventNeeds.subarray(2 * row, 2 * row + 2)
  return {
    phase: PHASES[events.eventPhase[row]],
    fromPhase: PHASES[events.eventFromPhase[row]],
    reason: REASONS[events.eventReason[row]],
    distance: known(events.eventDistance[row]),
    errors: Array.from(events.eventErrors.subarray(ERRORS * row, ERRORS * (row + 1)), known),
    effectivity: known(events.eventEffectivity[row]),
    ...(deltaV >= 0 && { needs: { deltaV, seconds } }),
  }
}

function known(value: number): number | null {
  return value < 0 ? null : value
}
