import { Refusal } from '@orrery/game'
import { ERRORS, errorEnvelope, eventsQuery } from '@orrery/protocol'
import { Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppParts } from '../../app-parts.ts'
import { operation } from '../../documents/openapi.ts'
import { queryValues } from '../../requests/input.ts'
import { type EventCursor, cursorText } from '../../views/event-cursor.ts'
import { eventsAfter, passed, readerCursor, streamedEntry } from './events.ts'
import { bearerOf } from './service-bearer.ts'

/** Between two looks at the database, while there are no more. */
const LOOK_MS = 1000

/** A stream without events has bytes so often: what lies between would take it for dead. */
const HEARTBEAT_LOOKS = 15

const EVENTS_AT_ONCE = 100

const streaming = {
  summary: 'Stream events in their order',
  description:
    'What `GET /api/service/events` answers, as server-sent events: the type as `event`, the ' +
    'entry as `data`, the cursor behind it as `id`, from which a client goes on by ' +
    '`Last-Event-ID`. A token has four streams, and there are 64. A stream ends with an event ' +
    '`ended`, whose data is an error, when its token does, or the cursor leads nowhere any more. ' +
    'Needs the scope `events`.',
  tag: 'services',
  access: 'service',
  query: eventsQuery,
  success: { status: 200, type: 'text/event-stream' },
  errors: [
    [403, 'E003'],
    [409, 'E003'],
  ],
} as const

/** Streams read from the database by cursor, so that a slow reader costs no memory. */
export function eventStreamRoutes(parts: AppParts): Hono {
  const { eventStreams } = parts
  const routes = new Hono()
  routes.get(
    '/api/service/events/stream',
    operation('streamEvents', streaming),
    async (context) => {
      const { tokenId } = await bearerOf(context, parts, 'events')
      const { system: systemId, after, limit = EVENTS_AT_ONCE } = queryValues(context, eventsQuery)
      const begin = context.req.header('last-event-id') ?? after
      const asked = { systemId, limit }
      const cursor = await readerCursor(parts, begin)
      // What is wrong with the cursor is the answer, not a stream.
      await eventsAfter(parts, cursor, asked)
      const close = eventStreams.open(tokenId)
      return streamSSE(context, async (stream) => {
        const stop = AbortSignal.any([eventStreams.ending, context.req.raw.signal])
        try {
          await follow(stream, cursor, stop, async (from) => {
            await bearerOf(context, parts, 'events')
            return eventsAfter(parts, from, asked)
          })
        } catch (error) {
          const { code, message } =
            error instanceof Refusal
              ? error
              : { code: 'E008' as const, message: ERRORS.E008.meaning }
          const data = JSON.stringify(errorEnvelope(code, message))
          await stream.writeSSE({ event: 'ended', data })
        } finally {
          close()
        }
      })
    },
  )
  return routes
}

/** Writes what comes behind a cursor, until a signal. */
async function follow(
  stream: SSEStreamingApi,
  begin: EventCursor,
  stop: AbortSignal,
  read: (cursor: EventCursor) => ReturnType<typeof eventsAfter>,
): Promise<void> {
  let cursor = begin
  for (let looks = 0; !stop.aborted && !stream.aborted; looks++) {
    const events = await read(cursor)
    for (const event of events) {
      cursor = passed(cursor, event)
      const data = JSON.stringify(streamedEntry(event))
      await stream.writeSSE({ event: event.eventType, id: cursorText(cursor), data })
      if (stop.aborted || stream.aborted) return
    }
    if (events.length > 0) continue
    // Without data it is no event, and the reader knows where it stands.
    if (looks % HEARTBEAT_LOOKS === 0) await stream.write(`id: ${cursorText(cursor)}\n\n`)
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}
