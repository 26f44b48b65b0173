/** Events of the ship as sentences. */
import type { EventMessage } from '@orrery/client'
import { lowerFirst, say } from '../languages/say.ts'
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
  sighted: () => say('The target is in sight.'),
  lost: () => say('The target is out of sight.'),
  impact: ({ body }) =>
    say('The ship ran into {body}. It starts again from its first orbit.', {
      body: withArticle(body),
    }),
  frozen: () => say('The ship cannot be flown on: the server has frozen it.'),
  locked: () => say('The turn is complete.'),
  let_go: () => say('The reaction wheels are full: the ship turns freely.'),
  burn_ended: () => say('The burn has ended.'),
  maneuver_sample: (event) => say('{maneuver} goes on.', { maneuver: nameOf(event) }),
  maneuver_phase: (event) =>
    event.status_text === undefined
      ? say('{maneuver} enters its next phase.', { maneuver: nameOf(event) })
      : `${nameOf(event)}${partOf(event)}.`,
  maneuver_completed: (event) => say('{maneuver} is complete.', { maneuver: nameOf(event) }),
  maneuver_failed: (event) => {
    const why = partOf(event) + phaseOf(event)
    return say('{maneuver} has failed{why}.', { maneuver: nameOf(event), why })
  },
  rule: ({ rule_name: name }) =>
    name ? say('The rule “{name}” has fired.', { name }) : say('A rule has fired.'),
  docked: (event, names) => say('Docked at {station}.', { station: stationOf(event, names) }),
  undocked: (event, names) => say('Undocked from {station}.', { station: stationOf(event, names) }),
  refuelled: (event, names) => say('Refuelled at {station}.', { station: stationOf(event, names) }),
  destroyed: () => say('The ship is lost, and starts again.'),
  jumped: ({ from_system: from = '', to_system: to = '' }, { system }) =>
    say('Jumped from {from} to {to}.', { from: system(from) ?? from, to: system(to) ?? to }),
  transferred: ({ to_system: to = '' }, { system }) =>
    say('An administrator has moved the ship to {system}.', { system: system(to) ?? to }),
  altered: () => say('The ship has been given another class, fuel or place.'),
  returned: () => say('The other star system could not be reached. The ship is back.'),
  rules_dropped: () => say('Rules that name what is elsewhere are gone.'),
  module: ({ module = '', status_text: text }) => text ?? say('Event of {module}.', { module }),
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
  if (!Object.hasOwn(WORDS, event.event)) return say('Event: {event}', { event: event.event })
  return WORDS[event.event](event, names)
}

export function noticeKindOf({ event }: EventMessage): 'info' | 'warning' | 'error' | undefined {
  return Object.hasOwn(NOTICED, event) ? NOTICED[event] : undefined
}

function nameOf({ maneuver }: EventMessage): string {
  return maneuver === undefined ? say('The maneuver') : `“${maneuverTitle(maneuver)}”`
}

/** Such as `: the time is over`. */
function partOf({ status_text: text }: EventMessage): string {
  return text === undefined ? '' : `: ${lowerFirst(text)}`
}

/** In which it failed. */
function phaseOf({ phase }: EventMessage): string {
  return phase === undefined ? '' : say(' (while {phase})', { phase })
}

function stationOf({ station_id: id = '' }: EventMessage, { station }: EventNames): string {
  return station(id) ?? say('a station')
}
