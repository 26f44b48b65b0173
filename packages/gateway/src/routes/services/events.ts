import { refusal } from '@orrery/game'
import { type EventsResponse, type StreamedEventEntry, eventsQuery } from '@orrery/protocol'
import type { StreamedEvent } from '@orrery/store'
import type { Context } from 'hono'
import type { AppParts } from '../../app-parts.ts'
import { queryValues } from '../../requests/input.ts'
import { type EventCursor, cursorText, parseCursor } from '../../views/event-cursor.ts'
import { eventEntry } from '../maneuvers.ts'

/** Events of an answer when no limit is asked for. */
const EVENTS_DEFAULT = 100

type Parts = Pick<AppParts, 'maneuverEvents' | 'settings'>

/** The events behind the cursor of a request. */
export async function eventPage(context: Context, parts: Parts): Promise<EventsResponse> {
  const { system: systemId, after, limit = EVENTS_DEFAULT } = queryValues(context, eventsQuery)
  const cursor = await readerCursor(parts, after)
  const events = await eventsAfter(parts, cursor, { systemId, limit })
  const next = events.reduce(passed, cursor)
  return { events: events.map(streamedEntry), cursor: cursorText(next) }
}

/** Where a reader goes on; without a text, before the oldest event that is kept. */
export async function readerCursor(
  { maneuverEvents, settings }: Parts,
  text: string | undefined,
): Promise<EventCursor> {
  if (text !== undefined) return parseCursor(text)
  return { era: settings.era, places: await maneuverEvents.firstPlaces() }
}

/** @throws {Refusal} 409 E003 where the world was replaced since, or events were deleted */
export async function eventsAfter(
  { maneuverEvents, settings }: Parts,
  { era, places }: EventCursor,
  asked: { readonly systemId: string | undefined; readonly limit: number },
): Promise<StreamedEvent[]> {
  if (era !== settings.era) {
    const why = `The world was replaced since the cursor's era ${era}: this is era ${settings.era}`
    throw refusal('E003', `${why}; begin without a cursor`, 409)
  }
  const events = await maneuverEvents.after({ era, places, ...asked })
  if (events) return events
  const why = 'Events behind the cursor were deleted, since only the newest are kept'
  throw refusal('E003', `${why}; begin without a cursor`, 409)
}

export function passed({ era, places }: EventCursor, { systemId, id }: StreamedEvent): EventCursor {
  return { era, places: { ...places, [systemId]: id } }
}

export function streamedEntry(event: StreamedEvent): StreamedEventEntry {
  return { ...eventEntry(event), system: event.systemId }
}
