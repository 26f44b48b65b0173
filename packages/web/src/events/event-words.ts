/** Events of the ship as sentences. */
import type { EventMessage } from '@orrery/client'
import { lowerFirst } from './maneuver-words.ts'
import { maneuverTitle } from '../orders/maneuvers.ts'
import { withArticle } from '../readings/thing-names.ts'

export type EventKind = EventMessage['event']

/** Names of what an event gives by its id. */
export interface EventNames {
  readonly station: (id: string) => string | undefined
  readonly system: (id: string) => string | undefined
}

type Words = (event: EventMessage, names: EventNames) => string

const WORDS: Readonly<Record<EventKind, Words>> = {
  sighted: () => 'The target is in sight.',
  lost: () => 'The target is out of sight.',
  impact: ({ body }) =>
    `The ship ran into ${withArticle(body)}. It starts again from its first orbit.`,
  frozen: () => 'The ship cannot be flown on: the server has frozen it.',
  locked: () => 'The turn is complete.',
  let_go: () => 'The reaction wheels are full: the ship turns freely.',
  burn_ended: () => 'The burn has ended.',
  maneuver_sample: (event) => `${nameOf(event)} goes on.`,
  maneuver_phase: (event) => `${nameOf(event)}${partOf(event) || ' enters its next phase'}.`,
  maneuver_completed: (event) => `${nameOf(event)} is complete.`,
  maneuver_failed: (event) => `${nameOf(event)} has failed${partOf(event)}${phaseOf(event)}.`,
  rule: ({ rule_name: name }) => (name ? `The rule “${name}” has fired.` : 'A rule has fired.'),
  docked: (event, names) => `Docked at ${stationOf(event, names)}.`,
  undocked: (event, names) => `Undocked from ${stationOf(event, names)}.`,
  refuelled: (event, names) => `Refuelled at ${stationOf(event, names)}.`,
  destroyed: () => 'The ship is lost, and starts again.',
  jumped: ({ from_system: from = '', to_system: to = '' }, { system }) =>
    `Jumped from ${system(from) ?? from} to ${system(to) ?? to}.`,
  transferred: ({ to_system: to = '' }, { system }) =>
    `An administrator has moved the ship to ${system(to) ?? to}.`,
  altered: () => 'The ship has been given another class, fuel or place.',
  returned: () => 'The other star system could not be reached. The ship is back.',
  rules_dropped: () => 'Rules that name what is elsewhere are gone.',
  module: ({ module = '', status_text: text }) => text ?? `Event of ${module}.`,
}

/** Events that also call the player's attention, and how. */
const NOTICED: { readonly [Kind in EventKind]?: 'info' | 'warning' | 'error' } = {
  impact: 'warning',
  destroyed: 'warning',
  frozen: 'error',
  maneuver_failed: 'warning',
  transferred: 'warning',
  altered: 'info',
  returned: 'warning',
  rules_dropped: 'info',
  module: 'info',
}

/** One of a later server is named by its kind. */
export function eventWords(event: EventMessage, names: EventNames): string {
  if (!Object.hasOwn(WORDS, event.event)) return `Event: ${event.event}`
  return WORDS[event.event](event, names)
}

export function noticeKindOf({ event }: EventMessage): 'info' | 'warning' | 'error' | undefined {
  return Object.hasOwn(NOTICED, event) ? NOTICED[event] : undefined
}

function nameOf({ maneuver }: EventMessage): string {
  return maneuver === undefined ? 'The maneuver' : `“${maneuverTitle(maneuver)}”`
}

/** Such as `: the time is over`. */
function partOf({ status_text: text }: EventMessage): string {
  return text === undefined ? '' : `: ${lowerFirst(text)}`
}

/** In which it failed. */
function phaseOf({ phase }: EventMessage): string {
  return phase === undefined ? '' : ` (while ${phase})`
}

function stationOf({ station_id: id = '' }: EventMessage, { station }: EventNames): string {
  return station(id) ?? 'a station'
}
